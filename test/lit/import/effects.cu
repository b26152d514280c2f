// Side effects inside expressions become statements of their own, in C's order.
// RUN: %hone explain --dump-ir %s | FileCheck %s

// CHECK-LABEL: kernel copies
// CHECK: dst[0][*] = src[0][*]
// CHECK-NEXT: src = &src[1]
// CHECK-NEXT: dst = &dst[1]
__global__ void copies(float* dst, const float* src) { *dst++ = *src++; }

// The variable is named twice, so its old value is kept.
// CHECK-LABEL: kernel sequenced
// CHECK: decl i_before: const i32 = i
// CHECK-NEXT: i += 1
// CHECK-NEXT: x[i] = y[i_before]
__global__ void sequenced(int* x, const int* y, int i) { x[i] = y[i++]; }

// CHECK-LABEL: kernel chained
// CHECK: b = 3
// CHECK-NEXT: a = b
// CHECK-NEXT: x[0] = (a + b)
__global__ void chained(int* x) {
  int a, b;
  a = b = 3;
  x[0] = a + b;
}

// A short circuit keeps its effect from happening.
// CHECK-LABEL: kernel shortCircuit
// CHECK: decl both: bool = (x[0] > 0)
// CHECK-NEXT: if both
// CHECK-NEXT: decl old: const i32 = @atomic_add(&x[1], 1)
// CHECK-NEXT: both = (old < 5)
// CHECK: if both
__global__ void shortCircuit(int* x) {
  if (x[0] > 0 && atomicAdd(&x[1], 1) < 5) x[2] = 1;
}

// CHECK-LABEL: kernel chosen
// CHECK: decl chosen: i32
// CHECK-NEXT: if (i > 0)
// CHECK: @atomic_add(x, 1)
// CHECK: else
// CHECK-NEXT: chosen = 7
__global__ void chosen(int* x, int i) { x[i] = i > 0 ? atomicAdd(x, 1) : 7; }

// CHECK-LABEL: kernel waits
// CHECK: while true
// CHECK-NEXT: decl old: const i32 = @atomic_cmpxchg(lock, 0, 1)
// CHECK-NEXT: if (old == 0)
// CHECK-NEXT: break
__global__ void waits(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}

// A continue must still reach the condition.
// CHECK-LABEL: kernel doContinue
// CHECK: decl first: bool = true
// CHECK-NEXT: while true
// CHECK-NEXT: if !first
// CHECK: n -= 1
// CHECK-NEXT: if (n_before <= 0)
// CHECK-NEXT: break
// CHECK: first = false
__global__ void doContinue(int* x, int n) {
  do {
    if (x[n] == 0) continue;
    x[n] = 0;
  } while (n-- > 0);
}

// CHECK-LABEL: kernel listed
// CHECK: decl part: const i32 = x[i]
// CHECK: i += 1
// CHECK: {part, x[i]}
__global__ void listed(int* x, int i) {
  int both[2] = {x[i], x[++i]};
  x[0] = both[0] - both[1];
}

// std::min compares and is no fminf: it keeps its first operand when the second is NaN.
// CHECK-LABEL: kernel smallest
// CHECK: decl b: const f32 = x[0]
// CHECK-NEXT: d = ((b < d) ? b : d)
// CHECK-NEXT: n = @min(n, 3)
#include <algorithm>
__global__ void smallest(float* x) {
  float d = 1;
  int n = 5;
  d = std::min(d, x[0]);
  n = std::min(n, 3);
  x[n] = d;
}
