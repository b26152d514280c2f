// Reasons for which coalesce-stores leaves stores where they are.
// RUN: %hone opt %s --recipe 'coalesce-stores' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'coalesce-stores(wide=3)' --kernel single -o - 2>&1 >/dev/null | FileCheck --check-prefix=WIDTH %s
// RUN: %hone opt %s --recipe 'coalesce-stores(wide=4)' --kernel six -o - 2>&1 >/dev/null | FileCheck --check-prefix=WIDE %s
// RUN: %hone opt %s --recipe 'block(x=1024) coalesce-stores' --kernel large -o - 2>&1 >/dev/null | FileCheck --check-prefix=LARGE %s
// RUN: %hone opt %s --recipe 'coalesce-stores(in)' --kernel six -o - 2>&1 >/dev/null | FileCheck --check-prefix=NONE %s
// RUN: %hone opt %s --recipe 'block(x=8, y=8) coalesce-stores' --kernel six -o - 2>&1 >/dev/null | FileCheck --check-prefix=FLAT %s
// WIDTH: kernel `single`: left alone: wide is 1, 2 or 4
// WIDE: kernel `six`: left alone: the 6 elements that a thread writes to out are no multiple of 4
// LARGE: kernel `large`: left alone: 69632 bytes of shared memory for a block; declared arrays may have {{[0-9]+}} on {{.*}}: block(x=...) makes it smaller
// NONE: kernel `six`: left alone: nothing is written to global memory
// FLAT: kernel `six`: left alone: threads of a block lie along more than x
#include <cuda_runtime.h>

#define ID int i = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: kernel `single`: left alone: no thread writes several neighbouring elements of out
__global__ void single(const float* __restrict__ in, float* __restrict__ out, int n) {
  ID;
  if (i < n) out[i] = in[i];
}

// CHECK: kernel `pair`: left alone: what a thread writes to out is one wide access: vectorize
__global__ void pair(const float* __restrict__ in, float* __restrict__ out, int n) {
  ID;
  if (i < n) out[2 * i] = in[i], out[2 * i + 1] = 0;
}

// CHECK: kernel `longest`: left alone: a thread writes more than 256 elements of out
__global__ void longest(float* out, int n) {
  ID;
  if (i >= n) return;
  for (int k = 0; k < 300; ++k) out[300 * i + k] = k;
}

// CHECK: kernel `holes`: left alone: threads leave out elements of out between those that they write
__global__ void holes(float* out, int n) {
  ID;
  if (i < n) out[3 * i] = 0, out[3 * i + 1] = 1;
}

// CHECK: kernel `twice`: left alone: a thread writes some elements of out more than once
__global__ void twice(float* out, int n) {
  ID;
  if (i >= n) return;
  for (int k = 0; k < 3; ++k) out[3 * i + k] = 0;
  out[3 * i] = 1;
}

// CHECK: kernel `adds`: left alone: out is not only assigned to
__global__ void adds(float* out, int n) {
  ID;
  if (i < n) out[3 * i] += 1, out[3 * i + 1] += 2, out[3 * i + 2] += 3;
}

// CHECK: kernel `gathers`: left alone: where out is written is not known: {{.*}}
__global__ void gathers(const int* __restrict__ where, float* __restrict__ out, int n) {
  ID;
  if (i < n) out[3 * where[i]] = 1, out[3 * where[i] + 1] = 2;
}

// CHECK: kernel `apart`: left alone: neighbouring threads do not write neighbouring runs of out
__global__ void apart(float* out, int n) {
  ID;
  if (i < n) out[n * i] = 1, out[n * i + 1] = 2;
}

// CHECK: kernel `uneven`: left alone: stores to out differ in size or distance
__global__ void uneven(float* out, int n) {
  ID;
  if (i < n) out[3 * i] = 1, out[4 * i + 1] = 2, out[3 * i + 2] = 2;
}

// CHECK: kernel `some`: left alone: out is written under different conditions
__global__ void some(float* out, int n) {
  ID;
  if (i < n) out[3 * i] = 1, out[3 * i + 1] = 2;
  if (i + 1 < n) out[3 * i + 2] = 2;
}

// CHECK: kernel `iterations`: left alone: out is written in a loop whose iterations are no known number
__global__ void iterations(float* out, int n, int m) {
  ID;
  if (i >= n) return;
  for (int k = 0; k < m; ++k) out[3 * i + k] = 0;
}

// CHECK: kernel `again`: left alone: out is read after it is written
__global__ void again(float* out, float* sum, int n) {
  ID;
  if (i >= n) return;
  out[3 * i] = 1, out[3 * i + 1] = 2, out[3 * i + 2] = 2;
  sum[i] = out[i];
}

// CHECK: kernel `waits`: left alone: other blocks may wait for what it writes
__global__ void waits(float* out, int* flag, int n) {
  ID;
  if (i >= n) return;
  out[3 * i] = 1, out[3 * i + 1] = 2, out[3 * i + 2] = 2;
  __threadfence();
  atomicAdd(flag, 1);
}

// CHECK: kernel `counts`: left alone: other blocks may wait for what it writes
__global__ void counts(float* out, int* flag, int n) {
  ID;
  if (i >= n) return;
  out[3 * i] = 1, out[3 * i + 1] = 2, out[3 * i + 2] = 2;
  atomicAdd(flag, 1);
}

// CHECK: kernel `moves`: left alone: it changes its parameter out
__global__ void moves(float* out, int n) {
  ID;
  if (i >= n) return;
  out += 3 * i;
  out[0] = 1, out[1] = 2, out[2] = 2;
}

// CHECK: kernel `leaves`: left alone: it returns early where no if can stand for that
__global__ void leaves(const float* __restrict__ in, float* __restrict__ out, int n) {
  ID;
  for (int k = 0; k < n; ++k)
    if (in[k] < 0) return;
  out[3 * i] = 1, out[3 * i + 1] = 2, out[3 * i + 2] = 2;
}

// CHECK: kernel `follows`: left alone: memory that is not known is accessed: {{.*}}
__global__ void follows(float* const* lists, float* out, int n) {
  ID;
  if (i >= n) return;
  out[3 * i] = 1, out[3 * i + 1] = 2, out[3 * i + 2] = 2;
  lists[i][0] = 1;
}

// CHECK: kernel `watched`: left alone: out is volatile
__global__ void watched(volatile float* out, int n) {
  ID;
  if (i < n) out[3 * i] = 1, out[3 * i + 1] = 2, out[3 * i + 2] = 2;
}

// CHECK: kernel `ofProgram`: left alone: table is no plain pointer among the parameters
__device__ float table[3000];
__global__ void ofProgram(int n) {
  ID;
  if (i < n) table[3 * i] = 1, table[3 * i + 1] = 2, table[3 * i + 2] = 2;
}

// CHECK: kernel `limited`: left alone: where out is written, or under which conditions, cannot be written again
__constant__ int limits[2];
__global__ void limited(float* out, int n) {
  ID;
  if (i < n && i < limits[0]) out[3 * i] = 0, out[3 * i + 1] = 1, out[3 * i + 2] = 2;
}

// CHECK: kernel `behindVolatile`: left alone: out is volatile
__global__ void behindVolatile(float* out, int n) {
  ID;
  volatile float* v = out;
  if (i < n) v[3 * i] = 0, v[3 * i + 1] = 1, v[3 * i + 2] = 2;
}

// Kernels for other recipes.
__global__ void six(const float* __restrict__ in, float* __restrict__ out, int n) {
  ID;
  if (i >= n) return;
  for (int k = 0; k < 6; ++k) out[6 * i + k] = in[i];
}
__global__ void large(const float* __restrict__ in, float* __restrict__ out, int n) {
  ID;
  if (i >= n) return;
  for (int k = 0; k < 16; ++k) out[16 * i + k] = in[i];
}

// A call in the step of a loop with continue stays a call.
// CHECK: kernel `stepping`: left alone: the call of own cannot be inlined
__device__ int own() { return threadIdx.x + 1; }
__global__ void stepping(float* a, int n) {
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 0) continue;
    a[threadIdx.x] += i;
  }
}

// Twelve of sixteen bytes, which do not begin at a multiple of four.
// CHECK: kernel `packed`: left alone: threads leave out elements of a between those that they write
struct __attribute__((packed)) Packed {
  short before;
  float v[3];
  short behind;
};
__global__ void packed(Packed* a) {
  ID;
  a[i].v[0] = 1;
  a[i].v[1] = 2;
  a[i].v[2] = 3;
}
