#include "scale.h"

#include <bias.h>
#ifdef __CUDA_ARCH__
#include "device only.h"
#endif

__device__ float offset(float v);

__global__ void scaled(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = FACTOR * offset(a[i]) + BIAS;
}

void scale(float* a, int n) {
  scaled<<<(n + 31) / 32, 32>>>(a, n);
  cudaDeviceSynchronize();
}
