// A thread that walks a row alone becomes a warp or block that walks it together, all loops in one scheme.
// RUN: %hone opt %s --recipe split-reduction --reassociate -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck --check-prefix=SOFTMAX %s < %t.cu
// RUN: FileCheck --check-prefix=LAYERNORM %s < %t.cu
// RUN: FileCheck --check-prefix=EMBED %s < %t.cu
// RUN: FileCheck --check-prefix=WAITS %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// What is added is short.
// RUN: awk '/hone: begin, beside softmax/,/hone: end/' %t.cu | %python -c "import sys; assert 40 < len(sys.stdin.readlines()) < 80"
// RUN: awk '/hone: begin, beside layernorm/,/hone: end/' %t.cu | %python -c "import sys; assert 40 < len(sys.stdin.readlines()) < 80"
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=256)' --reassociate --kernel softmax 2>/dev/null | FileCheck --check-prefix=BLOCK %s
// RUN: %hone verify %s --recipe split-reduction --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64)' --reassociate --set rows=37 --set width=70 --set count=50 --set length=7 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=8)' --reassociate --set rows=37 --set width=70 --set count=50 --set length=7 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(rows=2, each=4)' --reassociate --set rows=37 --set width=70 --set count=50 --set length=7 | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-8: kernel `{{[A-Za-z]+}}`: equal in
// A row may be written where it is read; arrays that overlap otherwise are left to the original.
// RUN: %hone verify %s --recipe split-reduction --reassociate --kernel softmax --set rows=5 --set width=70 --alias out=in | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --reassociate --kernel softmax --set rows=1 --set width=70 --alias out=in+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --reassociate --kernel layernorm --set rows=1 --set width=70 --alias in=mean | FileCheck --check-prefix=ALIAS %s
// ALIAS: equal in
// Maps and exact sums need no permission.
// RUN: %hone verify %s --recipe split-reduction --kernel embed | FileCheck --check-prefix=EXACT %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel ranges | FileCheck --check-prefix=EXACT %s
// EXACT: equal in
// The number of iterations in the way of an int: the original runs.
// RUN: %hone opt %s --recipe split-reduction --kernel embed 2>/dev/null | FileCheck --check-prefix=LIMIT %s
// LIMIT: width <= 2147483614

// BLOCK: __shared__ float most_parts[kThreads / 32];
// BLOCK: __shared__ double sum_parts[kThreads / 32];
// BLOCK: int r = blockIdx.x;
// BLOCK: for (int j = lane; j < width; j += kThreads) {
// BLOCK: most = fmaxf(most, other_most);
// BLOCK: if (lane % 32 == 0) {
// BLOCK-NEXT: most_parts[lane / 32] = most;
// BLOCK-NEXT: }
// BLOCK-NEXT: __syncthreads();
// BLOCK-NEXT: most = most_parts[0];
// BLOCK: for (int warp = 1; warp < kThreads / 32; ++warp) {
// BLOCK-NEXT: most = fmaxf(most, most_parts[warp]);
// BLOCK-NEXT: }
// BLOCK: sum_parts[lane / 32] = sum;
// BLOCK-NEXT: }
// BLOCK-NEXT: __syncthreads();
// BLOCK: for (int j = lane; j < width; j += kThreads) {
// BLOCK-NEXT: y[j] /= (float)sum;

// REMARK: rows.cu:[[@LINE+8]]: kernel `softmax`: the iterations of L1, L2, L3 are shared by the 32 lanes of a warp
__global__ void softmax(float* out, const float* in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    const float* x = in + r * width;
    float* y = out + r * width;
    float most = -3.4e38f;
    // The greatest first.
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
// SOFTMAX: const int lane = threadIdx.x;
// SOFTMAX-NEXT: int r = blockIdx.x * kRows + threadIdx.y;
// SOFTMAX-NEXT: if (r < rows) {
// SOFTMAX-NEXT: const float* x = in + r * width;
// SOFTMAX-NEXT: float* y = out + r * width;
// SOFTMAX-NEXT: float most = -3.4e38f;
// SOFTMAX-NEXT: // The greatest first.
// SOFTMAX-NEXT: // The iterations of all 3 loops over the row are dealt out to the 32 lanes of a warp, which put their
// SOFTMAX-NEXT: // parts together so that each of them has the whole.
// SOFTMAX-NEXT: for (int j = lane; j < width; j += kLanes) {
// SOFTMAX-NEXT: if (x[j] > most) {
// SOFTMAX-NEXT: most = x[j];
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: #pragma unroll
// SOFTMAX-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// SOFTMAX-NEXT: const float other_most = __shfl_xor_sync(0xffffffffu, most, offset);
// SOFTMAX-NEXT: most = fmaxf(most, other_most);
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: double sum = 0.0;
// SOFTMAX-NEXT: for (int j = lane; j < width; j += kLanes) {
// SOFTMAX-NEXT: y[j] = expf(x[j] - most);
// SOFTMAX-NEXT: sum += y[j];
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: #pragma unroll
// SOFTMAX-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// SOFTMAX-NEXT: sum += __shfl_xor_sync(0xffffffffu, sum, offset);
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: for (int j = lane; j < width; j += kLanes) {
// SOFTMAX-NEXT: y[j] /= (float)sum;
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: }
// SOFTMAX-NEXT: }

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
// LAYERNORM: const int lane = threadIdx.x;
// LAYERNORM-NEXT: int r = blockIdx.x * kRows + threadIdx.y;
// LAYERNORM-NEXT: if (r < rows) {
// LAYERNORM-NEXT: const float* x = in + r * width;
// LAYERNORM-NEXT: float m = 0.0f;
// LAYERNORM-NEXT: // The iterations of all 3 loops over the row are dealt out to the 32 lanes of a warp, which put their
// LAYERNORM-NEXT: // parts together so that each of them has the whole.
// LAYERNORM-NEXT: for (int i = lane; i < width; i += kLanes) {
// LAYERNORM-NEXT: m += x[i];
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: #pragma unroll
// LAYERNORM-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// LAYERNORM-NEXT: m += __shfl_xor_sync(0xffffffffu, m, offset);
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: m = m / width;
// LAYERNORM-NEXT: float v = 0.0f;
// LAYERNORM-NEXT: for (int i = lane; i < width; i += kLanes) {
// LAYERNORM-NEXT: float d = x[i] - m;
// LAYERNORM-NEXT: v += d * d;
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: #pragma unroll
// LAYERNORM-NEXT: for (int offset = kLanes / 2; offset > 0; offset /= 2) {
// LAYERNORM-NEXT: v += __shfl_xor_sync(0xffffffffu, v, offset);
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: float s = 1.0f / sqrtf(v / width + 1e-5f);
// LAYERNORM-NEXT: for (int i = lane; i < width; i += kLanes) {
// LAYERNORM-NEXT: out[r * width + i] = s * (x[i] - m) * weight[i] + bias[i];
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: __syncwarp();
// LAYERNORM-NEXT: if (lane == 0) {
// LAYERNORM-NEXT: mean[r] = m;
// LAYERNORM-NEXT: rstd[r] = s;
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: }
// LAYERNORM-NEXT: }

// A row of a table, found by a number: every lane reads that number, and the row is copied side by side.
__global__ void embed(float* __restrict__ out, const int* ids, const float* table, const float* place, int count, int length,
                      int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    int t = i % length;
    int id = ids[i];
    for (int c = 0; c < width; c++) out[i * width + c] = table[id * width + c] + place[t * width + c];
  }
}
// EMBED-LABEL: namespace embed_hone {
// EMBED: int id = ids[i];
// EMBED-NEXT: // The iterations of the loop are dealt out to the 32 lanes of a warp.
// EMBED-NEXT: for (int c = lane; c < width; c += kLanes) {
// EMBED-NEXT: out[i * width + c] = table[id * width + c] + place[t * width + c];
// EMBED-NEXT: }
// EMBED-NEXT: }
// EMBED-NEXT: }

// A loop that reads what others of the lanes wrote, and one that writes it again, wait.
__global__ void shifted(const int* __restrict__ in, int* __restrict__ out, int* __restrict__ sums, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < width; ++j) out[r * width + j] = in[r * width + j] + 1;
  int sum = 0;
  for (int j = 1; j < width; ++j) sum += out[r * width + j] * out[r * width + j - 1];
  if (sum > 5) sums[2 * r] = sum;
  for (int j = 0; j < width; ++j) out[r * width + j] -= sum;
  sums[2 * r + 1] = out[r * width];
}
// WAITS-LABEL: namespace shifted_hone {
// WAITS: out[r * width + j] = in[r * width + j] + 1;
// WAITS-NEXT: }
// WAITS-NEXT: int sum = 0;
// WAITS-NEXT: __syncwarp();
// WAITS-NEXT: for (int j = 1 + lane; j < width; j += kLanes) {
// WAITS: __shfl_xor_sync
// WAITS-NEXT: }
// WAITS-NEXT: if (lane == 0) {
// WAITS-NEXT: if (sum > 5) {
// WAITS: __syncwarp();
// WAITS-NEXT: for (int j = lane; j < width; j += kLanes) {
// WAITS-NEXT: out[r * width + j] -= sum;
// WAITS-NEXT: }
// WAITS-NEXT: __syncwarp();
// WAITS-NEXT: if (lane == 0) {
// WAITS-NEXT: sums[2 * r + 1] = out[r * width];

// Ends that depend on the row and come from memory; two sums and an extremum at once; one loop under a condition.
__global__ void ranges(const int* __restrict__ begins, const int* __restrict__ a, int* __restrict__ y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int end = begins[r] & 63, sum = 3, least = 100;
  bool any = false;
  for (int j = 0; j <= end; j += 3) {
    sum += a[r * 64 + j];
    least = min(least, a[r * 64 + j]);
    any |= a[r * 64 + j] > 2;
  }
  if (any) {
    for (int j = end; j > 0; --j) y[r * 64 + j] = a[r * 64 + j] * least - sum;
  } else {
    y[r * 64] = sum;
  }
}

// Rows of structures, of which each iteration writes some fields.
struct Cell {
  float value;
  int count;
};
__global__ void cells(Cell* __restrict__ c, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int count = 0;
  for (int j = 0; j < width; ++j) {
    c[r * width + j].count = j + c[r * width + j].count % 7;
    count += c[r * width + j].count;
  }
  for (int j = 0; j < width; ++j) c[r * width + j].value = (float)(c[r * width + j].count + count);
}

// Unsigned counters, and a counter that is declared before.
__global__ void counters(const float* __restrict__ a, float* __restrict__ y, unsigned rows, unsigned width) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = a[r * width], least = most;
  unsigned j;
  for (j = 1; j < width; ++j) {
    most = fmaxf(most, a[r * width + j]);
    least = fminf(least, a[r * width + j]);
  }
  for (j = 0; j < width; ++j) y[r * width + j] = (a[r * width + j] - least) / (most - least + 1.0f);
}

// What reads nothing of others all lanes do alike.
__global__ void rooted(const float* __restrict__ a, float* __restrict__ y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float root = 1.0f + r;
  for (int k = 0; k < 3; ++k) root = 0.5f * (root + r / root);
  for (int j = 0; j < width; ++j) y[r * width + j] = a[r * width + j] * root;
}
