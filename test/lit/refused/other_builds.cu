// What another build may see otherwise is not copied into new text; what keeps its name is guarded.
// RUN: %hone opt %s --recipe 'unroll(by=4)' -o %t.cu -- -DTWICE=2* > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=GUARD < %t.cu
// RUN: %clang_cuda_ptx -DTWICE=2* %t.cu
// RUN: %not %clang_cuda_ptx -DTWICE=2* -DSMALL %t.cu 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %not %clang_cuda_ptx -DTWICE=2* -DDOUBLE %t.cu 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: made by hone for these values: run it again for others

#ifdef SQUARED
#define OP(x) ((x) * (x))
#else
#define OP(x) ((x) + 1)
#endif
#define COUNT(c)
#ifdef COUNTED
#undef COUNT
#define COUNT(c) atomicAdd(c, 1)
#endif
#ifndef LEAST
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#endif
#define AT(i, j) ((i) * n + (j))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WIDE
#endif
#ifdef WIDE
#define TAPS 8
#else
#define TAPS 4
#endif
#ifdef SMALL
constexpr int W = 6;
enum { FIRST = 1 };
#else
constexpr int W = 64;
enum { FIRST = 0 };
#endif
#ifdef DOUBLE
typedef double real;
#else
typedef float real;
#endif
#ifdef PLANAR
struct Point { float x, y; };
#else
struct Point { float x, y, z; };
#endif

// What #if chose is asked for.
// CHECK: kernel `inlined`: rewritten
// GUARD-LABEL: void inlined(
// GUARD: #if !defined(SQUARED) && !defined(HONE_OFF)
__device__ int element(int i) {
#ifdef SQUARED
  return i * i;
#else
  return i;
#endif
}
__global__ void inlined(const float* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += a[j];
  b[element(threadIdx.x)] = s;
}

// CHECK: kernel `chosen`: rewritten
// GUARD-LABEL: void chosen(
// GUARD: #if !defined(SQUARED) && !defined(HONE_OFF)
#ifdef SQUARED
__device__ int other(int i) { return i * i; }
#else
// A comment.

__device__ int other(int i) { return i; }
#endif
__global__ void chosen(const float* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += a[j];
  b[other(threadIdx.x)] = s;
}

// CHECK: kernel `byName`: rewritten
__device__ float scaled(float x) {
#ifdef SQUARED
  return x * x;
#else
  return x;
#endif
}
__global__ void byName(const float* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += scaled(a[j]);
  b[threadIdx.x] = s;
}

// CHECK: kernel `function`: rewritten
// GUARD-LABEL: void function(
// GUARD: #if !defined(SQUARED) && !defined(HONE_OFF)
__global__ void function(const float* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += OP(a[j]);
  b[threadIdx.x] = s;
}

// CHECK: [[@LINE+4]]: kernel `nothing`: left alone: macro `COUNT` can be another in another build (defined under #if, other_builds.cu:{{[0-9]+}}), and the new kernel would have what it stands for in this one: use a constant, a function or a typedef
__global__ void nothing(const float* a, float* b, int* c, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += a[j];
  COUNT(c);
  b[threadIdx.x] = s;
}

// CHECK: kernel `given`: rewritten
__global__ void given(const float* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += TWICE a[j];
  b[threadIdx.x] = s;
}

// CHECK: kernel `helpers`: rewritten
__global__ void helpers(const float* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += a[AT(threadIdx.x, LEAST(j, n))];
  b[threadIdx.x] = s;
}

// CHECK: [[@LINE+3]]: kernel `passes`: left alone: `TAPS` hangs on __CUDA_ARCH__, so that the passes for the host and for the device differ: choose inside of the code, or give each architecture a kernel of its own
__global__ void passes(const float* a, float* b) {
  float s = 0;
  for (int j = 0; j < TAPS; ++j) s += a[j];
  b[threadIdx.x] = s;
}

// CHECK: kernel `constants`: rewritten
// GUARD-LABEL: void constants(
// GUARD: static_assert(FIRST == 0 && W == 64,
__global__ void constants(const int* a, int* b) {
  int s = 0;
  for (int j = FIRST; j < W; ++j) s += a[j];
  b[threadIdx.x] = s;
}

// CHECK: kernel `types`: rewritten
// GUARD-LABEL: void types(
// GUARD: static_assert(sizeof(real) == 4 && (real)0.5 != 0,
__global__ void types(const real* a, real* b, int n) {
  real s = 0;
  for (int j = 0; j < n; ++j) s += a[j];
  b[threadIdx.x] = s;
}

// CHECK: kernel `structures`: rewritten
// GUARD-LABEL: void structures(
// GUARD: #if !defined(PLANAR) && !defined(HONE_OFF)
__global__ void structures(const Point* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += a[j].x;
  b[threadIdx.x] = s;
}

// CHECK: kernel `inside`: rewritten
// GUARD-LABEL: void inside(
// GUARD: #if !defined(PLANAR) && !defined(HONE_OFF)
struct Colour {
  float r, g, b;

#ifdef PLANAR
  float a;
#endif
};
__global__ void inside(const Colour* a, float* b, int n) {
  float s = 0;
  for (int j = 0; j < n; ++j) s += a[j].r;
  b[threadIdx.x] = s;
}

// CHECK: [[@LINE+2]]: kernel `declared`: left alone: #if inside the kernel's declaration
__global__ void declared(const float* a, float* b, int n
#ifdef SQUARED
                         , float more
#endif
) {
  b[threadIdx.x] = a[n];
}

// CHECK: [[@LINE+2]]: kernel `lines`: left alone: `__LINE__`, whose value is another in new text
__global__ void lines(int* b) {
  b[threadIdx.x] = __LINE__;
}
