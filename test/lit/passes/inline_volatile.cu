// What is volatile by a parameter's type alone stays so where the function is inlined: lanes of a warp exchange values through it.
// RUN: %hone opt %s --recipe 'inline(all=1)' 2> /dev/null | sed -n '/^#ifndef HONE_OFF/,/^#else/p' > %t.new && FileCheck %s < %t.new
// RUN: %hone verify %s --recipe 'inline(all=1)' --exact | FileCheck --check-prefix=SAME %s
// SAME: kernel `sums`: equal
// CHECK: volatile int* s = cells;
// CHECK-NEXT: s[i] = s[i] + s[i ^ 1];
// CHECK-NEXT: s[i] = s[i] + s[i ^ 2];
// CHECK-NEXT: volatile int& one = flags[i];
// CHECK-NEXT: one = 1;
// A parameter that adds nothing is replaced as ever.
// CHECK-NEXT: own[i] = 2;
__device__ inline void step(volatile int* s, int i) {
  s[i] = s[i] + s[i ^ 1];
  s[i] = s[i] + s[i ^ 2];
}

__device__ inline void flag(volatile int& one) { one = 1; }

__device__ inline void mark(volatile int* s, int i) { s[i] = 2; }

__global__ void sums(int* out, int* flags) {
  __shared__ int cells[32];
  __shared__ volatile int own[32];
  int i = threadIdx.x;
  cells[i] = i;
  __syncwarp();
  step(cells, i);
  flag(flags[i]);
  mark(own, i);
  out[i] = cells[i] + own[i];
}

void launch(int* out, int* flags) { sums<<<1, 32>>>(out, flags); }
