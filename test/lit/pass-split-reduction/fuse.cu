// The greatest value of a row and powers counted from it, summed up in one walk.
// RUN: %hone opt %s --recipe 'split-reduction(fuse=1)' --reassociate -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: awk '/hone: begin, beside softmax/,/hone: end/' %t.cu | %python -c "import sys; assert 40 < len(sys.stdin.readlines()) < 80"
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=256, fuse=1)' --reassociate --kernel softmax -o %t.block.cu 2>/dev/null
// RUN: FileCheck --check-prefix=BLOCK %s < %t.block.cu
// RUN: %clang_cuda_ptx %t.block.cu
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128, each=4, fuse=1) vectorize' --reassociate --kernel softmax -o %t.wide.cu 2>/dev/null
// RUN: FileCheck --check-prefix=WIDE %s < %t.wide.cu
// RUN: %clang_cuda_ptx %t.wide.cu
// RUN: %hone verify %s --recipe 'split-reduction(fuse=1)' --reassociate --set rows=5 --set n=71 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(rows=2, each=4, fuse=1) vectorize' --reassociate --kernel stored --set rows=5 --set n=72 | FileCheck --check-prefix=WIDER %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64, fuse=1)' --reassociate --set rows=5 --set n=1 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=8, each=4, fuse=1)' --reassociate --set rows=3 --set n=71 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=256, each=2, fuse=1)' --reassociate --set rows=2 --set n=1003 | FileCheck --check-prefix=SAME %s
// WIDER-NOT: NOT EQUAL
// WIDER: kernel `{{[A-Za-z]+}}`: equal in
// SAME-NOT: NOT EQUAL
// SAME-COUNT-7: kernel `{{[A-Za-z]+}}`: equal in
// Rows that lie in one another: the original.
// RUN: %hone verify %s --recipe 'split-reduction(fuse=1)' --reassociate --kernel stored --set rows=5 --set n=70 --alias out=in | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe 'split-reduction(fuse=1)' --reassociate --kernel stored --set rows=1 --set n=70 --alias out=in+1 | FileCheck --check-prefix=ALIAS %s
// ALIAS: equal in

#include <math.h>

// REMARK: kernel `softmax`: the iterations of L1, L2, L3 are shared by the 32 lanes of a warp
// REMARK: kernel `softmax`: L1 and L2 are one walk over the row
__global__ void softmax(const float* in, float* out, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    const float* x = in + r * n;
    float* y = out + r * n;
    float most = -INFINITY;
    for (int j = 0; j < n; ++j) most = fmaxf(most, x[j]);
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += expf(x[j] - most);
    for (int j = 0; j < n; ++j) y[j] = expf(x[j] - most) / sum;
  }
}

// CHECK-LABEL: namespace softmax_hone {
// CHECK: float most = -INFINITY;
// CHECK-NEXT: float sum = 0;
// CHECK-NEXT: // The iterations of both loops over the row are dealt out to the 32 lanes of a warp, which put their
// CHECK-NEXT: // parts together so that each of them has the whole. One walk finds most and sum: where most rises, what
// CHECK-NEXT: // was summed up so far is brought down to it.
// CHECK-NEXT: for (int j = lane; j < n; j += kLanes) {
// CHECK-NEXT: const float value = x[j];
// CHECK-NEXT: if (value > most) {
// CHECK-NEXT: sum *= expf(most - value);
// CHECK-NEXT: most = value;
// CHECK-NEXT: }
// CHECK-NEXT: sum += expf(value - (most == -INFINITY ? 0.0f : most));
// CHECK-NEXT: }
// CHECK-NEXT: const float own_most = most;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// CHECK-NEXT: const float other_most = __shfl_xor_sync(0xffffffffu, most, offset);
// CHECK-NEXT: most = fmaxf(most, other_most);
// CHECK-NEXT: }
// CHECK-NEXT: if (n > 0) {
// CHECK-NEXT: // The thread's part, counted from the greatest value of all threads.
// CHECK-NEXT: sum = __fmul_rn(sum, expf(own_most - most));
// CHECK-NEXT: }
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// CHECK-NEXT: sum += __shfl_xor_sync(0xffffffffu, sum, offset);
// CHECK-NEXT: }
// CHECK-NEXT: for (int j = lane; j < n; j += kLanes) {
// CHECK-NEXT: y[j] = expf(x[j] - most) / sum;
// CHECK-NEXT: }
// BLOCK: __shared__ float most_parts[kThreads / 32];
// BLOCK: __shared__ float sum_parts[kThreads / 32];
// BLOCK: sum *= expf(most - value);
// BLOCK: most_parts[lane / 32] = most;
// BLOCK: __syncthreads();
// BLOCK: most = fmaxf(most, most_parts[warp]);
// BLOCK: sum = __fmul_rn(sum, expf(own_most - most));
// BLOCK: sum_parts[lane / 32] = sum;
// WIDE: const float4 in_four = *(const float4*)(
// WIDE: const float value = in_part[e];
// WIDE-NEXT: if (value > most) {
// WIDE-NEXT: sum *= expf(most - value);

// What is stored in between is worked out again instead.
__global__ void stored(float* out, const float* in, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    const float* x = in + r * n;
    float* y = out + r * n;
    float most = -3.4e38f;
    for (int j = 0; j < n; j++)
      if (x[j] > most) most = x[j];
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      y[j] = expf(x[j] - most);
      sum += y[j];
    }
    for (int j = 0; j < n; j++) y[j] /= (float)sum;
  }
}

// CHECK-LABEL: namespace stored_hone {
// CHECK: sum *= expf(most - value);
// CHECK: sum += expf(value - most);
// CHECK: {{^ *}}sum = __dmul_rn(sum, expf(own_most - most));
// CHECK: y[j] = expf(x[j] - most) / (float)sum;

// In its own place; the sum has something before, and the greatest begins with the first.
__global__ void inPlace(float* x, float more, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = x[r * n], sum = more;
  for (int j = 0; j < n; j++) most = max(most, x[r * n + j]);
  for (int j = 0; j < n; j++) {
    float e = expf(x[r * n + j] - most);
    sum += e;
    x[r * n + j] = e;
  }
  const float scale = 1 / sum;
  for (int j = 0; j < n; j++) x[r * n + j] *= scale;
}

// A value that is worked out, and sums of several terms.
__global__ void several(const float* __restrict__ in, const float* __restrict__ w, float* __restrict__ ends, int rows,
                        int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0, product = 0;
  int count = 0;
  for (int j = 0; j < n; ++j) {
    float v = in[r * n + j] * 0.125f;
    if (v > most) most = v;
  }
  for (int j = 0; j < n; ++j) {
    float v = in[r * n + j] * 0.125f, e = __expf(v - most);
    sum += e;
    product += w[j] * e / 2;
    count += j % 2;
  }
  ends[r] = product / sum + count;
}

// Each by its own scale, in powers of two.
__global__ void logarithm(const float* __restrict__ in, float* __restrict__ ends, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -1e30f;
  for (int j = 0; j < n; ++j) most = most < in[r * n + j] ? in[r * n + j] : most;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += exp2f(in[r * n + j] * 1.442695f - most * 1.442695f);
  ends[r] = most + logf(sum);
}

__global__ void doubles(const double* __restrict__ in, double* __restrict__ out, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double most = -INFINITY, sum = 0;
  int j;
  for (j = n - 1; j >= 0; --j) most = fmax(most, in[r * n + j]);
  for (j = n - 1; j >= 0; --j) sum -= exp(in[r * n + j] - most);
  for (j = n - 1; j >= 0; --j) out[r * n + j] = exp(in[r * n + j] - most) / sum;
}

// Two of them in one row.
__global__ void twice(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ ends, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float first = -INFINITY, second = -INFINITY, one = 0, two = 0;
  for (int j = 0; j < n; ++j) first = fmaxf(first, a[r * n + j]);
  for (int j = 0; j < n; ++j) second = fmaxf(second, b[r * n + j]);
  for (int j = 0; j < n; ++j) one += expf(a[r * n + j] - first);
  for (int j = 0; j < n; ++j) two += expf(b[r * n + j] - second);
  ends[r] = logf(one) + first - logf(two) - second;
}
