// Sum of an array, with barriers of the whole grid.
#include <hone.clh>

#pragma hone grid(4) block(64) length(a=n, part=256, total=1)
__kernel void halves(__global const float* a, __global float* part, __global float* total, int n) {
  int x = get_global_id(0);
  int threads = get_global_size(0);
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += a[i];
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
