// A self-check travels with the result: it finds nothing where the new kernel is right, and each element where it is not.
// RUN: %hone opt %s --recipe 'block(x=96)' --self-check -o %t.cu
// RUN: sed '1i #define CHECKED' %t.cu > %t.checked.cu && %hone run %t.checked.cu | FileCheck --check-prefix=RIGHT %s
// RUN: sed '/^namespace shift_hone/,/^}  \/\/ namespace/s/+ 1/+ 2/' %t.checked.cu > %t.wrong.cu && %hone run %t.wrong.cu | FileCheck --check-prefix=WRONG %s
// RUN: %hone opt %s --kernel held --recipe 'block(x=96)' --self-check -o %t.held.cu 2>&1 | FileCheck --check-prefix=HELD %s
// RUN: %hone opt %s --kernel waits --recipe 'grid-sync' --self-check -o %t.waits.cu 2>&1 | FileCheck --check-prefix=WAITS %s
// RUN: %hone opt %s --kernel reads --recipe 'block(x=96)' --no-verify --self-check -o %t.reads.cu 2>&1 | FileCheck --check-prefix=READS %s
#include <hone.h>

#include <cstdio>

__global__ void shift(const int* a, int* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i] = a[i] + 1;
    c[i] += 0.5f;
  }
}

struct Pair {
  int* first;
  int n;
};
// HELD: left alone: a self-check needs every array as a parameter of its own, and one is held by a struct
__global__ void held(Pair p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.first[i] = 1;
}
// WAITS: left alone: a self-check of a kernel with a grid-wide barrier is not built
#pragma hone grid(2) block(32)
__global__ void waits(int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] += 1;
  hone_grid_sync();
  a[i] += a[i] & 1;
}
// READS: left alone: a self-check needs an array that the kernel writes
__global__ void reads(const int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] == 12345) printf("found\n");
}

int main() {
  const int n = 1000;
  int *a, *b;
  float* c;
  cudaMallocManaged(&a, n * sizeof(int));
  cudaMallocManaged(&b, n * sizeof(int));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i) a[i] = i, c[i] = i;
  shift<<<8, 128>>>(a, b, c, n);
  cudaDeviceSynchronize();
#ifdef CHECKED
  // RIGHT: 0 differ
  // WRONG: 1000 differ
  printf("%lld differ\n", shift_self_check(dim3(8), dim3(128), 0, 0, a, b, c, n, n, n));
#endif
  return 0;
}
