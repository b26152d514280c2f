// RUN: %hone opt %s --recipe bound-arguments -o %t.cl 2>&1 | FileCheck %s
// CHECK: kernel `turn`: left alone: OpenCL C has no words that tell a compiler what to assume
__kernel void turn(__global float* a) {
  int i = get_local_id(0);
  a[i] = sin(0.5f * (i & 7));
}
