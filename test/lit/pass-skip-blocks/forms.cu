// Masks of other forms: bands, what a parameter says, blocks of a matrix, sums in memory, flat ids.
// RUN: %hone opt %s --recipe 'promote block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' -o %t.cu --kernel update
// RUN: FileCheck --check-prefix=UPDATE %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' -o %t.cu --kernel band --kernel blocks --kernel after
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'unflatten block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --no-verify -o %t.cu --kernel flat
// RUN: FileCheck --check-prefix=FLAT %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --kernel band --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=20 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel blocks --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel after --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=20 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel band --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=0 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel after --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=0 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel band --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=2147483647 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel after --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=2147483647 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel band --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=-2147483648 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel after --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --set w=-2147483648 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel update --recipe 'promote block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=100 --set m=17 --grid '(n + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel flat --recipe 'unflatten block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set B=2 --set T=70 --set C=20 --grid '(B * T * T + 255) / 256' --block 256 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel flat --recipe 'unflatten block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set B=1 --set T=1 --set C=1 --grid '(B * T * T + 255) / 256' --block 256 --exact | FileCheck --check-prefix=EQUAL %s
// EQUAL-NOT: different
// EQUAL: equal

// A band: of what its width adds nothing is known.
// CHECK-LABEL: namespace band_hone
// CHECK: if (blockIdx.y * 32ll + w + 31ll < blockIdx.x * 32ll || w + blockIdx.x * 32ll + 31ll < blockIdx.y * 32ll) {
// CHECK-NEXT: return;
__global__ void band(float* __restrict__ c, const float* __restrict__ a, int n, int m, int w) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || abs(j - i) > w) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// Whole blocks of 8 by 8 elements.
// CHECK-LABEL: namespace blocks_hone
// CHECK: if (blockIdx.y < blockIdx.x) {
// CHECK-NEXT: return;
__global__ void blocks(float* __restrict__ c, const float* __restrict__ a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || j / 8 > i / 8) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// Rows and columns that earlier launches are done with.
// CHECK-LABEL: namespace after_hone
// CHECK: if ((int)blockIdx.y * 32 + 31 < w || (int)blockIdx.x * 32 + 31 < w) {
// CHECK-NEXT: return;
__global__ void after(float* __restrict__ c, const float* __restrict__ a, int n, int m, int w) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < w || j < w || i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// A symmetric update in memory.
// UPDATE: if (blockIdx.x < blockIdx.y) {
// UPDATE-NEXT: return;
// UPDATE: c_value
__global__ void update(double* __restrict__ c, const double* __restrict__ a, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    if (j < i) return;
    c[i * n + j] *= 3;
    for (int k = 0; k < m; ++k) c[i * n + j] += a[i * m + k] * a[j * m + k];
  }
}

// Scores of attention, one thread for each in a row.
// FLAT: scores[idx] = -1.0f;
// FLAT: if (blockIdx.y < blockIdx.x) {
// FLAT-NEXT: return;
// FLAT: __syncthreads();
__global__ void flat(float* __restrict__ scores, const float* __restrict__ q, const float* __restrict__ k, int B, int T, int C) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < B * T * T) {
    int t2 = idx % T;
    int t = (idx / T) % T;
    if (t2 > t) {
      scores[idx] = -1.0f;
      return;
    }
    int b = idx / (T * T);
    const float* query = q + (b * T + t) * C;
    const float* key = k + (b * T + t2) * C;
    float sum = 0;
    for (int i = 0; i < C; i++) sum += query[i] * key[i];
    scores[idx] = sum;
  }
}
