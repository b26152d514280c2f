// A thread reads, through another pointer, what another one writes once stores are exchanged: the barrier orders global memory too.
// RUN: %hone verify %s --exact --recipe 'coalesce-stores' --alias b=c+2 | FileCheck %s
// RUN: %hone opt %s --recipe 'coalesce-stores' --no-verify -o - | FileCheck --check-prefix=TEXT %s
// CHECK: equal in 1 run
// TEXT: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma hone set(w=1, k=1) grid(1) block(32)
__kernel void reversed(__global const float* b, __global float* d, __global const float* p, __global float* c, int w, int k) {
  const int x = get_global_id(0);
  if (x >= w) return;
  for (int i = 0; i < k; ++i) d[x] += b[x * k + i] + 3 * b[i * w + x];
  float row[3];
  for (int i = 0; i < 3; ++i) row[i] = p[x * 3 + i] + 1;
  for (int i = 0; i < 3; ++i) c[x * 3 + i] = row[2 - i];
}
