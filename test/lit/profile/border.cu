// What is compared with a number smaller than a block is at a border: it does not tell how many blocks there are.
// RUN: %hone opt %s --kernel blur -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `blur`: {{.*}}gridDim.x=8192
__global__ void blur(const float* __restrict__ a, float* __restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = i < 7 ? 0 : a[i - 7];
  b[i] = left + a[i];
}
