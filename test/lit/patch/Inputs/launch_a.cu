#include "launch_b.h"
__global__ void grow(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }
__global__ void shrink(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] -= 1; }
typedef void (*Worker)(float*, int);
Worker chosen(bool up) { return up ? grow : shrink; }
