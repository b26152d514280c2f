// Functions and functors as template arguments. What is declared behind the template has new text behind it.
// RUN: cp %s %t.cu && %hone opt %t.cu --in-place --recipe 'block(x=64)' > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=NEW < %t.cu
// RUN: %hone run %s > %t.a 2>&1 && %hone run %t.cu > %t.b 2>&1 && cmp %t.a %t.b
// RUN: cp %t.cu %t.once.cu && %hone opt %t.cu --in-place --recipe 'block(x=64)' > %t.txt 2>&1
// RUN: cmp %t.cu %t.once.cu
// RUN: %hone revert %t.cu > %t.txt 2>&1 && cmp %t.cu %s
#include <cstdio>

__device__ int square(int x) { return x * x; }

// CHECK-DAG: kernel `apply<&square>`: rewritten
// CHECK-DAG: kernel `apply<&later>`: rewritten
// CHECK-DAG: kernel `change<Scale>`: rewritten
// CHECK-DAG: kernel `change<Pair<Scale>>`: rewritten
// NEW: hone: begin, beside apply
// NEW: hone: begin, beside apply<&square>
template <int (*F)(int)>
__global__ void apply(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += F(a[i]);
}

// NEW: __device__ int later(int x) { return 3 * x; }
// NEW: hone: begin, beside apply<&later>
// NEW: inline void apply_launch<&later>(
__device__ int later(int x) { return 3 * x; }

// NEW: hone: begin, beside change
template <class Op>
__global__ void change(const int* a, int* b, int n, Op op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += op(a[i]);
}

template <class Op>
struct Pair {
  Op first, second;
  __device__ int operator()(int x) const { return first(x) - second(x + 1); }
};

// NEW: struct Scale {
// NEW: };
// NEW: hone: begin, beside change<
// NEW: hone: begin, beside change<
struct Scale {
  int factor;
  __device__ int operator()(int x) const { return factor * x; }
};

int main() {
  const int n = 200;
  int *a, *b;
  cudaMallocManaged(&a, n * sizeof(int));
  cudaMallocManaged(&b, n * sizeof(int));
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 0;
  apply<square><<<(n + 31) / 32, 32>>>(a, b, n);
  apply<&later><<<(n + 31) / 32, 32>>>(a, b, n);
  change<<<(n + 31) / 32, 32>>>(a, b, n, Scale{5});
  change<<<(n + 31) / 32, 32>>>(a, b, n, Pair<Scale>{{5}, {2}});
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += (long long)i * b[i];
  printf("%lld\n", sum);
}
