// The grid is rounded down: the last elements are never computed, and the next kernel reads them.
#include <cstdio>
__global__ void square(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}
__global__ void shift(float* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] += 1;  // FAULT: uninitialized
}
int main() {
  const int n = 1000;
  float *x, *y, host[n] = {};
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef FIX
  square<<<(n + 127) / 128, 128>>>(x, y, n);
#else
  square<<<n / 128, 128>>>(x, y, n);
#endif
  shift<<<1, 128>>>(y, n);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  cudaFree(x);
  cudaFree(y);
}
