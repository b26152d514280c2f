// What is launched through a pointer gets no new kernel that nothing calls, unless it is asked for.
// RUN: %hone opt %s --diff 2>&1 | FileCheck %s
// RUN: %hone opt %s --offer --recipe 'block(x=64)' --diff | FileCheck --check-prefix=OFFERED %s
// CHECK: kernel `product`: left alone: no launch names it: its address is taken, and a launch through a pointer cannot be changed; --kernel with its name, or --offer, has it rewritten all the same
// CHECK-NOT: product_launch
// OFFERED: product_launch
__global__ void product(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  if (x < w && y < w) {
    for (int k = 0; k < w; ++k) sum += a[y * w + k] * b[k * w + x];
    c[y * w + x] = sum;
  }
}
void run(const float* a, const float* b, float* c, int w) {
  void (*kernel)(const float*, const float*, float*, int) = &product;
  kernel<<<dim3((w + 15) / 16, (w + 15) / 16), dim3(16, 16)>>>(a, b, c, w);
}
