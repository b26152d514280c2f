// Sums over all work-items as one; ids that begin elsewhere than at 0 are left to the original.
// RUN: %hone opt %s --recipe 'grid-sync(how=loop)' 2>/dev/null | FileCheck %s
// RUN: %hone verify %s --recipe 'grid-sync(how=loop) split-reduction(over=grid, ways=40, each=4) vectorize' | FileCheck --check-prefix=SAME %s
// SAME: kernel `sums`: equal in
#include <hone.clh>
// CHECK: where {{.*}}offset[0] == 0
// CHECK: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: sum += a[i];
#pragma hone grid(1) block(64) length(a=n, part=64, total=1) temporary(part)
__kernel void sums(__global const int* a, __global int* part, __global int* total, int n) {
  int x = get_global_id(0);
  int sum = 0;
  for (int i = x; i < n; i += get_global_size(0)) sum += a[i];
  part[x] = sum;
  for (int s = get_global_size(0) / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}
