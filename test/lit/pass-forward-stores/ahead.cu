// What each iteration reads of elements that no earlier one stores is loaded before the first.
// RUN: %hone opt %s --recipe 'forward-stores' --no-verify -o %t.cu 2> %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck --check-prefix=CODE %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'forward-stores' | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'forward-stores' --kernel strided --set ld=0 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe 'forward-stores(loads=late)' --kernel in_place --no-verify | FileCheck --check-prefix=LATE %s
// EQUAL-NOT: NOT EQUAL
// EQUAL: equal in
// LATE-NOT: _ahead
// LATE: y_kept[iteration]

// The element that the iteration itself stores is what it was before all of them. As many iterations as a number says need no test.
// CHECK: kernel `in_place`: what L1 stores to y and reads back in later iterations is kept in registers; loaded before the first: y{{$}}
// CODE: constexpr int kIterations = 12;
// CODE: y_ahead[iteration] = y[i * 64 + j];
// CODE: int t = y_ahead[iteration];
#pragma hone grid(2) block(32)
__global__ void in_place(int* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 12; ++i) {
    int t = y[i * 64 + j];
    for (int k = 0; k < i; ++k) t += y[k * 64 + j] * (k + 1);
    y[i * 64 + j] = t;
  }
}

// Two arrays, one of them twice; the subscript has a name in the iterations.
// CHECK: kernel `two`: {{.*}}; loaded before the first: a and b{{$}}
// CODE: a_ahead[iteration] = a[i * 64 + j];
// CODE-NEXT: b_ahead[iteration] = b[i * 64 + j + 1];
// CODE: float t = a_ahead[iteration] * b_ahead[iteration] + a_ahead[iteration];
#pragma hone grid(2) block(32)
__global__ void two(const float* a, const float* b, float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 6; ++i) {
    int at = i * 64 + j;
    float t = a[at] * b[at + 1] + a[at];
    if (i > 0) t += y[at - 64];
    y[at] = t;
  }
}

// What may not be loaded before: what an iteration may have stored, what not every iteration loads, what is found by what iterations load, and what takes too
// many registers.
// CHECK: kernel `late`: what L1 stores
// CHECK: kernel `late`: note: y#1 is loaded in its iteration: an earlier one may store to y#3
// CHECK: kernel `late`: note: a#1 is loaded in its iteration: not every iteration loads it
// CHECK: kernel `late`: note: a#2 is loaded in its iteration: not every iteration loads it
// CHECK: kernel `late`: note: b#1 is loaded in its iteration: where it lies is worked out in the iterations
// CHECK: kernel `late`: note: b#2 is loaded in its iteration: it is no plain load
// CHECK: kernel `late`: note: b#3 is loaded in its iteration: it is no plain load
#pragma hone grid(2) block(32)
__global__ void late(const float* a, const float* b, const int* p, float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int at = j;
  for (int i = 0; i < 5; ++i) {
    float t = y[(7 - i) * 64 + j];
    if (j > 4) t += a[i * 64 + j];
    t += j > 9 ? a[i * 64 + j + 64] : 1;
    t += b[at];
    at += 64;
    t += b[i * 64 + (p[i * 64 + j] & 7)];
    t += __ldg(&b[i * 64 + j]);
    if (i > 0) t += y[(i - 1) * 64 + j];
    y[i * 64 + j] = t;
  }
}

// CHECK: kernel `many`: note: a#1 is loaded in its iteration: 128 more registers of 255 are too many
#pragma hone grid(2) block(32)
__global__ void many(const double* a, double* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 64; ++i) {
    double t = a[i * 64 + j];
    if (i > 0) t += y[(i - 1) * 64 + j];
    y[i * 64 + j] = t;
  }
}

// Where elements that iterations store may be one, the original runs.
// CHECK: kernel `strided`: note: where this does not hold for a launch, the original runs: {{.*}}1 <= ld
#pragma hone set(ld=64) grid(2) block(32)
__global__ void strided(const float* a, float* y, int ld) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    float t = a[i * 64 + j];
    for (int k = 0; k < i; ++k) t -= y[k * ld + j];
    y[i * ld + j] = t;
  }
}
