// Sum of |re| + |im| over complex numbers that lie interleaved: each work-item sums every so many of them, then they
// halve what is left, all in one kernel.
// The number of work-items must be a power of two. As it stands the barrier is one of the work-group (hone.clh), so the
// host launches a single one.
#include <hone.clh>

#pragma hone grid(4) block(64) length(z=2*n, part=256, total=1) output(total) temporary(part)
__kernel void crd(__global const float* z, __global float* part, __global float* total, int n) {
  int x = get_global_id(0);
  int threads = get_global_size(0);
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += fabs(z[2 * i]) + fabs(z[2 * i + 1]);
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
