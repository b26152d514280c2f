// RUN: %hone opt %s --recipe vectorize -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'vectorize(width=3)' --kernel apart -o %t.cu 2>&1 | FileCheck --check-prefix=WIDTH %s
// RUN: %hone opt %s --recipe 'vectorize(q)' --kernel apart -o %t.cu 2>&1 | FileCheck --check-prefix=NAME %s

// CHECK: kernel `apart`: left alone: no thread touches neighbouring elements at once
// WIDTH: kernel `apart`: left alone: width is 2, 4, 8 or 16
// NAME: kernel `apart`: left alone: there is no array q
__global__ void apart(const float* a, float* b) {
  int i = threadIdx.x;
  b[i] = a[i] + a[i + 100];
}

// A pair that begins at an odd element.
// CHECK: kernel `odd`: left alone: neighbours in a (line [[#@LINE+3]]) are not one access: they do not begin at a multiple of two elements
__global__ void odd(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[2 * i + 1] + a[2 * i + 2];
}

// CHECK: kernel `wide`: left alone: b is accessed 16 bytes at a time already, and nothing else that a thread is known to touch lies side by side
__global__ void wide(const float4* a, float4* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
}

// CHECK: kernel `sliding`: left alone: a is not aligned: an access begins at {{.*}} bytes
__global__ void sliding(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + a[i + 1];
}

// Something is stored between the two loads that may be what is loaded.
// CHECK: kernel `between`: left alone: neighbours in a (lines [[#@LINE+3]] and [[#@LINE+5]]) are not one access: what happens between them may change one of them
__global__ void between(float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float first = a[2 * i];
  b[i] = first;
  a[i] = a[2 * i + 1];
}

// Only one of the two may exist.
// CHECK: kernel `either`: left alone: neighbours in a (lines [[#@LINE+3]] and [[#@LINE+4]]) are not one access: they do not always happen together, but under conditions or in loops of their own
__global__ void either(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n) b[i] = a[2 * i];
  if (2 * i + 1 < n) b[i] += a[2 * i + 1];
}

struct Both {
  float first, second;
};
// CHECK: kernel `records`: left alone: neighbours in a (line [[#@LINE+3]]) are not one access: only numbers and short vectors of them are loaded and stored together
__global__ void records(const Both* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Both one = a[2 * i], other = a[2 * i + 1];
  b[i] = one.first + other.second;
}

// CHECK: kernel `pixels`: left alone: neighbours in a (line [[#@LINE+3]]) are not one access: vectors are loaded and stored together in loops alone
__global__ void pixels(const uchar4* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uchar4 one = a[2 * i], other = a[2 * i + 1];
  b[i] = one.x + other.y;
}

// CHECK: kernel `waiting`: left alone: neighbours in a (line [[#@LINE+3]]) are not one access: it is volatile
__global__ void waiting(const volatile float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[2 * i] + a[2 * i + 1];
}

// CHECK: kernel `cached`: left alone: neighbours in a (line [[#@LINE+3]]) are not one access: one of them is not written as a plain subscript
__global__ void cached(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = __ldg(a + 2 * i) + __ldg(a + 2 * i + 1);
}

struct Pair {
  float x, y;
};
// CHECK: kernel `parts`: left alone: neighbours in a (line [[#@LINE+3]]) are not one access: they are parts of one element
__global__ void parts(const Pair* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i].x + a[i].y;
}

// CHECK: kernel `counts`: left alone: neighbours in a (lines [[#@LINE+3]] and [[#@LINE+4]]) are not one access: they are changed in place
__global__ void counts(int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[2 * i] += 3;
  a[2 * i + 1] += 5;
}

// CHECK: kernel `row`: left alone: a thread touches neighbouring elements of a only in different iterations of L1, whose number is not known before the launch
__global__ void row(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k];
  b[i] = sum;
}

// CHECK: kernel `longRow`: left alone: a thread touches neighbouring elements of a only in different iterations of L1, which cannot be done together as they are
__global__ void longRow(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 100; ++k) sum += a[i * 100 + k];
  b[i] = sum;
}

// CHECK: kernel `gathers`: left alone: no thread touches neighbouring elements at once, as far as addresses are known
__global__ void gathers(const float* a, const int* where, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[where[i]];
}

// CHECK: kernel `table`: left alone: where values begins is not known before the launch
__device__ float values[1024];
__global__ void table(float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = values[2 * i] + values[2 * i + 1];
}

// CHECK: kernel `dynamic`: left alone: where all begins in shared memory is not known
__global__ void dynamic(float* b) {
  extern __shared__ float all[];
  float* mine = all;
  mine[2 * threadIdx.x] = 1.0f;
  mine[2 * threadIdx.x + 1] = 2.0f;
  __syncthreads();
  b[threadIdx.x] = mine[threadIdx.x];
}

// One iteration's store is another iteration's load.
// CHECK: kernel `chain`: left alone: a is touched in another order inside the loop
__global__ void chain(float* a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 4; ++r) a[8 * t + r] = 2.0f * a[8 * t + 2 * r];
}

// CHECK: kernel `holes`: left alone: a condition inside the loop holds in some iterations and not in others
__global__ void holes(const float* __restrict__ a, float* __restrict__ b, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 4; ++r)
    if (r % 2 == n % 2) b[4 * t + r] = a[4 * t + r];
}

// CHECK: kernel `loaded`: left alone: {{.*}} may alias {{.*}}; add __restrict__ or pass --assume-noalias
__global__ void loaded(const float* a, float* b, const int* where) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 4; ++r) b[where[t] + 8 * r] = a[4 * t + r];
}

// Merged threads would store pairs into `part`, and load `a` apart as before.
// RUN: %hone opt %s --recipe 'vectorize(threads=2)' --kernel folded --no-verify --block 64 -o %t.cu 2>&1 | FileCheck --check-prefix=SHARED %s
// SHARED: kernel `folded`: left alone: only shared memory would be accessed more widely: threads are not merged for that
__global__ void folded(const float* a, float* b, int n) {
  __shared__ float part[64];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 64) sum += a[3 * (blockIdx.x * n + i)];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 64; ++i) sum += part[i];
    b[blockIdx.x] = sum;
  }
}
