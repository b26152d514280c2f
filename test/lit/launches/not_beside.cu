// A launch before the kernel's definition, where the only declaration stands in a function: no launch function can be declared behind it.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %clang_cuda_ptx %t.cu
// REMARK: kernel `fill`: rewritten beside the original; 1 of 2 launches now calls fill_launch
struct Pair {
  int value;
};
void declares(int* x, int n, Pair p) {
  __global__ void fill(int* x, int n, Pair p);
  // REMARK: not_beside.cu:[[#@LINE+1]]: kernel `fill`: launch left as it is: the kernel's definition does not stand before it
  fill<<<4, 32>>>(x, n, p);
}
__global__ void fill(int* x, int n, Pair p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = p.value;
}
void late(int* x, int n, Pair p) { fill<<<4, 32>>>(x, n, p); }
