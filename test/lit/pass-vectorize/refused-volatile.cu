// Two accesses that are volatile by a cast stay two.
// RUN: %hone opt %s --recipe vectorize --cuda-path none -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// CHECK: kernel `pairs`: left alone: neighbours in {{.*}} (line {{[0-9]+}}) are not one access
// TEXT-NOT: float2
__global__ void pairs(float* __restrict__ b, float* __restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = *(volatile float*)(b + 2 * i), y = *(volatile float*)(b + 2 * i + 1);
    c[i] = x + y;
  }
}
