// A maximum into which an infinity goes beside the values: where all of these are NaN it is what stays.
// RUN: %hone run %s | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --recipe retree -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone run %t.cu | FileCheck --check-prefix=SAME %s
// SAME: of parts: -inf 255
// SAME: of numbers: 3 255
#include <math.h>
#include <stdio.h>

// The threads of the first warp that have no part bring -INFINITY.
// CHECK-LABEL: namespace ofParts_hone
// CHECK: // Where all are NaN the bound stays.
// CHECK-NEXT: m = fmaxf(m, -INFINITY);
__global__ void ofParts(const float* a, float* o) {
  __shared__ float sh[32];
  float m = a[blockIdx.x * blockDim.x + threadIdx.x];
  for (int k = 16; k > 0; k /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x < 32) {
    m = threadIdx.x < blockDim.x / 32 ? sh[threadIdx.x] : -INFINITY;
    for (int k = 16; k > 0; k /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
    if (threadIdx.x == 0) sh[0] = m;
  }
  __syncthreads();
  m = sh[0];
  if (threadIdx.x == 5) o[blockIdx.x] = m;
}

__device__ float most(float v, float* sh) {
  for (int k = 16; k > 0; k /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, k));
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? sh[threadIdx.x] : -INFINITY;
  if (threadIdx.x < 32)
    for (int k = 16; k > 0; k /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, k));
  if (threadIdx.x == 0) sh[0] = v;
  __syncthreads();
  return sh[0];
}

// What begins as a number stays one, through the function's own variables too.
// CHECK-LABEL: namespace ofNumbers_hone
// CHECK: __shfl_xor_sync
// CHECK-NOT: INFINITY
// CHECK: // hone: end
__global__ void ofNumbers(const float* a, float* o) {
  __shared__ float sh[32];
  float m = 3;
  for (int i = threadIdx.x; i < 128; i += blockDim.x) m = fmaxf(m, a[blockIdx.x * 128 + i]);
  m = most(m, sh);
  if (threadIdx.x == 0) o[blockIdx.x] = m;
}

int main() {
  float *a, *o;
  cudaMallocManaged(&a, 256 * sizeof(float));
  cudaMallocManaged(&o, 2 * sizeof(float));
  for (int i = 0; i < 256; ++i) a[i] = i < 128 ? NAN : i;
  ofParts<<<2, 128>>>(a, o);
  cudaDeviceSynchronize();
  printf("of parts: %g %g\n", o[0], o[1]);
  ofNumbers<<<2, 128>>>(a, o);
  cudaDeviceSynchronize();
  printf("of numbers: %g %g\n", o[0], o[1]);
}
