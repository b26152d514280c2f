// Constants that the program fills decide where kernels read: a table of places, which is changed after the launch.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ int table[8];

__global__ void lookup(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[table[i % 8]];
}

int main(int argc, char**) {
  float *in, *out;
  cudaMalloc(&in, 50 * sizeof(float));
  cudaMalloc(&out, 512 * sizeof(float));
  cudaMemset(in, 0, 50 * sizeof(float));
  int host[8] = {0, 49, 3, 4, 5, 6, 7, 8};
  if (argc > 1) host[5] = 50;  // one too far
  cudaMemcpyToSymbol(table, host, sizeof host);
  lookup<<<4, 128>>>(in, out, 512);
  host[5] = 1000;
  cudaDeviceSynchronize();
  cudaMemcpyToSymbol(table, host, sizeof host);  // no launch sees it
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
