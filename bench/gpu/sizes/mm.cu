// Matrix product c = a * b, one thread per element of c.
#include <cuda_runtime.h>

static __global__ void mm(const float* a, const float* b, float* c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

extern "C" void ENTRY(float* a, float* b, float* c, int m, int n, int k) {
  dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  mm<<<grid, block>>>(a, b, c, m, n, k);
}
