// Members of a step stand in unrolled loops, values that they hand on in arrays, wherever what tells them apart follows from their numbers.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact | FileCheck --check-prefix=EQUAL %s
// EQUAL-COUNT-5: block 32: equal{{$}}
#include <hone.h>

// Of what the first step writes the second one overwrites half: its members are not alike and are written out. Those of the second are a loop.
// CHECK-LABEL: namespace half_hone
// CHECK: float x_1[16];
// CHECK: x_1[1] = a[i2] * a[i2] + 1;
// CHECK-NEXT: x[i2] = x_1[1];
// CHECK: // Step 2 of 3.
// CHECK-NEXT: float z_2[8];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int t = 0; t < 8; ++t) {
// CHECK: const float u = x_1[2 * t];
// CHECK: z[{{i[0-9]*}}] = z_2[t];
// CHECK: // Step 3 of 3.
// CHECK-NEXT: w[group] = z_2[0] + z_2[1]
#pragma hone set(n=64) grid(2) block(32)
__global__ void half(const float* a, float* x, float* z, float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a[i] * a[i] + 1;
  hone_grid_sync();
  if (i < n / 2) {
    float u = x[2 * i], v = x[2 * i + 1];
    x[2 * i] = u + v;
    z[i] = u - v;
  }
  hone_grid_sync();
  if (i < n / 16)
    w[i] = z[8 * i] + z[8 * i + 1] * z[8 * i + 2] - z[8 * i + 3] * z[8 * i + 4] + z[8 * i + 5] * z[8 * i + 6] -
           z[8 * i + 7];
}

// Sines that depend on one digit of a member's number alone, cosines on the other alone: loops would compute one of them too often.
// CHECK-LABEL: namespace both_hone
// CHECK-NOT: for (
// CHECK: const float y_1_7 =
// CHECK-LABEL: namespace spread_hone
#pragma hone set(n=64, p=2) grid(2) block(32) temporary(x)
__global__ void both(float* x, float* y, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int j = 2 * i - i % p;
    float u = x[i], v = x[i + n / 2];
    y[j] = u + v;
    y[j + p] = u - v;
  }
  hone_grid_sync();
  if (i < n / 2) {
    int k = i % (2 * p), h = i / (2 * p), j = 2 * i - k;
    float s = sinf(k), c = cosf(h), u = y[i] * s, v = y[i + n / 2] * c;
    x[j] = u + v;
    x[j + 2 * p] = u - v;
  }
  hone_grid_sync();
  if (i < n / 2) {
    int j = 2 * i - i % (4 * p);
    float u = x[i], v = x[i + n / 2];
    y[j] = u + v;
    y[j + 4 * p] = u - v;
  }
}

// What all members load is loaded before the loop, and so is what is computed of it.
// CHECK: const float s = sinf(u);
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int t = 0; t < 8; ++t) {
// CHECK-NEXT: const int i = 8 * group + t;
// CHECK-NEXT: const float v = x_1[t];
#pragma hone set(n=64) grid(2) block(32) temporary(x, m)
__global__ void spread(const float* a, float* x, float* m, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 8) {
    float u = a[i];
    m[i] = u;
    x[8 * i] = u;
    x[8 * i + 1] = u + 1;
    x[8 * i + 2] = u * 2;
    x[8 * i + 3] = u * 3;
    x[8 * i + 4] = u * 4;
    x[8 * i + 5] = u * 5;
    x[8 * i + 6] = u * 6;
    x[8 * i + 7] = u * 7;
  }
  hone_grid_sync();
  if (i < n) {
    float s = sinf(m[i / 8]), v = x[i];
    float w = v * s + v, z = w * w + 1, q = z / w;
    y[i] = q > 0 ? q : -q;
  }
}

// Numbers that nobody asks for do not stand in the way: one loop for all members of the second step.
// CHECK-LABEL: namespace twelfths_hone
// CHECK: for (int t = 0; t < 6; ++t) {
// CHECK: // Step 2 of 3.
// CHECK-NEXT: float a_2[12];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int t = 0; t < 4; ++t) {
// CHECK-NEXT: const float u = b_1[t];
// CHECK-NEXT: const float v = b_1[t + 4];
// CHECK: a_2[3 * t + 2] = u - w;
#pragma hone set(n=72) grid(2) block(32) temporary(a)
__global__ void twelfths(float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float u = a[i], v = a[i + n / 2];
    b[2 * i] = u + v;
    b[2 * i + 1] = u * v - 1;
  }
  hone_grid_sync();
  if (i < n / 3) {
    float u = b[i], v = b[i + n / 3], w = b[i + n / 3 * 2];
    a[3 * i] = u + v + w;
    a[3 * i + 1] = u - v;
    a[3 * i + 2] = u - w;
  }
  hone_grid_sync();
  if (i < n / 2) {
    float u = a[i], v = a[i + n / 2];
    b[2 * i] = u + v;
    b[2 * i + 1] = u * v - 1;
  }
}

// Loops and variables of a thread's own stay in its loop; t is taken.
// CHECK-LABEL: namespace inner_hone
// CHECK: for (int t2 = 0; t2 < 8; ++t2) {
// CHECK: float t = 1;
// CHECK: b_1[t2 + 8] = t + 1;
#pragma hone set(n=128) grid(4) block(32) temporary(b)
__global__ void inner(const float* a, float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float u = a[i], t = 1;
    for (int r = 0; r < 3; ++r) t *= u;
    if (t > 2) t = 2;
    b[i] = t;
    b[i + n / 2] = t + 1;
  }
  hone_grid_sync();
  if (i < n / 8) {
    float t = b[8 * i] + b[8 * i + 1] + b[8 * i + 2] + b[8 * i + 3];
    while (t > 5) t *= 0.5f;
    c[i] = t - b[8 * i + 4] + b[8 * i + 5] * b[8 * i + 6] - b[8 * i + 7];
  }
}
