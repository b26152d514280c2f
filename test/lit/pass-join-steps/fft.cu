// Three steps of a Fourier transform over pairs become one over eight numbers: a thread does what 4 threads of each step did.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) join-steps' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps' --exact --set n=64 --set p=4 | FileCheck --check-prefix=FAST %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps' --exact --set n=120 --set p=5 | FileCheck --check-prefix=FAST %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps block(x=32) vectorize' --exact --set n=64 --set p=4 | FileCheck --check-prefix=FAST %s
// The sizes do not divide, nothing is to be divided by, the grid is too small, the arrays overlap.
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps' --exact --set n=64 --set p=16 | FileCheck --check-prefix=SLOW %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps' --exact --set n=68 --set p=1 | FileCheck --check-prefix=SLOW %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps' --exact --set n=512 --set p=1 | FileCheck --check-prefix=SLOW %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) join-steps' --exact --set n=64 --set p=1 --alias in=out+127 --length out=300 | FileCheck --check-prefix=SLOW %s
// The array that holds what two steps leave is an output: without the other one it cannot be left alone.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) join-steps(count=2)' -o - 2>&1 | FileCheck --check-prefix=TWO %s
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
// CHECK-NEXT: const float angle = -3.1415927f * low / p;
// CHECK-NEXT: const float c = cosf(angle);
// CHECK-NEXT: const float s = sinf(angle);
// CHECK-NEXT: const float re = in[2 * group];
// CHECK: const float out_1_0 = re + turnedRe;
// The second member has the same angle.
// CHECK: const int i = group + groups;
// CHECK-NEXT: const float re2 = in[2 * i];
// CHECK: const float out_1_15 =
// CHECK-NOT: in[
// CHECK-NOT: out[
// CHECK: // Step 2 of 3.
// CHECK: const float turnedRe5 = c2 * out_1_8 - s2 * out_1_9;
// CHECK: // Step 3 of 3.
// CHECK: const int j9 = 8 * group - 7 * low;
// CHECK-NEXT: out[2 * j9] = in_2_0 + turnedRe9;
// CHECK: const int j10 = 8 * group - 7 * low + p;
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
