// Angles of which nothing is known, or too little.
// RUN: %hone opt %s --recipe bound-arguments -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'bound-arguments bound-arguments' --kernel some -o %t.cu 2>&1 | FileCheck --check-prefix=TWICE %s

// CHECK: kernel `none`: left alone: it has no sine, cosine or tangent of what varies
__global__ void none(float* a) { a[threadIdx.x] = cosf(2.5f) + __sinf(a[threadIdx.x]); }

// CHECK: :[[@LINE+3]]: kernel `loaded`: left alone: how large the argument of a sine, cosine or tangent can be is not known
__global__ void loaded(float* a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] = sinf(a[i]);
}

// With p = 0 it is 0 / 0.
// CHECK: kernel `zero`: left alone: how large
__global__ void zero(float* a, int n, int p) {
  int i = threadIdx.x;
  if (i < n) a[i] = sinf(3.14f * (i & 7) / p);
}

// The remainder is by another number, or by what has changed since.
// CHECK: kernel `other`: left alone: how large
__global__ void other(float* a, int n, int p, int q) {
  int i = threadIdx.x;
  if (i < n) a[i] = sinf(3.14f * (i % p) / q);
}
// CHECK: kernel `changed`: left alone: how large
__global__ void changed(float* a, int n, int p) {
  int i = threadIdx.x;
  int k = i % p;
  p -= 8;
  if (i < n) a[i] = sinf(3.14f * k / p);
}

// Without a sign 8 * p may wrap to something small.
// CHECK: kernel `wraps`: left alone: how large
__global__ void wraps(float* a, unsigned n, unsigned p) {
  unsigned i = threadIdx.x;
  if (i < n) a[i] = sinf(3.14f * (i % p) / (8 * p));
}
// A remainder without a sign is by what p is modulo 2^32.
// CHECK: kernel `signs`: left alone: how large
__global__ void signs(float* a, unsigned n, int p) {
  unsigned i = threadIdx.x;
  if (i < n) a[i] = sinf(3.14f * (i % p) / p);
}

// What is shifted may lose its bits, with a sign too.
// CHECK: kernel `shifts`: left alone: how large
__global__ void shifts(float* a, int n, int p) {
  int i = threadIdx.x;
  if (i < n) a[i] = sinf(3.14f * (i % p) / (p << 20));
}

// The loops ask for a part of the variable, or cut off what they step to: i is 3000000000 and 0 as well.
// CHECK: kernel `asked`: left alone: how large
__global__ void asked(float* a, int n) {
  for (unsigned i = 0; (int)i < 10; i += 3000000000u) a[threadIdx.x] += sinf((float)i);
}
// CHECK: kernel `cut`: left alone: how large
__global__ void cut(float* a, int n) {
  for (int i = 5; i < 10; i += 4294967291LL) {
    a[threadIdx.x] += sinf((float)(threadIdx.x & 7) / i);
    if (i == 0) break;
  }
}

// Plain char may have a sign: it is not what it is made of.
// CHECK: kernel `letters`: left alone: how large
__global__ void letters(float* a, int n) {
  int x = threadIdx.x & 255, threads = blockDim.x;
  char c = (char)x;
  a[threadIdx.x] = sinf((float)((c - x) * 1000000) / threads);
}

// The array does not keep what it lists; the denominator is another sum.
// CHECK: kernel `relisted`: left alone: how large
__global__ void relisted(float* a, int n) {
  int order[] = {0, 4, 2, 6};
  order[n & 3] = n;
  a[threadIdx.x] = sinf((float)order[threadIdx.x & 3]);
}
// CHECK: kernel `otherSum`: left alone: how large
__global__ void otherSum(float* a, int n, int p) {
  int m = n + p, k = n - p;
  a[threadIdx.x] = sinf(6.28f * ((int)threadIdx.x % m) / k);
}

// Bounded, but not small.
// CHECK: kernel `large`: left alone: how large
__global__ void large(float* a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] = sinf(0.001f * n + i);
}

// Not always computed, or again in every iteration.
// CHECK: kernel `lazy`: left alone: how large
__global__ void lazy(float* a, int n, int p) {
  int i = threadIdx.x;
  if (i < n) a[i] = p > 0 ? sinf(3.14f * (i % p) / p) : 0.0f;
  for (float x = 0.5f * threadIdx.x; cosf(x) * i > 1.0f; --i) a[i] = 0.0f;
}

// k is from the first iteration.
// CHECK: kernel `stale`: left alone: how large
__global__ void stale(float* a, int n) {
  for (int s = 1024, k = threadIdx.x % s; s > 0; s -= 7) a[threadIdx.x] += cosf(1000.0f * k / s);
}

// One of two.
// CHECK: kernel `some`: said of 1 call of sine, cosine or tangent that the argument is small, 6.47 at most
// CHECK: :[[@LINE+7]]: kernel `some`: note: nothing is known of the arguments of another call
// TWICE: kernel `some`: left alone: how large
__global__ void some(float* a, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float x = 6.28f / 32 * (i % 33);
  a[i] =
      sinf(x) + cosf(a[i]);
}

// CHECK: kernel `said`: left alone: the arguments of its sines, cosines and tangents are said to be small already
__global__ void said(float* a, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float x = 0.5f * threadIdx.x;
  __builtin_assume(__builtin_fabsf(x) < 100000.0f);
  a[i] = sinf(x);
}
