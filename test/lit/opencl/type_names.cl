// Names of types are held by assertions that drivers take: constant expressions of whole numbers alone.
// RUN: %hone opt %s --recipe 'block(x=64)' --no-verify -o - 2>/dev/null | FileCheck %s
// CHECK: {{^}}_Static_assert(__builtin_types_compatible_p(count, unsigned int) && __builtin_types_compatible_p(real, float),
typedef float real;
typedef unsigned int count;
__kernel void scale(__global real* a, count n) {
  count i = get_global_id(0);
  if (i < n) a[i] = a[i] * (real)2;
}
