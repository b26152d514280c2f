// Subscripts and sizes of steps that fuse-launches cannot follow from one launch to the next.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' --assume-noalias -o - 2>&1 >/dev/null | FileCheck %s
#include <hone.h>

#define ID int i = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+5]]: kernel `square`: left alone: a subscript of a is not understood: how large numbers get is not known
__global__ void square(float* a, float* b, int n) {
  ID;
  if (i < n) {
    int at = (long)i * i;
    a[at] = 1;
  }
  hone_grid_sync();
  if (i < n) {
    int at = (long)i * i;
    b[i] = a[at];
  }
}

// n may be 1.
// CHECK: :[[#@LINE+3]]: kernel `periodic`: left alone: a subscript of a is not understood: a divisor may be 0
__global__ void periodic(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i % (n - 1)];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+3]]: kernel `triangle`: left alone: a subscript of a is not understood: what is divided may be negative
__global__ void triangle(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i * (i - 1) / 2];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+3]]: kernel `shrinks`: left alone: a subscript of a is not understood: it is no integer
__global__ void shrinks(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[(int)(i * 0.5f)];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+3]]: kernel `powers`: left alone: a subscript of a is not understood: a shift is not understood
__global__ void powers(float* a, float* b, int n) {
  ID;
  if (i < n) a[1 << i] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[1 << i];
}

// CHECK: :[[#@LINE+3]]: kernel `halves`: left alone: a subscript of a is not understood: a shift is not understood
__global__ void halves(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[n >> i];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+3]]: kernel `masks`: left alone: a subscript of a is not understood: bits are not understood
__global__ void masks(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i & 6];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: :[[#@LINE+1]]: kernel `leftOver`: left alone: how many threads a step has is not understood: a division does not follow the digits
__global__ void leftOver(float* a, float* b, float* c, int n) {
  ID;
  if (i < n % 1024) b[i] = a[i];
  hone_grid_sync();
  if (i < n % 1024) c[i] = b[i];
}

// Threads 0 and n - 1, 1 and n - 2, and so on hand values to one thread.
// CHECK: :[[#@LINE+1]]: kernel `folds`: left alone: threads of a step do not fall into groups that are alike
__global__ void folds(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i];
  hone_grid_sync();
  if (i < n / 2) c[i] = b[i] + b[n - 1 - i];
}

// CHECK: :[[#@LINE+1]]: kernel `moves`: left alone: what is handed over as a is no array by its name
__global__ void moves(float* a, float* b, float* c, int n) {
  ID;
  a += i;
  if (i < n) *a = 1;
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// 64 threads, each of which hands on five values.
// CHECK: :[[#@LINE+1]]: kernel `wide`: left alone: a thread would keep 320 values
__global__ void wide(float* a, float* b, float* c, float* d, float* e, float* f, int n) {
  ID;
  if (i < n) {
    a[i] = i;
    b[i] = i + 1;
    c[i] = i + 2;
    d[i] = i + 3;
    e[i] = i + 4;
  }
  hone_grid_sync();
  if (i < n) f[i] = a[i] + b[i] + c[i] + d[i] + e[i] + a[i - i % 64];
}
