// Statements and subscripts that fuse-launches cannot follow.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' --assume-noalias -o - 2>&1 >/dev/null | FileCheck %s
#include <hone.h>

#define ID int i = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+4]]: kernel `chosen`: left alone: memory is touched under a condition that does not tell threads apart by their number
__global__ void chosen(float* a, float* b, const int* c, int n) {
  ID;
  int v = c[i];
  if (i < n && v > 0) a[i] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: :[[#@LINE+3]]: kernel `lanes`: left alone: a step touches memory by other means than plain loads and stores of an array's elements
__global__ void lanes(float4* a, float* b, int n) {
  ID;
  if (i < n) a[i].x = 1;
  hone_grid_sync();
  if (i < n) b[i] = i;
}

// CHECK: :[[#@LINE+3]]: kernel `clamps`: left alone: a subscript of a is made of more than thread numbers and sizes
__global__ void clamps(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[min(i, 3)];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+3]]: kernel `inverts`: left alone: a subscript of a is not understood: it is no sum, product or quotient
__global__ void inverts(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[~i];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+10]]: kernel `races`: left alone: a thread loads an element of a that another of the same step writes
__global__ void races(float* a, float* b, int n) {
  ID;
  if (i < n / 2) {
    a[2 * i] = 1;
    a[2 * i + 1] = 2;
  }
  hone_grid_sync();
  if (i < n) {
    b[i] = a[i - i % 2 + 1];
    a[i] = b[i];
  }
}
