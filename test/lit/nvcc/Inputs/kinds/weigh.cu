#include "weights.h"

__global__ void weigh(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = weighted(data[i]);
}

void weighAll(float* data, int n) { weigh<<<(n + 255) / 256, 256>>>(data, n); }
