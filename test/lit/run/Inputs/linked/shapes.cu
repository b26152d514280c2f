#include "shapes.h"
static __device__ float helper(float x) { return x + bias; }
__device__ float bias = 0.5f;
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int calls;
__device__ float Shape::area() const { return width * height; }
__device__ void Shape::grow(float factor) {
  width *= factor;
  height *= factor;
}
__device__ float weighted(const Shape& shape, const float* weights, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += weights[i] * table[i];
  atomicAdd(&calls, 1);
  return helper(shape.area() * sum);
}
__global__ void areas(const Shape* shapes, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = helper(shapes[i].area());
}
