// RUN: %hone opt %s --recipe 'merge-threads(x=2)' 2>&1 | FileCheck %s

// CHECK: kernel `needsLocal`: left alone: shared memory `s`, sized at the launch, would hold different data for the merged blocks
__kernel void needsLocal(__global float* a, __local float* s) {
  s[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = s[get_local_size(0) - 1 - get_local_id(0)];
}
