// #if among the initializers of a constructor is like #if in its body: what the device's pass chooses on every
// architecture is taken, what a macro chooses is asked for again.
// RUN: cp %s %t.cu && %hone opt %t.cu --in-place --recipe 'merge-threads(x=2)' > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=NEW < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone run %s > %t.a 2>&1 && %hone run %t.cu > %t.b 2>&1 && cmp %t.a %t.b
// RUN: %hone run %s -DNEGATIVE > %t.c 2>&1 && %hone run %t.cu -DNEGATIVE > %t.b 2>&1 && cmp %t.c %t.b
// RUN: %not cmp %t.a %t.c
#include <cstdio>

struct Coded {
  int x;
  Coded() = default;
  __host__ __device__ Coded(int v);
};

inline __host__ __device__ Coded::Coded(int v)
    :
#if defined(__CUDA_ARCH__)
#ifdef NEGATIVE
      x(-v)
#else
      x(v + 1)
#endif
#else
      x(v)
#endif
{
}

// CHECK: kernel `twice<Coded>`: rewritten
// NEW: // hone: begin, beside twice<Coded>
// NEW: #if !defined(NEGATIVE) && !defined(HONE_OFF)
// NEW: .x = {{.*}} + 1;
template <class T> __global__ void twice(const int* a, T* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = T(a[i] * 2);
}

int main() {
  const int n = 1000;
  int *a, host[1000];
  Coded *b, back[1000];
  for (int i = 0; i < n; ++i) host[i] = i * i % 77;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(Coded));
  cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice);
  twice<Coded><<<8, 128>>>(a, b, n);
  cudaMemcpy(back, b, n * sizeof(Coded), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 111) printf("%d ", back[i].x);
  printf("\n");
  return 0;
}
