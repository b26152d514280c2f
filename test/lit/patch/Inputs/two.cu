#include "kernels.cuh"
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
void two(float* x) { fill<<<4, 64>>>(x, 2.0f, 256); twice<<<1, 64>>>(x); }
