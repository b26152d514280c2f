// Where a test behind the kernel could choose other text than the #if did.
// RUN: %hone explain %s 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `architectures`
// CHECK-NEXT: left alone: #if inside the kernel body hangs on __CUDA_ARCH__, and architectures choose different text: give each a kernel of its own ({{.*}}:[[@LINE+2]])
__global__ void architectures(int* x) {
#if __CUDA_ARCH__ >= 800
  x[0] = 1;
#else
  x[0] = 2;
#endif
}

#define NEW_ENOUGH (__CUDA_ARCH__ >= 200)
// CHECK-LABEL: kernel `byMacro`
// CHECK-NEXT: left alone: #if inside the kernel body hangs on __CUDA_ARCH__, {{.*}} ({{.*}}:[[@LINE+2]])
__global__ void byMacro(int* x) {
#if NEW_ENOUGH
  x[0] = 1;
#endif
}

// CHECK-LABEL: kernel `defines`
// CHECK-NEXT: left alone: #if inside the kernel body asks for `STEP`, which can be defined otherwise where new text would ask ({{.*}}:[[@LINE+3]])
__global__ void defines(int* x) {
#define STEP 2
#if STEP > 1
  x[0] = STEP;
#endif
#undef STEP
}

// CHECK-LABEL: kernel `changes`
// CHECK-NEXT: left alone: #if inside the kernel body asks for `STEP`, which can be defined otherwise where new text would ask ({{.*}}:[[@LINE+3]])
__global__ void changes(int* x) {
#define STEP 3
#if STEP > 2
  x[0] = STEP;
#endif
}
#undef STEP

// CHECK-LABEL: kernel `forgets`
// CHECK-NEXT: left alone: #if inside the kernel body asks for `KIND`, which can be defined otherwise where new text would ask ({{.*}}:[[@LINE+3]])
#define KIND WIDTH
__global__ void forgets(int* x) {
#if KIND > 1
  x[0] = 1;
#endif
#ifdef OTHER
#undef KIND
#endif
}

// CHECK-LABEL: kernel `calls`
// CHECK-NEXT: left alone: #if inside the body of `element` asks for `SQUARED`, which can be defined otherwise where new text would ask ({{.*}}:[[@LINE+2]])
__device__ int element(const int* p, int i) {
#ifdef SQUARED
  return p[i] * p[i];
#else
  return p[i];
#endif
}
#define SQUARED
__global__ void calls(const int* a, int* x) {
  x[threadIdx.x] = element(a, threadIdx.x);
}

// CHECK-LABEL: kernel `chosen`
// CHECK-NEXT: left alone: #if around `other` asks for `CUBED`, which can be defined otherwise where new text would ask ({{.*}}:[[@LINE+1]])
#ifndef CUBED
__device__ int other(const int* p, int i) { return p[i]; }
#define CUBED
#endif
__global__ void chosen(const int* a, int* x) {
  x[threadIdx.x] = other(a, threadIdx.x);
}

// The name of a header, which new text would write with blanks in it, and which names another file elsewhere.
// CHECK: kernel `byHeader`
// CHECK-NEXT: left alone: #if around `step` asks for a file by __has_include or __has_embed, which new text does not repeat: define a macro by it, and ask for that ({{.*}}:[[@LINE+1]])
#if __has_include(<no_such_header/version>)
__device__ int step(int x) { return x + 1; }
#else
__device__ int step(int x) { return x + 2; }
#endif
__global__ void byHeader(int* x) { x[threadIdx.x] = step(x[threadIdx.x]); }

// CHECK: kernel `byLine`
// CHECK-NEXT: left alone: #if inside the kernel body asks for `__LINE__`, whose value is another in new text ({{.*}}:[[@LINE+2]])
__global__ void byLine(int* x) {
#if __LINE__ > 4
  x[threadIdx.x] += 1;
#endif
}

// CHECK: kernel `byCounter`
// CHECK-NEXT: left alone: #if inside the kernel body asks for `__COUNTER__`, whose value is another in new text ({{.*}}:[[@LINE+2]])
__global__ void byCounter(int* x) {
#if __COUNTER__ > 4
  x[threadIdx.x] += 1;
#endif
}

// A macro that was defined by it can be asked for.
#if __has_include(<no_such_header/version>)
#define FOUND 1
#else
#define FOUND 0
#endif
// CHECK: kernel `byMacroOfHeader`
// CHECK-NOT: left alone
__global__ void byMacroOfHeader(int* x) { x[threadIdx.x] += FOUND; }

#define FIRST
#define NAME first
#include "Inputs/twice.h"
#undef FIRST
#undef NAME
#define NAME second
#include "Inputs/twice.h"
// CHECK: kernel `first`
// CHECK-NEXT: left alone: #if inside the kernel body, in a file that is included more than once ({{.*}}twice.h:2)
