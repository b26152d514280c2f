// Passes before grid-sync change the kernel: the loop of launches belongs to the plan of the original all the same. Found by random kernels.
// And a part that does nothing but give a variable its first value is a part: later ones count on it.
// RUN: %hone verify %s --recipe 'grid-sync' --exact | FileCheck %s
// RUN: %hone verify %s --recipe 'unroll grid-sync' --exact | FileCheck %s
// RUN: %hone verify %s --recipe 'unroll(L1, by=full) grid-sync' --exact | FileCheck %s
// RUN: %hone verify %s --recipe 'unroll grid-sync block(x=32)' --exact | FileCheck %s
// CHECK: kernel `smooths`: equal in 1 run
#include <hone.h>

#pragma hone set(w=100) grid(4) block(32)
__global__ void smooths(float* a, float* b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = x < w ? a[x] : 0;
  for (int r = 0; r < 4; ++r) {
    if (x > 0 && x + 1 < w) b[x] = a[x - 1] + a[x + 1] * r;
    hone_grid_sync();
    for (int i = 0; i < 4; ++i) mine += r + i;
    if (x > 0 && x + 1 < w) a[x] = b[x] - mine;
    hone_grid_sync();
  }
}
