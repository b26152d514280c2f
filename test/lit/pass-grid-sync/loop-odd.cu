// Numbers of threads that are no powers of two leave values out in the halving steps: the original runs.
// RUN: %hone verify %s --recipe 'grid-sync(how=loop)' | FileCheck %s
// CHECK: kernel `odd`: equal in
// CHECK: grid 3, block 20: equal{{.*}}the original ran
#include <hone.h>
#pragma hone grid(3) block(20) length(a=60, part=60, total=1) temporary(part)
__global__ void odd(const int* a, int* part, int* total) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  part[x] = a[x];
  for (int s = gridDim.x * blockDim.x / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
