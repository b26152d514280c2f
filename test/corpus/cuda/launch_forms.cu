// Launches: chevrons with streams and shared sizes, cudaLaunchKernel, cooperative, by macro, from a template, by a taken address.
#include <cuda_runtime.h>

__global__ void fill(float* a, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = v;
}

__global__ void addShared(const float* a, float* b, int n) {
  extern __shared__ float buf[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buf[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) b[i] = buf[blockDim.x - 1 - threadIdx.x];
}

template <int K>
__global__ void power(double* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double p = 1;
    for (int k = 0; k < K; ++k) p *= x[i];
    x[i] = p;
  }
}

#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)
#define CHECK(call) do { cudaError_t err_ = (call); if (err_ != cudaSuccess) return err_; } while (0)

template <int K>
void launchPower(double* x, int n) {
  power<K><<<(n + 63) / 64, 64>>>(x, n);
}

typedef void (*Kernel)(float*, float, int);
Kernel chosen = fill;

cudaError_t launchAll(float* a, float* b, double* d, int n, cudaStream_t s) {
  dim3 grid((n + 255) / 256), block(256, 1, 1);
  fill<<<grid, block>>>(a, 1.0f, n);
  fill<<<dim3(n / 32 + 1), 32, 0, s>>>(b, 2.0f, n);
  addShared<<<grid, block, block.x * sizeof(float), s>>>(a, b, n);
  LAUNCH(fill, n, a, 3.0f, n);
  launchPower<3>(d, n);
  launchPower<4>(d, n);
  float v = 4.0f;
  void* args[] = {&a, &v, &n};
  CHECK(cudaLaunchKernel((const void*)fill, grid, block, args, 0, s));
  CHECK(cudaLaunchCooperativeKernel((void*)fill, grid, block, args, 0, s));
  chosen<<<1, 32>>>(a, 0.0f, 32);
  for (int i = 0; i < 3; ++i) fill<<<1 << i, 64>>>(a + i * 64, (float)i, 64);
  return cudaGetLastError();
}
