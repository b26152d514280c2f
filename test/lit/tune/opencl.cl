// Variants are measured on a real device, remembered, and the fastest that is right is written; where none is faster nothing is.
// REQUIRES: pocl
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --device opencl --set rows=64 --set columns=256 --assume-noalias --reassociate --budget 3 --store %t/store.db -o %t/out.cl 2>&1 | FileCheck %s
// RUN: %hone tune %s --device opencl --set rows=64 --set columns=256 --assume-noalias --reassociate --budget 3 --store %t/store.db -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: %hone tune %s --device opencl --set rows=64 --set columns=256 --strategy random --budget 2 --no-store -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=RANDOM
// RUN: not %hone tune %s --device cuda:7 --budget 1 --no-store -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %hone tune %s --device opencl --store %s -o %t/out.cl 2>&1 | FileCheck %s --check-prefix=STORE

// CHECK: sum_rows on {{.*}}, columns=256 rows=64
// CHECK: recipe us
// CHECK: (the original)
// CHECK: 3 variants measured; ended after 3 variants
// AGAIN: 3 variants measured, 3 of them known from the store
// RANDOM: 2 variants measured; ended after 2 variants
// NONE: there is no OpenCL device 'cuda:7'; there are: opencl:
// STORE: the store '{{.*}}opencl.cl'
__kernel void sum_rows(__global const float* a, __global float* sums, int rows, int columns) {
  int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += a[row * columns + i];
  sums[row] = sum;
}
