#include "grow.h"
__global__ void late(float* x, int n);
void all(float* x, int n) {
  grow<<<8, 32>>>(x, n);
  inHeader<<<8, 32>>>(x, n);
  late<<<8, 32>>>(x, n);
}
__global__ void late(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 3;
}
