// The conditions of a store are asked once more at the end, with parameters moved from side to side: in 64 bits where 32 may not do.
// RUN: %hone opt %s --recipe 'coalesce-stores' --no-verify --assume-noalias --block 64 -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --kernel unsignedBound --recipe coalesce-stores --block 64 --set n=200 --set m=4000000000 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --kernel wideBound --recipe coalesce-stores --assume-noalias --block 64 --set n=200 --set big=5000000000 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --kernel distance --recipe coalesce-stores --block 64 --set n=200 --set m=2147483600 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --kernel sum --recipe coalesce-stores --block 64 --set n=200 --set m=2147483600 --set k=200 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --kernel walks --recipe coalesce-stores --block 64 | FileCheck --check-prefix=SAME %s
// SAME: equal in {{[0-9]+}} runs

#define ID int i = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: if ((int)blockIdx.x * 64 + at / 3 < n && blockIdx.x * 64ll + at / 3 < m) {
__global__ void unsignedBound(float* out, const float* in, int n, unsigned m) {
  ID;
  if (i < n && m > i) out[3 * i] = in[i], out[3 * i + 1] = 1, out[3 * i + 2] = 2;
}

// CHECK: blockIdx.x * 6400000000ll + at / 3 * 100000000ll < big
__global__ void wideBound(float* out, const float* in, int n, long long big) {
  ID;
  if (i < n && (long long)i * 100000000 < big) out[3 * i] = in[i], out[3 * i + 1] = 1, out[3 * i + 2] = 2;
}

// CHECK: if ((int)blockIdx.x * 64 + at / 3 < n && (int)blockIdx.x * 64 + at / 3 - 99 <= m) {
__global__ void distance(float* out, const float* in, int n, int m) {
  ID;
  if (i < n && i - m < 100) out[3 * i] = in[i], out[3 * i + 1] = 1, out[3 * i + 2] = 2;
}

// CHECK: blockIdx.x * 64ll + at / 3 < (long long)m + k
__global__ void sum(float* out, const float* in, int n, int m, int k) {
  ID;
  if (i < n && i - m < k) out[3 * i] = in[i], out[3 * i + 1] = 1, out[3 * i + 2] = 2;
}

// Integers without a sign are written with one: they must be half as small.
// CHECK: base + (long long)grid.x * 192 <= 2147483648ll
__global__ void unsignedStart(char* out, unsigned n, unsigned base) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[base + 3 * i] = 0, out[base + 3 * i + 1] = 1, out[base + 3 * i + 2] = 2;
}

// A pointer that moves on reads nothing.
// CHECK: out_runs[threadIdx.x][2] = 2;
// CHECK-NOT: ++p
__global__ void walks(float* out, const float* in, int n) {
  ID;
  if (i >= n) return;
  float* p = out + 3 * i;
  *p++ = in[i];
  *p++ = 1;
  *p++ = 2;
}
