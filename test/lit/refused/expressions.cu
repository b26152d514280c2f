// Expressions that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `closure`
// CHECK-NEXT: left alone: a lambda is part of it, whose type new text cannot name: write a function, or a struct with operator() ({{.*}}:[[@LINE+2]])
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
// CHECK-NEXT: left alone: statement expression without a value ({{.*}}:[[@LINE+2]])
__global__ void statementExpression(int* x) {
  ({ int t = x[1]; while (t > x[0]) --t; });
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
  asm("vote.nothing %0, %0;" : "+r"(v));
  return v;
}

// CHECK-LABEL: kernel `callsAssembly`
// CHECK-NEXT: left alone: inline assembly 'vote.nothing $0, $0', in 'viaAssembly' ({{.*}}:[[@LINE-5]])
__global__ void callsAssembly(int* x) { x[0] = viaAssembly(1); }

// CHECK-LABEL: kernel `launches`
// CHECK-NEXT: left alone: kernel launch from device code ({{.*}}:[[@LINE+1]])
__global__ void launches(int* x) { callsAssembly<<<1, 1>>>(x); }

// CHECK-LABEL: kernel `formats`
// CHECK-NEXT: left alone: printf whose format is no string literal ({{.*}}:[[@LINE+1]])
__global__ void formats(const char* how, int v) { printf(how, v); }

// CHECK-LABEL: kernel `halfAConversion`
// CHECK-NEXT: left alone: printf format '%5' ({{.*}}:[[@LINE+1]])
__global__ void halfAConversion(int v) { printf("%5", v); }

// CHECK-LABEL: kernel `stars`
// CHECK-NEXT: left alone: printf with fewer arguments than its format names ({{.*}}:[[@LINE+1]])
__global__ void stars(int v) { printf("%*.*f", 3, v); }

struct Pair {
  int a, b;
};
typedef int Ints __attribute__((vector_size(16)));
typedef float Floats __attribute__((vector_size(16)));
typedef int TwoInts __attribute__((vector_size(8)));

// CHECK-LABEL: kernel `unknownOperator`
// CHECK-NEXT: left alone: operator __real ({{.*}}:[[@LINE+1]])
__global__ void unknownOperator(int* x) { x[0] = __real__(x[0] + 1); }

// CHECK-LABEL: kernel `unknownPlace`
// CHECK-NEXT: left alone: place of kind BinaryOperator has no place in the kernel IR ({{.*}}:[[@LINE+1]])
__global__ void unknownPlace(Pair* p) { p->*&Pair::a = 1; }

// CHECK-LABEL: kernel `unknownExpression`
// CHECK-NEXT: left alone: expression of kind AddrLabelExpr has no place in the kernel IR ({{.*}}:[[@LINE+2]])
__global__ void unknownExpression(void** x) {
  x[0] = &&end;
end:
  x[1] = nullptr;
}

// CHECK-LABEL: kernel `unknownConversion`
// CHECK-NEXT: left alone: conversion LValueToRValueBitCast has no place in the kernel IR ({{.*}}:[[@LINE+1]])
__global__ void unknownConversion(float* f, int* x) { x[0] = __builtin_bit_cast(int, f[0]); }

// CHECK-LABEL: kernel `vectorBits`
// CHECK-NEXT: left alone: vector reinterpreted by a cast ({{.*}}:[[@LINE+1]])
__global__ void vectorBits(Ints* x, Floats* y) { x[0] = (Ints)y[0]; }

// CHECK-LABEL: kernel `scalarBits`
// CHECK-NEXT: left alone: reinterpreting cast of a value ({{.*}}:[[@LINE+1]])
__global__ void scalarBits(long long* x, TwoInts* y) { x[0] = (long long)y[0]; }

// CHECK-LABEL: kernel `takesAddress`
// CHECK-NEXT: left alone: address of a function ({{.*}}:[[@LINE+1]])
__global__ void takesAddress(void** x) { x[0] = (void*)&twice; }

// CHECK-LABEL: kernel `decays`
// CHECK-NEXT: left alone: address of a function ({{.*}}:[[@LINE+1]])
__global__ void decays(void** x) { x[0] = (void*)twice; }

// CHECK-LABEL: kernel `namesFunction`
// CHECK-NEXT: left alone: function 'twice' used as a value ({{.*}}:[[@LINE+2]])
__global__ void namesFunction(int* x) {
  (void)twice;
  x[0] = 1;
}

// CHECK-LABEL: kernel `refersToFunction`
// CHECK-NEXT: left alone: a function is used as a value ({{.*}}:[[@LINE+2]])
__global__ void refersToFunction(int* x) {
  int (&f)(int) = twice;
  x[0] = f(3);
}

union Either {
  int i;
  float f;
};

// CHECK-LABEL: kernel `secondMember`
// CHECK-NEXT: left alone: initialised union member that is not the first ({{.*}}:[[@LINE+2]])
__global__ void secondMember(Either* x) {
  Either e = {.f = 1.0f};
  x[0] = e;
}

// Strings as data, in all the places where one can stand.
// CHECK-LABEL: kernel `textPointer`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+2]])
__global__ void textPointer(char* x) {
  const char* p = "abc";
  x[0] = p[1];
}

// CHECK-LABEL: kernel `textArray`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+2]])
__global__ void textArray(char* x) {
  char p[] = "abc";
  x[0] = p[1];
}

// CHECK-LABEL: kernel `textBraced`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+2]])
__global__ void textBraced(char* x) {
  char p[4] = {"abc"};
  x[0] = p[1];
}

// CHECK-LABEL: kernel `textTable`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+2]])
__global__ void textTable(char* x) {
  char p[2][4] = {"abc", "def"};
  x[0] = p[1][1];
}

// CHECK-LABEL: kernel `textName`
// CHECK-NEXT: left alone: string literal used as data ({{.*}}:[[@LINE+1]])
__global__ void textName(char* x) { x[0] = __func__[0]; }

template <int& Where>
__global__ void objectParameter(int* x) {
  x[0] = Where;
}
__device__ int somewhere;
template __global__ void objectParameter<somewhere>(int*);
// CHECK-LABEL: kernel `objectParameter
// CHECK-NEXT: left alone: template parameter that names an object ({{.*}}:[[@LINE-5]])
