// Arguments that may leave the function, or the loop, around a launch are evaluated where they are written: not in a closure.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %hone run %t.cu | FileCheck %s
#include <cstdio>

static int asked = 0;
static int blocks_for(int n) {
  ++asked;
  return (n + 31) / 32;
}
static int found(int a) {
  ++asked;
  return a;
}

// REMARK: kernel `add`: rewritten beside the original; 1 of 6 launches now calls add_launch
__global__ void add(int* p, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += by;
}

#define TRY(x, otherwise) ({ int r = (x); if (r < 0) { puts("given up"); otherwise; } r; })

static void steps(int* p, int n, int a) {
  // REMARK: leaving.cu:[[#@LINE+1]]: kernel `add`: launch left as it is: its arguments, which must be evaluated last, may leave the statement
  add<<<blocks_for(n), 32>>>(p, n, TRY(found(a), return));
  puts("launched");
}

static int loops(int* p, int n) {
  int turns = 0;
  for (int i = 1; i > -5; --i, ++turns)
    // REMARK: leaving.cu:[[#@LINE+1]]: kernel `add`: launch left as it is: its arguments, which must be evaluated last, may leave the statement
    add<<<blocks_for(n), 32>>>(p, n, TRY(found(i), break));
  // REMARK: leaving.cu:[[#@LINE+1]]: kernel `add`: launch left as it is: its arguments, which must be evaluated last, may leave the statement
  add<<<blocks_for(n), 32>>>(p, n, TRY(found(-turns), goto end));
  puts("not here");
end:
  return turns;
}

static void counts(int* p, int n) {
  union {
    int whole;
    float number;
  };
  whole = 5;
  // REMARK: leaving.cu:[[#@LINE+1]]: kernel `add`: launch left as it is: its arguments, which must be evaluated last, name a member of a union without a name
  add<<<blocks_for(n), 32>>>(p, n, found(1) + whole);
  // What a closure among them returns from is itself.
  add<<<blocks_for(n), 32>>>(p, n, [&] { return found(n) ? 2 : 1; }());
}

// REMARK: leaving.cu:[[#@LINE+1]]: kernel `add`: launch left as it is: it stands in a default argument, and the order of its parts matters
static int once(int* p, int n, int by = (add<<<blocks_for(100), 32>>>(nullptr, 0, found(1)), 4)) { return n + by; }

int main() {
  int n = 100, *p, first;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemset(p, 0, n * sizeof(int));
  steps(p, n, 3);
  // CHECK: launched
  steps(p, n, -3);
  // CHECK-NEXT: given up
  printf("%d turns\n", loops(p, n));
  // CHECK-NEXT: given up
  // CHECK-NEXT: given up
  // CHECK-NEXT: 2 turns
  counts(p, n);
  printf("%d\n", once(p, n));
  // CHECK-NEXT: 104
  cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
  printf("%d, %d asked\n", first, asked);
  // CHECK-NEXT: 12, 18 asked
  cudaFree(p);
}
