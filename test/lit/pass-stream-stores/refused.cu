// RUN: %hone opt %s --recipe 'stream-stores' -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'stream-stores(a)' --kernel handed -o %t2.cu 2>&1 | FileCheck --check-prefix=NAMED %s
// RUN: %hone opt %S/Inputs/stored.cl --recipe 'stream-stores' -o %t.cl 2>&1 | FileCheck --check-prefix=OPENCL %s
// OPENCL: kernel `scale`: left alone: OpenCL has no stores that pass the caches by

// CHECK: kernel `scale`: left alone: it stores to no array of which it does nothing else
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

__device__ float first(const float* p) { return p[0]; }

// A pointer that is handed on may be read through.
// CHECK: kernel `handed`: left alone: it stores to no array of which it does nothing else
// NAMED: kernel `handed`: left alone: a is not only stored to, element by element
__global__ void handed(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
  if (i == n) a[n] = first(a);
}

// CHECK: kernel `flag`: left alone: it stores to no array of which it does nothing else
__global__ void flag(volatile int* done) { done[0] = 1; }

// CHECK: kernel `records`: left alone: it stores to no array of which it does nothing else
struct Pair { int a, b; };
__global__ void records(Pair* p) { p[threadIdx.x] = {1, 2}; }
