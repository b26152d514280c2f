// RUN: %hone opt %s --recipe '' --kernel b --kernel ns::c 2>&1 > %t.cu | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// REMARK-NOT: `a`
// REMARK: kernel `b`: re-emitted
// REMARK: kernel `c`: re-emitted
__global__ void a(int* x) {x[0]=1;}
__global__ void b(int* x) {x[0]=1;}
namespace ns { __global__ void c(int* x) {x[0]=1;} }
// CHECK: __global__ void a(int* x) {x[0]=1;}
// CHECK-NEXT: __global__ void b(int* x) {
// CHECK-NEXT:   x[0] = 1;
// CHECK-NEXT: }
// CHECK-NEXT: namespace ns { __global__ void c(int* x) {
// CHECK-NEXT:   x[0] = 1;
// CHECK-NEXT: } }
