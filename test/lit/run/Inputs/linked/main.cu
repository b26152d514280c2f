#include <cstdio>
#include "shapes.h"
// The same name as in the other file, and another function.
static __device__ float helper(float x) { return x * 2; }

__global__ void total(const Shape* shapes, const float* weights, float* out, int n) {
  __shared__ float mine[4];
  const int i = threadIdx.x;
  if (i < 4) mine[i] = weights[i];
  __syncthreads();
  if (i >= n) return;
  Shape grown = shapes[i];
  grown.grow(2);
  // Weights in shared memory here and in global memory there.
  out[i] = helper(weighted(grown, mine, 4)) + weighted(shapes[i], weights, 2) + table[3];
}

int main() {
  const int n = 3;
  Shape host[n] = {{1, 2}, {3, 4}, {5, 6}};
  const float weights[4] = {1, 1, 1, 1};
  float result[n];
  Shape* shapes;
  float *w, *out;
  cudaMalloc(&shapes, sizeof host);
  cudaMalloc(&w, sizeof weights);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(shapes, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(w, weights, sizeof weights, cudaMemcpyHostToDevice);
  areas<<<1, 32>>>(shapes, out, n);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("areas %g %g %g\n", result[0], result[1], result[2]);
  float first;
  cudaMemcpyFromSymbol(&first, bias, sizeof first);
  const float later = 1.5f;
  cudaMemcpyToSymbol(bias, &later, sizeof later);
  total<<<1, 32>>>(shapes, w, out, n);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  int count;
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  printf("total %g %g %g; bias was %g; %d calls\n", result[0], result[1], result[2], first, count);
}
