// RUN: %hone opt %s --recipe '' 2>&1 > %t.out | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.out
#define KERNEL(name, op) \
  __global__ void name(float* x) { x[threadIdx.x] op 2; }
// CHECK: from_macro.cu:[[@LINE+1]]: kernel `timesTwo`: left alone: its definition comes out of a macro, so there is no text of its own to replace
KERNEL(timesTwo, *=)
// CHECK: kernel `plain`: re-emitted
__global__ void plain(float* x) { x[0] = 1; }
// TEXT: KERNEL(timesTwo, *=)
// TEXT: __global__ void plain(float* x) {
// TEXT-NEXT: x[0] = 1;
