// What is read by a cast to volatile is not staged.
// RUN: %hone opt %s --recipe stage --cuda-path none -o - 2>&1 >/dev/null | FileCheck %s
// CHECK: kernel `product`: left alone: `{{[aw]}}` is not staged: it is volatile
__global__ void product(const float* __restrict__ a, const float* __restrict__ w, float* __restrict__ b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; ++j) s += *(volatile const float*)(a + i * m + j) * *(volatile const float*)(w + j);
  b[i] = s;
}
