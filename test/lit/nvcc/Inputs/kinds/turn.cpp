// CUDA under a name that only -x cu makes CUDA.
#include "weights.h"

__global__ void turnImage(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[x * height + y] = in[y * width + x];
}

void turn(const float* in, float* out, int width, int height) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  turnImage<<<grid, block>>>(in, out, width, height);
}
