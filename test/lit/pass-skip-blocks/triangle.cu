// Blocks that lie wholly where a mask leaves their threads nothing to do leave before tiles are filled.
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' -o %t.cu 2> %t.said
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAID %s < %t.said
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' --set T=201 --set C=37 --grid '(T + 15) / 16, (T + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' --set T=128 --set C=16 --grid '(T + 15) / 16, (T + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' --set T=65 --set C=1 --grid '(T + 15) / 16, (T + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) skip-blocks' --set T=1 --set C=0 --grid '9, 9' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=12) stage(depth=8) merge-threads(x=2, y=3, how=strided) skip-blocks' --set T=100 --set C=19 --grid '(T + 15) / 16, (T + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=adjacent) stage(depth=8) skip-blocks' --set T=130 --set C=19 --grid '(T + 15) / 16, (T + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=4, y=4) prefetch skip-blocks' --set T=100 --set C=32 --grid '(T + 15) / 16, (T + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --kernel early --recipe 'block(x=16, y=16) stage skip-blocks skip-blocks' -o %t2.cu 2>&1 | FileCheck --check-prefix=TWICE %s
// EQUAL-NOT: different
// EQUAL: equal
// SAID: kernel `early`: blocks whose threads are all masked leave out the work of the others
// TWICE: kernel `early`: left alone: threads that a mask keeps from their work come to no loop or barrier anyway

// CHECK-LABEL: namespace early_hone
// CHECK: __shared__
// CHECK: const int ty = threadIdx.y;
// CHECK-NEXT: // Blocks whose threads are all masked have no work.
// CHECK-NEXT: if (blockIdx.y < blockIdx.x) {
// CHECK-NEXT: return;
// CHECK-NEXT: }
// CHECK-NEXT: float sum[kPerY][kPerX] = {};
// CHECK: for (int i0 = 0; i0 < C; i0 += kDepth) {
__global__ void early(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, int T, int C) {
  int t2 = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t2 >= T || t >= T) return;
  if (t2 > t) return;
  float sum = 0;
  for (int i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
  out[t * T + t2] = sum;
}

// The constant is stored first.
// CHECK-LABEL: namespace constant_hone
// CHECK: out[t * T + t2] = -1.0f;
// CHECK: // Blocks whose threads are all masked have no work.
// CHECK-NEXT: if (blockIdx.y < blockIdx.x) {
// CHECK-NEXT: return;
// CHECK: __syncthreads();
__global__ void constant(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, int T, int C) {
  int t2 = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t2 >= T || t >= T) return;
  if (t2 > t) {
    out[t * T + t2] = -1.0f;
    return;
  }
  float sum = 0;
  for (int i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
  out[t * T + t2] = sum;
}

// It is stored last: all but that is left out.
// CHECK-LABEL: namespace otherwise_hone
// CHECK-NOT: return;
// CHECK: // Blocks whose threads are all masked need none of it.
// CHECK-NEXT: if (blockIdx.y >= blockIdx.x) {
// CHECK-NEXT: // Staged in shared memory
// CHECK: for (int i0 = 0; i0 < C; i0 += kDepth) {
// CHECK: = sum[ry][rx];
// CHECK: = -1.0f;
__global__ void otherwise(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, int T, int C) {
  int t2 = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t2 < T && t < T) {
    if (t2 <= t) {
      float sum = 0;
      for (int i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
      out[t * T + t2] = sum;
    } else {
      out[t * T + t2] = -1.0f;
    }
  }
}

// All threads store what masked ones never changed.
// CHECK-LABEL: namespace unchanged_hone
// CHECK: if (blockIdx.y >= blockIdx.x) {
// CHECK: out[t * T + t2] = sum[ry][rx];
__global__ void unchanged(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, int T, int C) {
  int t2 = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t2 >= T || t >= T) return;
  float sum = 3;
  if (t2 <= t)
    for (int i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
  out[t * T + t2] = sum;
}

// The other triangle, of ids without a sign.
// CHECK-LABEL: namespace upper_hone
// CHECK: if (blockIdx.x < blockIdx.y) {
// CHECK-NEXT: return;
__global__ void upper(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, unsigned T, unsigned C) {
  unsigned t2 = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t2 >= T || t >= T || t2 <= t) return;
  float sum = 0;
  for (unsigned i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
  out[t * T + t2] = sum;
}

// Of 64 bits.
// CHECK-LABEL: namespace wide_hone
// CHECK: if (blockIdx.y < blockIdx.x) {
// CHECK-NEXT: return;
__global__ void wide(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, size_t T, size_t C) {
  size_t t2 = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  size_t t = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
  if (t2 >= T || t >= T || t2 > t) return;
  float sum = 0;
  for (size_t i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
  out[t * T + t2] = sum;
}
