// RUN: %hone opt %s --recipe '' 2> /dev/null | FileCheck %s
// RUN: %hone opt %s --recipe '' 2> /dev/null -- -DWITH_DOUBLE | FileCheck --check-prefix=DOUBLE %s
// Conditional compilation around kernels survives; the branch that is not compiled keeps its bytes.

#ifdef WITH_DOUBLE
__global__ void put(double* x) {  x[0]=1;  }
#else
__global__ void put(float* x) {  x[0]=1;  }
#endif
// CHECK: #ifdef WITH_DOUBLE
// CHECK-NEXT: __global__ void put(double* x) {  x[0]=1;  }
// CHECK-NEXT: #else
// CHECK-NEXT: __global__ void put(float* x) {
// CHECK-NEXT:   x[0] = 1;
// CHECK-NEXT: }
// CHECK-NEXT: #endif

// DOUBLE: #ifdef WITH_DOUBLE
// DOUBLE-NEXT: __global__ void put(double* x) {
// DOUBLE-NEXT:   x[0] = 1;
// DOUBLE-NEXT: }
// DOUBLE-NEXT: #else
// DOUBLE-NEXT: __global__ void put(float* x) {  x[0]=1;  }
// DOUBLE-NEXT: #endif
