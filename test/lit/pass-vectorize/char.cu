// Elements of type char in one access: CUDA's char4 holds signed chars, and what is loaded is a char again.
// RUN: %hone opt %s --recipe vectorize --offer --no-verify -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --kernel quads --recipe vectorize | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel sums --recipe 'unroll(by=4) vectorize' --set n=64 | FileCheck %s --check-prefix=EQUAL
// SAID-NOT: internal
// SAID: kernel `quads`: 4 elements of
// EQUAL: equal
// CHECK: char4
// CHECK: make_char4
__global__ void quads(const char* __restrict__ a, char* __restrict__ b) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  char first = a[i];
  b[i] = first;
  b[i + 1] = a[i + 1] + 1;
  b[i + 2] = a[i + 2] >> 1;
  b[i + 3] = a[i + 3] > 0 ? a[i] : -a[i + 3];
}

__global__ void sums(const char* __restrict__ a, int* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k];
  out[i] = sum;
}
