#include "shared.cuh"
__global__ void thrice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 3;
}
void two(float* x, int n) { twice<<<(n + 255) / 256, 256>>>(x, n); }
