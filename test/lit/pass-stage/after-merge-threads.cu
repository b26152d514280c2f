// Staged after threads were merged: what a thread reads side by side lies side by side in the tile, tiles hold zeros where nothing is, so that
// reads of them need no condition, and where sums may be reordered iterations beyond the end are done too: they add zeros.
// RUN: %hone opt %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8) vectorize' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8) vectorize' --reassociate | FileCheck %s --check-prefix=SAME
// RUN: %hone opt %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=ORDER < %t.cu
// RUN: %hone verify %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8)' --exact | FileCheck %s --check-prefix=SAME
// RUN: %hone opt %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8, layout=rows)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=ROWS < %t.cu

// CHECK-DAG: float b_tile[kDepth][kBCols];
// CHECK-DAG: float a_tile[kDepth][kARows + 4];
// CHECK: for (int i = i0; i < i0 + kDepth; ++i) {
// CHECK: *(const float4*)&b_tile[i - i0][tx * 4];
// CHECK: *(const float2*)&a_tile[i - i0][ty * 2];
// ORDER: for (int i = i0; i < i0 + kDepth && i < k; ++i) {
// ORDER: b_reg[rx] = b_tile[i - i0][rx + tx * 4];
// ROWS-DAG: float a_tile[kARows][kDepth
// ROWS: a_reg{{.*}} = a_tile[ry + ty * 2][i - i0];
// SAME: equal in
// SAME-NOT: error
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum;
}

// Each thread loads four elements of a row, in one access where they are aligned; with the next tile under way in registers.
// RUN: %hone opt %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8, wide=4) vectorize' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=WIDE < %t.cu
// RUN: %hone verify %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8, wide=4) vectorize' --reassociate | FileCheck %s --check-prefix=SAME
// RUN: %hone verify %s --kernel product --recipe 'block(x=64, y=32) merge-threads(x=4, y=2, how=adjacent) stage(depth=8, wide=4) prefetch(to=registers) vectorize' --reassociate | FileCheck %s --check-prefix=SAME
// RUN: %hone verify %s --kernel product --recipe 'block(x=48, y=20) merge-threads(x=3, y=5, how=adjacent) stage(depth=8, wide=4) vectorize' --exact | FileCheck %s --check-prefix=SAME
// WIDE: if (tid < kDepth * (kBCols / 4)) {
// WIDE: const int col = tid % (kBCols / 4) * 4;
// WIDE: const float4 b_four = *(const float4*)(b + (b_row * w + ((int)blockIdx.x * 64 + col)));

// In groups of four a thread's reads of a tile lie 64 and 32 elements apart, so that 16 bytes a lane meet no bank twice; whole strips are unrolled.
// RUN: %hone opt %s --kernel product --recipe 'block(x=128, y=64) merge-threads(x=8, y=8, how=groups) stage(depth=8, wide=4) vectorize' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=GROUPS < %t.cu
// RUN: %hone verify %s --kernel product --recipe 'block(x=128, y=64) merge-threads(x=8, y=8, how=groups) stage(depth=8, wide=4) vectorize' --reassociate | FileCheck %s --check-prefix=SAME
// RUN: %hone verify %s --kernel product --recipe 'block(x=48, y=16) merge-threads(x=6, y=4, how=groups, run=2) stage(depth=8) vectorize' --exact | FileCheck %s --check-prefix=SAME
// The wide form is chosen by the block, not by each thread; two blocks of so many registers are to fit.
// RUN: %hone opt %s --kernel product --recipe 'block(x=128, y=64) merge-threads(x=8, y=8, how=groups) stage(depth=16, wide=4) prefetch(to=both) vectorize' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=BLOCK < %t.cu
// RUN: %hone verify %s --kernel product --recipe 'block(x=128, y=64) merge-threads(x=8, y=8, how=groups) stage(depth=16, wide=4) prefetch(to=both) vectorize' --reassociate --set k=40 | FileCheck %s --check-prefix=SAME
// The first tile is filled by iterations written out, and not asked for: where the loop has no iteration nothing of it is loaded.
// BLOCK: __launch_bounds__(kThreads, 4)
// BLOCK-NOT: if (k > 0)
// BLOCK: #pragma unroll
// BLOCK-NEXT: for (int slot = 0; slot < {{[0-9]+}}; ++slot) {
// BLOCK: const bool whole = aligned && (int)blockIdx.x * 128 + 127 < w && (int)blockIdx.y * 64 + 63 < h;
// BLOCK: if (i0 + kDepth < k) {
// BLOCK-NEXT: if (whole && i0 + 31 < k) {
// BLOCK: const float4 b_four =
// BLOCK: const float4 a_four =
// BLOCK: } else {
// BLOCK-NEXT: // At the edge, and where arrays are not aligned, one element at a time.
// BLOCK: *(float4*)&b_tile[1 - buffer][row][col] =
// GROUPS: __syncthreads();
// GROUPS-NEXT: #pragma unroll
// GROUPS-NEXT: for (int i = i0; i < i0 + kDepth; ++i) {
// GROUPS: *(const float4*)&b_tile[i - i0][tx * 4];
// GROUPS: *(const float4*)&b_tile[i - i0][64 + tx * 4];
// GROUPS: *(const float4*)&a_tile[i - i0][ty * 4];
// GROUPS: *(const float4*)&a_tile[i - i0][32 + ty * 4];
// GROUPS: int x = blockIdx.x * kTileX + threadIdx.x * kRun + rx + rx / kRun * kSkipX;

// The element of an iteration beyond the end is that of a neighbour's: it is not 0, and the iteration must not be done.
// RUN: %hone opt %s --kernel window --recipe 'block(x=64) stage(depth=8)' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=WINDOW < %t.cu
// RUN: %hone verify %s --kernel window --recipe 'block(x=64) stage(depth=8)' --reassociate | FileCheck %s --check-prefix=SAME
// WINDOW: i < i0 + kDepth && i < k
__global__ void window(const float* __restrict__ a, float* __restrict__ c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[x + i];
  c[x] = sum;
}

// An iteration beyond the end would multiply zeros by what may be no number.
// RUN: %hone opt %s --kernel scaled --recipe 'block(x=64) stage(a, depth=8)' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=SCALED < %t.cu
// SCALED: i < i0 + kDepth && i < k
__global__ void scaled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0, factor = b[x];
  for (int i = 0; i < k; ++i) sum += a[i] * factor;
  c[x] = sum;
}

// An iteration beyond the end would be one of elements beyond the thread's own array.
// RUN: %hone opt %s --kernel apart --recipe 'block(x=64) stage(depth=8)' --reassociate --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=APART < %t.cu
// APART: i < i0 + kDepth && i < k
__global__ void apart(const float* __restrict__ a, float* __restrict__ c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w || k > 10) return;
  float sum[10] = {};
  for (int i = 0; i < k; ++i) sum[i] += a[i] * a[i];
  c[x] = sum[0] + sum[9];
}

// The choice asks for more than that the element exists: its neighbour reads it.
// RUN: %hone opt %s --kernel chosen --recipe 'block(x=64) stage(a, depth=8)' --no-verify -o %t.cu
// RUN: FileCheck %s --check-prefix=CHOSEN < %t.cu
// RUN: %hone verify %s --kernel chosen --recipe 'block(x=64) stage(a, depth=8)' --exact | FileCheck %s --check-prefix=SAME
// CHOSEN: x % 2 == 0 ? a_tile[i - i0] : 0.0f
__global__ void chosen(const float* __restrict__ a, float* __restrict__ c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += x % 2 == 0 ? a[i] : 0.0f;
  c[x] = sum;
}
