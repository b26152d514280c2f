#pragma once
struct Shape {
  float width, height;
  __device__ float area() const;
  __device__ void grow(float factor);
};
__device__ float weighted(const Shape& shape, const float* weights, int n);
extern __device__ float bias;
extern __constant__ float table[];
extern __device__ int calls;
__global__ void areas(const Shape* shapes, float* out, int n);
