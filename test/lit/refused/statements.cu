// Statements that have no place in the IR: each kernel is left alone, with the construct and its line.
// RUN: %hone explain %s 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `jumps`
// CHECK-NEXT: left alone: goto ({{.*}}:[[@LINE+2]])
__global__ void jumps(int* x) {
  goto end;
end:
  x[0] = 1;
}

// CHECK-LABEL: kernel `labels`
// CHECK-NEXT: left alone: label (goto target) ({{.*}}:[[@LINE+2]])
__global__ void labels(int* x) {
again:
  if (++x[0] < 3) goto again;
}

// CHECK-LABEL: kernel `assembly`
// CHECK-NEXT: left alone: inline assembly ({{.*}}:[[@LINE+3]])
__global__ void assembly(unsigned* x) {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  x[lane] = lane;
}

// CHECK-LABEL: kernel `ranges`
// CHECK-NEXT: left alone: range-based for ({{.*}}:[[@LINE+3]])
__global__ void ranges(int* x) {
  int parts[3] = {1, 2, 3};
  for (int p : parts) x[p] = p;
}

// CHECK-LABEL: kernel `jumpsIn`
// CHECK-NEXT: left alone: case label inside a nested statement ({{.*}}:[[@LINE+5]])
__global__ void jumpsIn(int* x, int n) {
  switch (n & 1) {
    case 0:
      do {
        case 1: x[n] = 1;
      } while (--n > 0);
  }
}

// CHECK-LABEL: kernel `caseRange`
// CHECK-NEXT: left alone: case range ({{.*}}:[[@LINE+3]])
__global__ void caseRange(int* x, int n) {
  switch (n) {
    case 0 ... 3: x[0] = n;
  }
}

// CHECK-LABEL: kernel `bareSwitch`
// CHECK-NEXT: left alone: switch without braces ({{.*}}:[[@LINE+2]])
__global__ void bareSwitch(int* x, int n) {
  switch (n)
    case 0: x[0] = 1;
}

// CHECK-LABEL: kernel `loopVariable`
// CHECK-NEXT: left alone: variable declared in a loop condition ({{.*}}:[[@LINE+2]])
__global__ void loopVariable(int* x) {
  for (int i = 0; int left = x[i]; ++i) x[i] = left - 1;
}

// CHECK-LABEL: kernel `busyStep`
// CHECK-NEXT: left alone: loop step with side effects in a loop that uses continue ({{.*}}:[[@LINE+2]])
__global__ void busyStep(int* x, int n) {
  for (int i = 0; i < n; i += x[i] > 0 && x[i]++ ? 2 : 1) {
    if (x[i] == 7) continue;
    x[i] = 0;
  }
}

// CHECK-LABEL: kernel `countsCalls`
// CHECK-NEXT: left alone: static variable 'calls' in device code ({{.*}}:[[@LINE+2]])
__global__ void countsCalls(int* x) {
  static int calls;
  x[0] = ++calls;
}

struct Pair {
  int a, b;
};

// CHECK-LABEL: kernel `bindings`
// CHECK-NEXT: left alone: structured binding ({{.*}}:[[@LINE+2]])
__global__ void bindings(Pair* pairs) {
  auto [a, b] = pairs[0];
  pairs[1].a = a + b;
}

struct Guard {
  int* at;
  __device__ ~Guard() { *at = 0; }
};

// CHECK-LABEL: kernel `scoped`
// CHECK-NEXT: left alone: object 'guard' with a destructor ({{.*}}:[[@LINE+2]])
__global__ void scoped(int* x) {
  Guard guard{x};
  x[1] = 2;
}

// CHECK-LABEL: kernel `localFunction`
// CHECK-NEXT: left alone: function declared inside a function ({{.*}}:[[@LINE+2]])
__global__ void localFunction(int* x) {
  __device__ int helper(int);
  x[0] = 1;
}

// CHECK-LABEL: kernel `early`
// CHECK-NEXT: left alone: statement before the first case ({{.*}}:[[@LINE+3]])
__global__ void early(int* x, int n) {
  switch (n) {
    int t;
    case 0: t = 1; x[0] = t;
  }
}

// CHECK-LABEL: kernel `importsNames`
// CHECK-NEXT: left alone: declaration of kind UsingEnum ({{.*}}:[[@LINE+3]])
__global__ void importsNames(int* x) {
  enum class Place { First, Second };
  using enum Place;
  x[int(Second)] = 1;
}

// CHECK-LABEL: kernel `outlined`
// CHECK-NEXT: left alone: statement of kind CapturedStmt has no place in the kernel IR ({{.*}}:[[@LINE+3]])
__global__ void outlined(int* x) {
#pragma clang __debug captured
  { x[0] = 1; }
}

// CHECK-LABEL: kernel `scopedArray`
// CHECK-NEXT: left alone: object 'guards' with a destructor ({{.*}}:[[@LINE+2]])
__global__ void scopedArray(int* x) {
  Guard guards[2] = {{x}, {x + 1}};
  x[2] = 2;
}
