// What a thread keeps in an array of its own is computed without the guard around it, where every thread has the elements that are written: nobody looks at what
// threads outside put there.
// RUN: %hone opt %s --kernel pairs --recipe 'block(x=64) stage(depth=16)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=FREE < %t.cu
// RUN: %hone verify %s --kernel pairs --recipe 'block(x=64) stage(depth=16)' | FileCheck %s --check-prefix=SAME
// FREE: float sum[2] = {};
// FREE: __syncthreads();
// FREE-NEXT: {{#pragma unroll|for \(int i = i0}}
// FREE: sum[r] += scaled[r];
// FREE: __syncthreads();
// FREE: if (x < n) {
// FREE: o[2 * x] = sum[0];
// SAME: equal in
// SAME-NOT: error
__global__ void pairs(const float* __restrict__ v, float* __restrict__ o, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float sum[2] = {};
    for (int i = 0; i < k; ++i) {
      float scaled[2];
      for (int r = 0; r < 2; ++r) scaled[r] = v[i] * r;
      for (int r = 0; r < 2; ++r) sum[r] += scaled[r];
    }
    o[2 * x] = sum[0];
    o[2 * x + 1] = sum[1];
  }
}

// Which element is up to what the thread holds, which threads outside do not have.
// RUN: %hone opt %s --kernel chosen --recipe 'block(x=64) stage(depth=16)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=CHOSEN < %t.cu
// RUN: %hone verify %s --kernel chosen --recipe 'block(x=64) stage(depth=16)' | FileCheck %s --check-prefix=SAME
// CHOSEN: __syncthreads();
// CHOSEN: if (x < n) {
// CHOSEN: sum[side[x] & 1] +=
__global__ void chosen(const float* __restrict__ v, const int* __restrict__ side, float* __restrict__ o, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float sum[2] = {};
    for (int i = 0; i < k; ++i) sum[side[x] & 1] += v[i];
    o[2 * x] = sum[0];
    o[2 * x + 1] = sum[1];
  }
}

// Not every element has a value when it is read; threads outside must not read one that has none.
// RUN: %hone opt %s --kernel later --recipe 'block(x=64) stage(depth=16)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=LATER < %t.cu
// RUN: %hone verify %s --kernel later --recipe 'block(x=64) stage(depth=16)' | FileCheck %s --check-prefix=SAME
// LATER: __syncthreads();
// LATER: if (x < n) {
// LATER: sum += last[0] *
__global__ void later(const float* __restrict__ v, float* __restrict__ o, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float last[1];
    if (x >= 0) last[0] = o[x];
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += last[0] * v[i];
    o[x] = sum;
  }
}
