#include "part.h"

__global__ void fill(float* a, int n, Part part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i / part.width < part.height) a[i] = 1;
}

void launch(float* a, int n, const Part& part) { fill<<<(n + 127) / 128, 128>>>(a, n, part); }
