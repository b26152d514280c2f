// Wide stores of whatever type leave the caches first, too.
// RUN: %hone opt %s --recipe 'vectorize(threads=8) stream-stores' --offer -o %t.cu 2>/dev/null
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'vectorize(threads=8) stream-stores' | FileCheck %s --check-prefix=EQUAL
// EQUAL: kernel `halves`: equal in
// EQUAL: kernel `floats`: equal in
#include <cuda_fp16.h>

// CHECK: __stcs((uint4*)(b + first), *(const uint4*)b_part);
// CHECK: __stcs(&b[i], __hadd(a[i], a[i]));
__global__ void halves(const __half* __restrict__ a, __half* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = __hadd(a[i], a[i]);
}

// CHECK-COUNT-2: __stcs((float4*)(b + first{{2?}}), make_float4(
__global__ void floats(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}
