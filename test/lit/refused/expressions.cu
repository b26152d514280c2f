// Expressions that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `closure`
// CHECK-NEXT: left alone: lambda ({{.*}}:[[@LINE+2]])
__global__ void closure(int* x) {
  auto twice = [](int v) { return 2 * v; };
  x[0] = twice(x[1]);
}

// CHECK-LABEL: kernel `allocates`
// CHECK-NEXT: left alone: new in device code ({{.*}}:[[@LINE+2]])
__global__ void allocates(int** x) {
  x[0] = new int[4];
}

// CHECK-LABEL: kernel `releases`
// CHECK-NEXT: left alone: delete in device code ({{.*}}:[[@LINE+2]])
__global__ void releases(int** x) {
  delete[] x[0];
}

// CHECK-LABEL: kernel `elvis`
// CHECK-NEXT: left alone: ?: without a middle operand ({{.*}}:[[@LINE+2]])
__global__ void elvis(int* x) {
  x[0] = x[1] ?: 3;
}

// CHECK-LABEL: kernel `statementExpression`
// CHECK-NEXT: left alone: statement expression ({{.*}}:[[@LINE+2]])
__global__ void statementExpression(int* x) {
  x[0] = ({ int t = x[1]; t * t; });
}

// CHECK-LABEL: kernel `text`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+2]])
__global__ void text(char* x) {
  x[threadIdx.x] = "0123456789abcdef"[threadIdx.x % 16];
}

__device__ int twice(int v) { return 2 * v; }
__device__ int thrice(int v) { return 3 * v; }

// CHECK-LABEL: kernel `pointers`
// CHECK-NEXT: left alone: pointer to a function ({{.*}}:[[@LINE+2]])
__global__ void pointers(int* x) {
  int (*f)(int) = x[0] ? twice : thrice;
  x[1] = f(x[2]);
}

// CHECK-LABEL: kernel `choosesObject`
// CHECK-NEXT: left alone: side effect in an operand of ?: that names an object ({{.*}}:[[@LINE+2]])
__global__ void choosesObject(int* x, int* y, int i) {
  (x[0] ? x[i++] : y[i]) = 3;
}

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// CHECK-LABEL: kernel `recurses`
// CHECK-NEXT: left alone: recursion in device function 'factorial' ({{.*}}:[[@LINE-3]])
__global__ void recurses(int* x) { x[0] = factorial(x[1]); }

__device__ int elsewhere(int);

// CHECK-LABEL: kernel `callsAway`
// CHECK-NEXT: left alone: function 'elsewhere' has no body in this file ({{.*}}:[[@LINE+1]])
__global__ void callsAway(int* x) { x[0] = elsewhere(1); }

__device__ int viaAssembly(int v) {
  asm("" : "+r"(v));
  return v;
}

// CHECK-LABEL: kernel `callsAssembly`
// CHECK-NEXT: left alone: inline assembly, in 'viaAssembly' ({{.*}}:[[@LINE-5]])
__global__ void callsAssembly(int* x) { x[0] = viaAssembly(1); }

// CHECK-LABEL: kernel `launches`
// CHECK-NEXT: left alone: kernel launch from device code ({{.*}}:[[@LINE+1]])
__global__ void launches(int* x) { callsAssembly<<<1, 1>>>(x); }

// CHECK-LABEL: kernel `formats`
// CHECK-NEXT: left alone: printf whose format is no string literal ({{.*}}:[[@LINE+1]])
__global__ void formats(const char* how, int v) { printf(how, v); }

// CHECK-LABEL: kernel `stars`
// CHECK-NEXT: left alone: printf format '%*d' ({{.*}}:[[@LINE+1]])
__global__ void stars(int v) { printf("%*d", 3, v); }
