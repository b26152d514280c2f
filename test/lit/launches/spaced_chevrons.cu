// nvcc takes chevrons with spaces in them, as formatters write them, which Clang does not.
// RUN: %hone opt %s --recipe 'block(x=128)' -o %t.cu 2>&1 | FileCheck %s
// RUN: %unmarked %t.cu | FileCheck --check-prefix=CODE %s
// CHECK: kernel `scale`: rewritten beside the original; 1 of 1 launch now calls scale_launch
// CHECK-NOT: nothing in the files at hand launches it
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
__global__ void shift(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 2;
}
void launch(float* a, int n) {
  shift << < n / 256, 256 >> > (a, n);
  // CODE: scale_launch(n / 256, 256, 0, 0, a, n);
  scale << < n / 256, 256 >> > (a, n);
}
