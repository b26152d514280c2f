// A whole number to which floats are added is cut off after each of them, so that their order matters. Found by random kernels: it counted as
// a sum of integers.
// RUN: %hone opt %s --recipe rotate-loop --reassociate 2>&1 >/dev/null | FileCheck %s
// RUN: %hone verify %s --kernel widened --recipe 'rotate-loop' --set n=37 --set w=70 --block 32

// CHECK: cut-off.cu:[[@LINE+3]]: kernel `cuts`: left alone: L1 carries sum from iteration to iteration
__global__ void cuts(const float* a, int* y, int n, int w) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i * w + blockIdx.x * blockDim.x + threadIdx.x];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK: cut-off.cu:[[@LINE+5]]: kernel `least_of_floats`: left alone: L1 carries least from iteration to iteration
__global__ void least_of_floats(const float* a, int* y, int n, int w) {
  int least = 1000;
  for (int i = 0; i < n; ++i) {
    float v = a[i * w + blockIdx.x * blockDim.x + threadIdx.x];
    if (v < least) least = v;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = least;
}

// Additions of 8 bits worked out in 32 and cut off are the same in any order.
// CHECK: kernel `widened`: rotated L1
__global__ void widened(const unsigned char* a, unsigned char* y, int n, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  unsigned char sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i * w + x];
  y[x] = sum;
}
