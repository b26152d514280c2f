// Steps that became one launch: every angle of the Fourier step is known to be small.
// RUN: %hone opt %examples/naive/fft.cu --recipe 'unroll-host-loop(count=3) fuse-launches bound-arguments vectorize' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// SAID: said of 6 calls of sine, cosine or tangent that the argument is small, 3.17 at most
// SAID-NOT: nothing is known of
// CHECK: Arguments of sine and cosine are said to be small
// CHECK: for (int r = 0; r < 2; ++r) {
// CHECK-NEXT: const int k = low + r * p;
// CHECK-NEXT: const float [[ANGLE:angle[0-9]+]] = -3.14159265f * k / p2;
// CHECK-NEXT: __builtin_assume(__builtin_fabsf([[ANGLE]]) < 100000.0f);
// CHECK-NEXT: = cosf([[ANGLE]]);
