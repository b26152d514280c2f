// RUN: %hone opt %s --recipe vectorize -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'vectorize(width=3)' --kernel apart -o %t.cu 2>&1 | FileCheck --check-prefix=WIDTH %s
// RUN: %hone opt %s --recipe 'vectorize(q)' --kernel apart -o %t.cu 2>&1 | FileCheck --check-prefix=NAME %s

// CHECK: kernel `apart`: left alone: no thread touches neighbouring elements at once
// WIDTH: kernel `apart`: left alone: width is 2 or 4
// NAME: kernel `apart`: left alone: there is no array q
__global__ void apart(const float* a, float* b) {
  int i = threadIdx.x;
  b[i] = a[i] + a[i + 100];
}

// A pair that begins at an odd element.
// CHECK: kernel `odd`: left alone: neighbours that a thread touches (a at lines {{[0-9]+}} and {{[0-9]+}}) cannot be one access: where they begin, their conditions, what is stored between them or `volatile` keeps them apart
__global__ void odd(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[2 * i + 1] + a[2 * i + 2];
}

// CHECK: kernel `wide`: left alone: accesses of a thread are 16 bytes wide already
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
// CHECK: kernel `between`: left alone: neighbours that a thread touches (a at lines {{[0-9]+}} and {{[0-9]+}}) cannot be one access: where they begin, their conditions, what is stored between them or `volatile` keeps them apart
__global__ void between(float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float first = a[2 * i];
  b[i] = first;
  a[i] = a[2 * i + 1];
}

// Only one of the two may exist.
// CHECK: kernel `either`: left alone: neighbours that a thread touches (a at lines {{[0-9]+}} and {{[0-9]+}}) cannot be one access: where they begin, their conditions, what is stored between them or `volatile` keeps them apart
__global__ void either(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n) b[i] = a[2 * i];
  if (2 * i + 1 < n) b[i] += a[2 * i + 1];
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
  for (int i = threadIdx.x; i < n; i += 64) sum += a[blockIdx.x * n + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 64; ++i) sum += part[i];
    b[blockIdx.x] = sum;
  }
}
