// A launch evaluates its configuration before its arguments, whatever the host's compiler does with the arguments of a call.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %hone run %t.cu | FileCheck --check-prefix=RUNS %s
#include <cstdio>

static int turn = 0;
static int blocks_for(int n) {
  ++turn;
  printf("grid: turn %d\n", turn);
  return (n + 255) / 256;
}
static int value_now() {
  printf("value: turn %d\n", turn);
  return turn;
}
static int rounded_up(int n, int to) {
  int rest = n % to;
  if (rest != 0) n += to - rest;
  return n;
}
static int scaled(int n) { return n * turn; }
static dim3 counted(int& n) { return dim3(n++); }

// REMARK: kernel `fill`: rewritten beside the original; 11 of 12 launches now call fill_launch
__global__ void fill(int* x, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

struct Holder {
  int* held;
  ~Holder() { printf("gone\n"); }
};

int main() {
  int n = 1000;
  int* b;
  cudaMalloc(&b, n * sizeof(int));

  // CHECK: [&](dim3 grid) { fill_launch(grid, 256, 0, 0, b, n, value_now()); }(blocks_for(n));
  // RUNS: grid: turn 1
  // RUNS-NEXT: value: turn 1
  fill<<<blocks_for(n), 256>>>(b, n, value_now());

  // CHECK: [&](dim3 grid) { fill_launch(grid, 256, 0, 0, b, n, i); }(i = 4), printf("i = %d\n", i);
  // RUNS-NEXT: i = 4
  int i = 0;
  fill<<<i = 4, 256>>>(b, n, i), printf("i = %d\n", i);

  // Nothing that the one does can be seen by the other: variables of this function that nobody else knows, and functions that only compute.
  // CHECK: fill_launch(blocks_for(n), 256, 0, 0, b, n, 3);
  // RUNS-NEXT: grid: turn 2
  fill<<<blocks_for(n), 256>>>(b, n, 3);
  // CHECK: fill_launch(rounded_up(n, 256) / 256, 256, 0, 0, b, n, value_now());
  // RUNS-NEXT: value: turn 2
  fill<<<rounded_up(n, 256) / 256, 256>>>(b, n, value_now());
  // CHECK: fill_launch(scaled(2), 256, 0, 0, b, n, scaled(n));
  fill<<<scaled(2), 256>>>(b, n, scaled(n));

  // Of parts that change what the arguments read, only those go first; names of the closure step aside.
  // CHECK: int shared = 5, grid = 0;
  // CHECK-NEXT: [&](dim3 grid_2) { fill_launch(grid_2, 256, 0, 0, b, shared, grid); }(counted(grid));
  int shared = 5, grid = 0;
  fill<<<counted(grid), 256>>>(b, shared, grid);
  // CHECK: [&](dim3 grid, dim3 block) { fill_launch(grid, block, 0, 0, b, n, i++); }(i, i + 28);
  fill<<<i, i + 28>>>(b, n, i++);
  // CHECK: [&](dim3 grid) {
  // CHECK-NEXT:   fill_launch(grid, 256, 0, 0, b,
  // CHECK-NEXT:        n, value_now());
  // CHECK-NEXT: }(blocks_for(n));
  // RUNS-NEXT: grid: turn 3
  // RUNS-NEXT: value: turn 3
  fill<<<blocks_for(n), 256>>>(b,
       n, value_now());

  // A variable that others know of, read while a function runs.
  // CHECK: [&](dim3 grid) { fill_launch(grid, 32, 0, 0, b, n, value_now()); }(known);
  // RUNS-NEXT: value: turn 3
  int known = 3;
  int* pointer = &known;
  fill<<<known, 32>>>(b, *pointer ? n : 0, 0);
  fill<<<known, 32>>>(b, n, value_now());

  // A variable that goes by another name too.
  // CHECK: [&](dim3 grid) { fill_launch(grid, 32, 0, 0, b, n, alias); }(second++);
  int second = 2;
  const int& alias = second;
  fill<<<second++, 32>>>(b, n, alias);

  // What the arguments make lives until the end of the whole expression.
  // CHECK: fill<<<blocks_for(n), 256>>>(Holder{b}.held, n, 1), printf("launched\n");
  // RUNS-NEXT: grid: turn 4
  // RUNS-NEXT: launched
  // RUNS-NEXT: gone
  // REMARK: order.cu:[[#@LINE+1]]: kernel `fill`: launch left as it is: its arguments, which must be evaluated last, make objects that live on behind it
  fill<<<blocks_for(n), 256>>>(Holder{b}.held, n, 1), printf("launched\n");
}
