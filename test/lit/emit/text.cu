// What is printed: casts only where C would not convert by itself, parentheses only where needed, loops as loops.
// RUN: %hone opt --recipe '' %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// REMARK: kernel `rules`: re-emitted
// CHECK-LABEL: void rules
// CHECK-NEXT: // walks the row
// CHECK-NEXT: #pragma unroll 4
// CHECK-NEXT: for (int i = threadIdx.x; i < n; i += blockDim.x) {
// CHECK-NEXT: float v = x[i] * (a + b) / 2;
// CHECK-NEXT: unsigned char c = (unsigned char)(v * 0.5);
// CHECK-NEXT: x[i] = -v - (a - c) * b;
// CHECK-NEXT: if (i & 1 && v > 0) {
// CHECK-NEXT: y[i >> 1] += (double)i / n;
// CHECK-NEXT: } else if (i == 2) {
// CHECK-NEXT: continue;
__global__ void rules(float* x, double* y, float a, float b, int n) {
  // walks the row
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = ((x[i]) * (a + b)) / 2;
    unsigned char c = (unsigned char)(v * 0.5);
    x[i] = (-v) - ((a - c) * b);
    if ((i & 1) && v > 0) { y[i >> 1] += (double)i / n; }
    else if (i == 2) continue;
  }
}
