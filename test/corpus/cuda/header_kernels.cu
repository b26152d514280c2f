// left-alone: dotKernel a template in a header
// Kernels and device functions in included headers, one of them a template, launched from here.
#include <cuda_runtime.h>
#include "include/vector_kernels.cuh"

__global__ void negate(float3* v, int n) {
  int i = GLOBAL_ID;
  if (i < n) v[i] = scaled(v[i], -1.0f);
}

void runHeaderKernels(const float* a, const float* b, float* p, double* dp, float3* v, int n) {
  dotKernel<<<32, kDotBlock>>>(a, b, p, n);
  dotKernel<double><<<32, kDotBlock>>>(dp, dp, dp, n);
  normalizeKernel<<<(n + 63) / 64, 64>>>(v, n);
  negate<<<(n + 63) / 64, 64>>>(v, n);
}
