// Scalars of kernels constructs that the region may change under another name come as memory, which is only brought: what changes them
// brings them back. By the rules of C, what is written as double is none of them.
// RUN: %hone acc -O0 --explain %s | FileCheck %s
int n = 100, by = 3;
void ints(int *a) {
  // CHECK: kernels in ints
  // CHECK-NEXT: loop in line [[#@LINE+6]]: gang vector: {{.*}}where by and a, a and n are memory of their own on the device
  // CHECK: data:
  // CHECK-NEXT: copyin(n), implicit
  // CHECK-NEXT: copyin(by), implicit
  // CHECK-NEXT: copy(a[0:n]):
#pragma acc kernels copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += by;
}
void doubles(double *a) {
  // CHECK: kernels in doubles
  // CHECK-NEXT: loop in line [[#@LINE+4]]: gang vector: no iteration needs what another one does; one thread an iteration
  // CHECK: data:
  // CHECK-NEXT: copy(a[0:n]):
#pragma acc kernels copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += by;
}
