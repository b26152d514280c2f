// RUN: %hone opt %s --recipe 'block(x=16, y=16) merge-threads(x=2, y=4)' --kernel matmul --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=MATMUL %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'merge-threads(y=2)' --kernel choose --no-verify | FileCheck --check-prefix=CHOOSE %s
// RUN: %hone opt %s --recipe 'merge-threads(y=2)' --kernel tiled --no-verify -o %t2.cu
// RUN: FileCheck --check-prefix=TILED %s < %t2.cu
// RUN: %clang_cuda_ptx %t2.cu
// RUN: %hone opt %s --recipe 'merge-threads(x=4, how=strided)' --kernel reverse --block 64 --no-verify | FileCheck --check-prefix=STRIDED %s
// RUN: %hone opt %s --recipe 'merge-threads(x=4, how=adjacent)' --kernel reverse --block 64 --no-verify | FileCheck --check-prefix=ADJACENT %s

// The register tile: what rows share of b and columns of a is loaded once, where one of the merged threads loads it.
// MATMUL: constexpr int kPerX = 2;
// MATMUL: constexpr int kPerY = 4;
// MATMUL: if ((int)(blockIdx.x * kPerX * kBlockX + threadIdx.x) < w
// MATMUL: float sum[kPerY][kPerX] = {};
// MATMUL-NEXT: for (int i = 0; i < w; ++i) {
// MATMUL: b_reg[rx] = x < w ? b[i * w + x] : 0.0f;
// MATMUL: for (int ry = 0; ry < kPerY; ++ry) {
// MATMUL: float a_reg = y < w ? a[y * w + i] : 0.0f;
// MATMUL-NEXT: #pragma unroll
// MATMUL-NEXT: for (int rx = 0; rx < kPerX; ++rx) {
// MATMUL-NEXT: sum[ry][rx] += a_reg * b_reg[rx];
// MATMUL: if (x < w && y < w) {
// MATMUL-NEXT: c[y * w + x] = sum[ry][rx];
__global__ void matmul(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

// A condition that depends on data is asked for each of them; what they share is loaded once for both.
// CHOOSE: for (int k = 0; k < w; ++k) {
// CHOOSE: float weights_reg = weights[k * w + x];
// CHOOSE: for (int ry = 0; ry < kPerY; ++ry) {
// CHOOSE: if ({{.*}}keys[y] == k) {
// CHOOSE-NEXT: best[ry] += weight;
__global__ void choose(const int* keys, const float* weights, float* out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float best = 0;
  for (int k = 0; k < w; ++k) {
    float weight = weights[k * w + x];
    if (keys[y] == k) best += weight;
  }
  out[y * w + x] = best;
}

// Tiles that differ between the merged blocks get a copy for each, all accesses with it; the other stays one and is filled once.
// TILED: __shared__ float at[kPerY][16][16];
// TILED-NEXT: __shared__ float bt[16][16];
// TILED: for (int ry = 0; ry < kPerY; ++ry) {
// TILED: at[ry][ty][tx] =
// TILED: }
// TILED-NEXT: bt[ty][tx] =
// TILED-NEXT: __syncthreads();
// TILED-NEXT: for (int k = 0; k < 16; ++k) {
// TILED: float bt_reg = bt[k][tx];
// TILED: sum[ry] += at[ry][ty][k] * bt_reg;
__global__ void tiled(const float* a, const float* b, float* c, int w) {
  __shared__ float at[16][16], bt[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int i = 0; i < w; i += 16) {
    at[ty][tx] = y < w && i + tx < w ? a[y * w + i + tx] : 0;
    bt[ty][tx] = i + ty < w && x < w ? b[(i + ty) * w + x] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += at[ty][k] * bt[k][tx];
    __syncthreads();
  }
  if (x < w && y < w) c[y * w + x] = sum;
}

// STRIDED: int i = blockIdx.x * kTileX + threadIdx.x + rx * kBlockX;
// ADJACENT: int i = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
__global__ void reverse(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}
