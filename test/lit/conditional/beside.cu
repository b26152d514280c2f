// New kernels beside one with #if in its body, in a function it calls, in a struct and around one: built as it
// was read they are used, built otherwise the original is. Both print what the original prints.
// RUN: cp %s %t.cu && %hone opt %t.cu --in-place --recipe 'block(x=64)' > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=NEW < %t.cu
// RUN: %hone run %s > %t.a 2>&1 && %hone run %t.cu > %t.b 2>&1 && cmp %t.a %t.b
// RUN: %hone run %s -DNEGATIVE > %t.c 2>&1 && %hone run %t.cu -DNEGATIVE > %t.b 2>&1 && cmp %t.c %t.b
// RUN: %hone run %s -DSQUARED > %t.d 2>&1 && %hone run %t.cu -DSQUARED > %t.b 2>&1 && cmp %t.d %t.b
// RUN: %hone run %s -DPLANAR > %t.e 2>&1 && %hone run %t.cu -DPLANAR > %t.b 2>&1 && cmp %t.e %t.b
// RUN: %not cmp %t.a %t.c && %not cmp %t.a %t.d && %not cmp %t.a %t.e
// RUN: %hone revert %t.cu > %t.txt 2>&1 && cmp %t.cu %s
#include <cstdio>

#ifdef PLANAR
struct Point {
  int x;
};
#else
struct Point {
  int x;
#ifdef SQUARED
  int squared;
#endif
  int y;
};
#endif

__device__ int element(const int* p, int i) {
#ifdef SQUARED
  return p[i] * p[i];
#else
  return p[i];
#endif
}

// CHECK: kernel `scale`: rewritten
// NEW: // hone: begin, beside scale
// NEW: #if !defined(NEGATIVE) && !defined(SQUARED) && !defined(HONE_OFF)
// NEW: namespace scale_hone {
// NEW: static inline void scale_launch(
// NEW: {{^}}#if !defined(NEGATIVE) && !defined(SQUARED) && !defined(HONE_OFF)
// NEW-NEXT: using namespace scale_hone;
__global__ void scale(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef NEGATIVE
  if (i < n) b[i] = -3 * element(a, i);
#else
  if (i < n) b[i] = 2 * element(a, i);
#endif
}

// CHECK: kernel `points`: rewritten
// NEW: // hone: begin, beside points
// NEW: #if !defined(SQUARED) && !defined(PLANAR) && !defined(HONE_OFF)
__global__ void points(const Point* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i].x;
}

// CHECK: kernel `add<int>`: rewritten
// NEW: // hone: begin, beside add
// NEW: // hone: begin, beside add<int>
// NEW: #if !defined(NEGATIVE) && !defined(HONE_OFF)
template <class T>
__global__ void add(T* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
#ifdef NEGATIVE
    b[i] -= 7;
#else
    b[i] += 7;
#endif
}

int main() {
  const int n = 200;
  int *a, *b;
  Point* p;
  cudaMallocManaged(&a, n * sizeof(int));
  cudaMallocManaged(&b, n * sizeof(int));
  cudaMallocManaged(&p, n * sizeof(Point));
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    p[i].x = 10 * i;
  }
  scale<<<(n + 31) / 32, 32>>>(a, b, n);
  points<<<(n + 31) / 32, 32>>>(p, b, n);
  add<<<(n + 31) / 32, 32>>>(b, n);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += (long long)i * b[i];
  printf("%lld %d\n", sum, (int)sizeof(Point));
}
