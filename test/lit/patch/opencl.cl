// RUN: %hone opt %s --recipe '' -o %t.cl -- -DN=8 2> /dev/null
// RUN: FileCheck %s < %t.cl
// RUN: %hone debug-compare %s %t.cl -- -DN=8
// RUN: %hone opt %t.cl --recipe '' 2> /dev/null -- -DN=8 | cmp - %t.cl
// CHECK: __kernel void add(__global float*a, __local float *tmp) {
// CHECK-NEXT: size_t i = get_global_id(0);
// CHECK: a[i] += N;
__kernel void add(__global float*a, __local float *tmp) {
  size_t i = get_global_id(0); a[i]+=N;
}
