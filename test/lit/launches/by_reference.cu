// A block that a function sets through a reference is not the one it was declared with.
// RUN: %hone explain %s | FileCheck %s
// CHECK: facts for blocks of {{.*}}(guessed)
static int shape(int n, dim3& block) {
  block.x = n > 64 ? 128 : 32;
  return 64;
}
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
void run(float* a, int n) {
  dim3 block;
  int bytes = shape(n, block);
  scale<<<n, block, bytes>>>(a, n);
}
