// Product of a matrix and a vector, one thread per row.
#include <cuda_runtime.h>

static __global__ void mv(const float* a, const float* v, float* y, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < h) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[x * w + i] * v[i];
    y[x] = sum;
  }
}

extern "C" void ENTRY(float* a, float* v, float* y, int w, int h, int) {
  mv<<<(h + 255) / 256, 256>>>(a, v, y, w, h);
}
