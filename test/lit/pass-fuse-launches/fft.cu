// Three steps of a Fourier transform over pairs become one over eight numbers: a thread does what 4 threads of each step did.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --set n=64 --set p=4 | FileCheck --check-prefix=FAST %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --set n=120 --set p=5 | FileCheck --check-prefix=FAST %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches block(x=32) vectorize' --exact --set n=64 --set p=4 | FileCheck --check-prefix=FAST %s
// The sizes do not divide, nothing is to be divided by, the grid is too small, the arrays overlap.
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --set n=64 --set p=16 | FileCheck --check-prefix=SLOW %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --set n=68 --set p=1 | FileCheck --check-prefix=SLOW %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --set n=512 --set p=1 | FileCheck --check-prefix=SLOW %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --set n=64 --set p=1 --alias in=out+127 --length out=300 | FileCheck --check-prefix=SLOW %s
// The array that holds what two steps leave is an output: without the other one it cannot be left alone.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches(count=2)' -o - 2>&1 | FileCheck --check-prefix=TWO %s
#include <hone.h>

// SAID: kernel `fft`: 3 launches in one: a thread does the work of 4 threads of a launch and keeps in registers what the launches handed on
// SAID: where this does not hold for a launch, the original runs: n % (p > 0 ? p * 8 : 1) == 0 && p > 0 && n > 0 && n / 2 <= grid.x * block.x && (&in[n * 2] <= out || &out[n * 2] <= in)
// FAST: block 32: equal{{$}}
// SLOW: equal (conditions of the fast version do not hold here: the original ran)
// TWO: left alone: in is loaded by some groups and stored by others, which run at the same time

// CHECK: // Each thread does 3 steps at once, the work of 4, 4 and 4 threads of them; what they hand on stays in
// CHECK: __global__ void kernel(float* in, float* out, int n, int p, int groups) {
// CHECK: if (group < groups) {
// CHECK-NEXT: const int low = group % p;
// CHECK-NEXT: // Step 1 of 3.
// CHECK-NEXT: float out_1[16];
// All members of the first step have the same angle.
// CHECK-NEXT: const float angle = -3.1415927f * low / p;
// CHECK-NEXT: const float c = cosf(angle);
// CHECK-NEXT: const float s = sinf(angle);
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int t = 0; t < 4; ++t) {
// CHECK-NEXT: const int i = group + t * groups;
// CHECK-NEXT: const float re = in[2 * i];
// CHECK: out_1[4 * t + 3] = im - turnedIm;
// CHECK-NOT: in[
// CHECK-NOT: out[
// Two angles for the four of the second.
// CHECK: // Step 2 of 3.
// CHECK-NEXT: float in_2[16];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int r = 0; r < 2; ++r) {
// CHECK-NEXT: const int k = low + r * p;
// CHECK-NEXT: const float angle2 = -3.1415927f * k / (2 * p);
// CHECK-NEXT: const float c2 = cosf(angle2);
// CHECK-NEXT: const float s2 = sinf(angle2);
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int t = 0; t < 2; ++t) {
// CHECK-NEXT: const float re = out_1[2 * r + 4 * t];
// CHECK: in_2[2 * r + 8 * t + 5] = im - turnedIm;
// CHECK: // Step 3 of 3.
// CHECK: for (int t = 0; t < 4; ++t) {
// CHECK: const int j = 8 * group - 7 * low + t * p;
// CHECK-NEXT: out[2 * j] = re + turnedRe;
// CHECK: const dim3 blocks((n / 8 + block.x - 1) / block.x, grid.y, grid.z);
#define STEP(from, to, q)                                                                          \
  if (i < n / 2) {                                                                                 \
    int k = i % (q);                                                                               \
    float angle = -3.1415927f * k / (q);                                                          \
    float c = cosf(angle), s = sinf(angle);                                                        \
    float re = from[2 * i], im = from[2 * i + 1];                                                  \
    float otherRe = from[2 * (i + n / 2)], otherIm = from[2 * (i + n / 2) + 1];                    \
    float turnedRe = c * otherRe - s * otherIm, turnedIm = c * otherIm + s * otherRe;              \
    int j = 2 * i - k;                                                                             \
    to[2 * j] = re + turnedRe;                                                                     \
    to[2 * j + 1] = im + turnedIm;                                                                 \
    to[2 * (j + (q))] = re - turnedRe;                                                             \
    to[2 * (j + (q)) + 1] = im - turnedIm;                                                         \
  }
#pragma hone set(n=64, p=1) grid(4) block(32) temporary(in)
__global__ void fft(float* in, float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  STEP(in, out, p)
  hone_grid_sync();
  STEP(out, in, 2 * p)
  hone_grid_sync();
  STEP(in, out, 4 * p)
}
