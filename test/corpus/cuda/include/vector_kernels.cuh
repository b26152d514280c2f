#ifndef VECTOR_KERNELS_CUH
#define VECTOR_KERNELS_CUH

#include "vector_math.h"

template <typename T>
__global__ void dotKernel(const T* a, const T* b, T* partial, int n) {
  __shared__ T s[kDotBlock];
  T sum = T();
  for (int i = blockIdx.x * kDotBlock + threadIdx.x; i < n; i += kDotBlock * gridDim.x) sum += a[i] * b[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int w = kDotBlock / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

static __global__ void normalizeKernel(float3* v, int n) {
  int i = GLOBAL_ID;
  if (i < n) v[i] = scaled(v[i], rsqrtf(dot3(v[i], v[i])));
}

#endif
