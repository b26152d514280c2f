// Subscripts and ids that several files share, and a kernel template that lives in a header.
#pragma once

#define GLOBAL_X (blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y (blockIdx.y * blockDim.y + threadIdx.y)
#define IMAGE(y, x) image[(y) * width + (x)]
#define RESULT(y, x) result[(y) * width + (x)]

namespace grid {

struct Box {
  int left, top, right, bottom;

  __host__ __device__ bool contains(int x, int y) const {
    return x >= left && x < right && y >= top && y < bottom;
  }
};

__device__ inline int clampTo(int value, int low, int high) {
  return value < low ? low : (value > high ? high : value);
}

// Mean of STEP neighbours on each side along a row, edges repeated.
template <typename T, int STEP>
__global__ void smoothRows(const T* image, T* result, int width, int height) {
  int x = GLOBAL_X;
  int y = GLOBAL_Y;
  if (x >= width || y >= height) return;
  T sum = 0;
#pragma unroll
  for (int d = -STEP; d <= STEP; ++d) sum += IMAGE(y, clampTo(x + d, 0, width - 1));
  RESULT(y, x) = sum / (T)(2 * STEP + 1);
}

}  // namespace grid
