// Work-items that share an array, in OpenCL: coordinates have 64 bits, the range may have an offset.
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=8, rows=24)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=8, rows=32)' --reassociate -o %t.cl 2>/dev/null
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl %t.cl
// SAME: kernel `strided`: equal in
// SAME-NOT: the original ran
// CHECK: __local float sum_parts[kThreads][kRows];
// CHECK: const bool inside = get_group_id(0) * kRows + get_local_id(0) < threads_x;
// CHECK: sum_parts[lane][get_local_id(0)] += sum_parts[lane + {{.*}}][get_local_id(0)];
#pragma hone grid(3) block(40) length(a=n, part=120)
__kernel void strided(__global const float* a, __global float* part, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = x; i < n; i += get_global_size(0)) sum += a[i];
  part[x] = sum;
}
