// Sums of short integers are worked out in wider ones and cut off.
// RUN: %hone verify %s --recipe 'grid-sync(how=loop)' | FileCheck %s
// RUN: %hone opt %s --recipe 'grid-sync(how=loop)' | FileCheck --check-prefix=CODE %s
// CHECK: kernel `bytes`: equal in
// CODE: part_sum = part_sum + (unsigned char)sum;
#include <hone.h>
#pragma hone grid(4) block(32) length(a=n, part=128, total=1) temporary(part)
__global__ void bytes(const int* a, unsigned char* part, int* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int sum = 0;
  for (int i = x; i < n; i += threads) sum += a[i];
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
