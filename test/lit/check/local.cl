// RUN: %hone check %s | FileCheck %s
// RUN: not %hone check %s --kernel total --length tile=100 | FileCheck --check-prefix=SMALL %s

// CHECK: kernel `total`: clean
// SMALL: error: out of bounds in shared memory, tile[100] of 100 elements
kernel void total(global const float* a, global float* sums, local float* tile) {
  size_t t = get_local_id(0), n = get_local_size(0);
  tile[t] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t s = n / 2; s > 0; s /= 2) {
    if (t < s) tile[t] += tile[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = tile[0];
}

// CHECK: kernel `fixed`: clean
// CHECK-NEXT: grid 4, block 64
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fixed(global float* a) { a[get_global_id(0)] = 1; }
