#include <cstdio>
#include <cstdlib>

__global__ void KERNEL(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

__global__ void SELDOM(float* x) { x[threadIdx.x] = 0; }

int main(int argc, char** argv) {
  const int n = atoi(argv[1]);
  float* x = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  KERNEL<<<(n + 127) / 128, 128>>>(x, n);
  cudaDeviceSynchronize();
  if (n < 0) SELDOM<<<1, 32>>>(x);
  return 0;
}
