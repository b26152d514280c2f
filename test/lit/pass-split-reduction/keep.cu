// Threads that share a row keep its elements in registers from loop to loop.
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128, keep=8)' --reassociate -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck --check-prefix=SOFTMAX %s < %t.cu
// RUN: FileCheck --check-prefix=LAYERNORM %s < %t.cu
// RUN: FileCheck --check-prefix=INPLACE %s < %t.cu
// RUN: FileCheck --check-prefix=SEEN %s < %t.cu
// RUN: FileCheck --check-prefix=LATER %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// The kernels stay short.
// RUN: awk '/^namespace softmax_hone/,/hone: end/' %t.cu | awk '/__global__/,/^}/' | %python -c "import sys; assert 40 < len(sys.stdin.readlines()) < 80"
// RUN: awk '/^namespace layernorm_hone/,/hone: end/' %t.cu | awk '/__global__/,/^}/' | %python -c "import sys; assert 40 < len(sys.stdin.readlines()) < 80"
// RUN: %hone opt %s --recipe 'split-reduction(each=4, keep=2)' --reassociate --kernel layernorm 2>/dev/null | FileCheck --check-prefix=EACH %s
// RUN: %hone verify %s --recipe 'split-reduction(keep=3)' --reassociate --set rows=37 --set width=70 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(keep=3)' --reassociate --set rows=5 --set width=97 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64, keep=2)' --reassociate --set rows=37 --set width=128 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=8, keep=16)' --reassociate --set rows=37 --set width=70 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(rows=2, each=4, keep=2)' --reassociate --kernel layernorm --set rows=37 --set width=76 | FileCheck --check-prefix=FAST %s
// RUN: %hone verify %s --recipe 'split-reduction(rows=2, each=4, keep=2)' --reassociate --kernel counters --set rows=37 --set width=77 | FileCheck --check-prefix=FAST %s
// FAST: equal in
// FAST: width=7{{[67]}}, grid 1, block 256: equal{{$}}
// SAME-NOT: NOT EQUAL
// SAME-COUNT-7: kernel `{{[A-Za-z]+}}`: equal in
// Rows that overlap what is kept are left to the original.
// RUN: %hone verify %s --recipe 'split-reduction(keep=4)' --reassociate --kernel softmax --set rows=5 --set width=70 --alias out=in | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe 'split-reduction(keep=4)' --reassociate --kernel softmax --set rows=1 --set width=70 --alias out=in+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe 'split-reduction(keep=4)' --reassociate --kernel layernorm --set rows=1 --set width=70 --alias in=mean | FileCheck --check-prefix=ALIAS %s
// ALIAS: equal in

// EACH: float x_kept[kIterations][kEach];
// EACH-NEXT: #pragma unroll
// EACH: for (int slot = 0; slot < kIterations; ++slot) {
// EACH-NEXT: const int i_first = (lane + slot * kLanes) * kEach;
// EACH-NEXT: if (i_first + 3 < width) {
// EACH-NEXT: #pragma unroll
// EACH-NEXT: for (int e = 0; e < kEach; ++e) {
// EACH-NEXT: const int i = i_first + e;
// EACH-NEXT: x_kept[slot][e] = x[i];
// EACH-NEXT: m += x_kept[slot][e];
// EACH: width % 4 == 0

// REMARK: keep.cu:[[@LINE+7]]: kernel `softmax`: elements of x, y stay in registers from loop to loop
__global__ void softmax(float* out, const float* in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    const float* x = in + r * width;
    float* y = out + r * width;
    float most = -3.4e38f;
    for (int j = 0; j < width; j++)
      if (x[j] > most) most = x[j];
    double sum = 0.0;
    for (int j = 0; j < width; j++) {
      y[j] = expf(x[j] - most);
      sum += y[j];
    }
    for (int j = 0; j < width; j++) y[j] /= (float)sum;
  }
}
// SOFTMAX-LABEL: namespace softmax_hone {
// SOFTMAX: float most = -3.4e38f;
// SOFTMAX: float x_kept[kIterations];
// SOFTMAX-NEXT: #pragma unroll
// SOFTMAX-NEXT: for (int slot = 0; slot < kIterations; ++slot) {
// SOFTMAX-NEXT: const int j = lane + slot * kThreads;
// SOFTMAX-NEXT: if (j < width) {
// SOFTMAX-NEXT: x_kept[slot] = x[j];
// SOFTMAX-NEXT: if (x_kept[slot] > most) {
// SOFTMAX-NEXT: most = x_kept[slot];
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: }
// SOFTMAX: double sum = 0.0;
// SOFTMAX-NEXT: // The thread's elements of y stay in registers for the loops that follow.
// SOFTMAX-NEXT: float y_kept[kIterations];
// SOFTMAX-NEXT: #pragma unroll
// SOFTMAX-NEXT: for (int slot = 0; slot < kIterations; ++slot) {
// SOFTMAX-NEXT: const int j = lane + slot * kThreads;
// SOFTMAX-NEXT: if (j < width) {
// SOFTMAX-NEXT: y_kept[slot] = expf(x_kept[slot] - most);
// SOFTMAX-NEXT: sum += y_kept[slot];
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: }
// SOFTMAX: if (j < width) {
// SOFTMAX-NEXT: y[j] = y_kept[slot] / (float)sum;
// SOFTMAX-NEXT: }
// SOFTMAX: width <= 1024

__global__ void layernorm(float* out, float* mean, float* rstd, const float* in, const float* weight, const float* bias,
                          int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* x = in + r * width;
  float m = 0.0f;
  for (int i = 0; i < width; i++) m += x[i];
  m = m / width;
  float v = 0.0f;
  for (int i = 0; i < width; i++) {
    float d = x[i] - m;
    v += d * d;
  }
  float s = 1.0f / sqrtf(v / width + 1e-5f);
  for (int i = 0; i < width; i++) out[r * width + i] = s * (x[i] - m) * weight[i] + bias[i];
  mean[r] = m;
  rstd[r] = s;
}
// LAYERNORM-LABEL: namespace layernorm_hone {
// LAYERNORM: x_kept[slot] = x[i];
// LAYERNORM-NEXT: m += x_kept[slot];
// LAYERNORM: float d = x_kept[slot] - m;
// LAYERNORM-NOT: x[
// LAYERNORM: out[r * width + i] = s * (x_kept[slot] - m) * weight[i] + bias[i];

// A row that is worked on in its place: the last store alone is left.
__global__ void inplace(float* __restrict__ x, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int j = 0; j < width; ++j) {
    x[r * width + j] = x[r * width + j] * x[r * width + j];
    sum += x[r * width + j];
  }
  for (int j = 0; j < width; ++j) x[r * width + j] += sum;
  float most = -1;
  for (int j = 0; j < width; ++j) {
    most = fmaxf(most, x[r * width + j]);
  }
  for (int j = 0; j < width; ++j) x[r * width + j] = x[r * width + j] / most;
}
// INPLACE-LABEL: namespace inplace_hone {
// INPLACE: x_kept[slot] = x[r * width + j];
// INPLACE-NEXT: x_kept[slot] = x_kept[slot] * x_kept[slot];
// INPLACE-NEXT: sum += x_kept[slot];
// INPLACE: x_kept[slot] += sum;
// INPLACE-NEXT: }
// INPLACE: most = fmaxf(most, x_kept[slot]);
// INPLACE: x[r * width + j] = x_kept[slot] / most;

// What somebody reads between the loops is stored all the same: another place of the row, a loop under a condition.
__global__ void seen(const int* __restrict__ a, int* __restrict__ y, int* __restrict__ z, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < width; ++j) {
    y[r * width + j] = a[r * width + j] % 7;
    sum += y[r * width + j];
  }
  z[r] = y[r * width] + sum;
  for (int j = 0; j < width; ++j) y[r * width + j] += sum;
}
// SEEN-LABEL: namespace seen_hone {
// SEEN: y_kept[slot] = a[r * width + j] % 7;
// SEEN-NEXT: y[r * width + j] = y_kept[slot];
// SEEN-NEXT: sum += y_kept[slot];
// SEEN: z[r] = y[r * width] + sum;
// SEEN: y[r * width + j] = y_kept[slot] + sum;

// Loops under a condition, and one over a part of the row alone, which has a row's elements of its own.
__global__ void later(const int* __restrict__ a, int* __restrict__ y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0, odd = 0;
  for (int j = 0; j < width; ++j) sum += a[r * width + j];
  if (sum > 3) {
    for (int j = 0; j < width; ++j) y[r * width + j] = a[r * width + j] - sum;
  } else {
    for (int j = 0; j < width; ++j) odd += a[r * width + j] & 1;
  }
  for (int j = 0; j < width - 1; ++j) odd += a[r * width + j];
  if (odd > 0) y[r * width] = odd;
}
// LATER-LABEL: namespace later_hone {
// LATER: sum += a_kept[slot];
// LATER: y[r * width + j] = a_kept[slot] - sum;
// LATER: added += a_kept[slot] & 1;
// LATER: for (int j = lane; j < width - 1; j += kThreads) {
// LATER-NEXT: added2 += a[r * width + j];

// Pairs of neighbours, of which each loop touches both.
__global__ void pairs(int* __restrict__ y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < width / 2; ++j) {
    y[r * width + 2 * j] += 3;
    y[r * width + 2 * j + 1] -= 4;
    sum += y[r * width + 2 * j] * y[r * width + 2 * j + 1];
  }
  for (int j = 0; j < width / 2; ++j) {
    int first = y[r * width + 2 * j], second = y[r * width + 2 * j + 1];
    y[r * width + 2 * j] = second + sum;
    y[r * width + 2 * j + 1] = first;
  }
}

// Downwards and in steps, in unsigned numbers; a counter declared before; conditions inside.
__global__ void counters(const float* __restrict__ a, float* __restrict__ y, unsigned rows, unsigned width) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = a[r * width], least = most;
  unsigned j;
  for (j = 1; j < width; ++j) {
    most = fmaxf(most, a[r * width + j]);
    least = fminf(least, a[r * width + j]);
  }
  for (j = 1; j < width; ++j) {
    if (a[r * width + j] > least) y[r * width + j] = a[r * width + j] - least;
    if (a[r * width + j] == most) y[r * width + j] = 1;
  }
}
