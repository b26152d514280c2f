// A kernel in a header beside the file that includes it.
#pragma once
#include "extents.h"

__global__ static void sumOfRow(const float* in, float* sums, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  float sum = 0;
  for (int x = 0; x < width; ++x) sum += in[y * width + x];
  sums[y] = sum;
}
