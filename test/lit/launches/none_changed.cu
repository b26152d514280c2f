// What no launch in sight could use is not written; a recipe of one's own is taken as it is.
// RUN: %hone opt %s -o %t.cu 2>&1 | FileCheck --check-prefix=CHOSEN %s
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage' -o %t.2.cu 2>&1 | FileCheck --check-prefix=GIVEN %s
#define LAUNCH(k, ...) k<<<dim3(64, 64), dim3(16, 16)>>>(__VA_ARGS__)
// CHOSEN: none_changed.cu:[[#@LINE+11]]: kernel `product`: left alone: none of its launches can use a new kernel beside it: it comes out of a macro
// GIVEN: kernel `product`: rewritten beside the original; 0 of 1 launch now call product_launch
__global__ void product(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
  }
}
void run(const float* a, const float* b, float* c) {
  LAUNCH(product, a, b, c, 1024);
}
