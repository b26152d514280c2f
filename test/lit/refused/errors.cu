// Kernels that Clang does not understand, beside one that it does.
// RUN: not %hone explain %s 2>/dev/null | FileCheck %s

// CHECK-LABEL: kernel `undeclared`
// CHECK-NEXT: left alone: Clang: use of undeclared identifier 'nothing' ({{.*}}:[[@LINE+1]])
__global__ void undeclared(int* x) { x[0] = nothing; }

__device__ int broken() { return nothing; }

// CHECK-LABEL: kernel `callsBroken`
// CHECK-NEXT: left alone: Clang: use of undeclared identifier 'nothing', in 'broken' ({{.*}}:[[@LINE-3]])
__global__ void callsBroken(int* x) { x[0] = broken(); }

template <typename T>
__device__ int member(T t) {
  return t.nothing;
}

// CHECK-LABEL: kernel `callsTemplate`
// CHECK-NEXT: left alone: Clang: member reference base type 'int' is not a structure or union, in 'member<int>' ({{.*}}:[[@LINE-4]])
__global__ void callsTemplate(int* x) { x[0] = member(x[1]); }

struct Bad {
  Unknown u;
  int a;
};

// CHECK-LABEL: kernel `badStruct`
// CHECK-NEXT: left alone: struct 'Bad' has errors ({{.*}}:[[@LINE+1]])
__global__ void badStruct(Bad* b) { b->a = 1; }

struct Defaulted {
  int a = nothing;
};

// CHECK-LABEL: kernel `badDefault`
// CHECK-NEXT: left alone: code that Clang could not understand ({{.*}}:[[@LINE+2]])
__global__ void badDefault(int* x) {
  Defaulted d{};
  x[0] = d.a;
}

__device__ auto wrong = nothing;

// CHECK-LABEL: kernel `badGlobal`
// CHECK-NEXT: left alone: code that Clang could not understand ({{.*}}:[[@LINE+1]])
__global__ void badGlobal(int* x) { x[0] = wrong; }

int onHost;
struct FromHost {
  int a = onHost;
};

// CHECK-LABEL: kernel `readsHost`
// CHECK-NEXT: left alone: host variable 'onHost' used in device code ({{.*}}:[[@LINE-4]])
__global__ void readsHost(int* x) {
  FromHost h{};
  x[0] = h.a;
}

__device__ int sum(int n, ...) { return n; }

// CHECK-LABEL: kernel `variadic`
// CHECK-NEXT: left alone: function 'sum' with a variable number of arguments ({{.*}}:[[@LINE+1]])
__global__ void variadic(int* x) { x[0] = sum(2, 1, 2); }

// CHECK-LABEL: kernel `fine`
// CHECK-NOT: left alone
__global__ void fine(int* x) { x[0] = 1; }
