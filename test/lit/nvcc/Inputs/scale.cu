#include <cstdio>
#include "factor.h"

__global__ void scale(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= kFactor;
}

void scaleAll(float* data, int n) {
  scale<<<(n + 255) / 256,
          256>>>(data, n);
  printf("%s:%d\n", __FILE__, __LINE__);
}
