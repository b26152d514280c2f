#ifndef KERNELS_CUH
#define KERNELS_CUH
// A header with a guard and a kernel in it.
static __global__ void fill(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = value;
}
#endif  // KERNELS_CUH
