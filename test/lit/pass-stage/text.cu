// What comes out.
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage' -o %t.cu 2> %t.remarks
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --kernel product --recipe 'block(x=16) stage(depth=16)' --target gtx280 2>&1 | FileCheck --check-prefix=GTX280 %s

// The sum needs no condition: tiles hold zeros beyond the matrices.
// REMARK: text.cu:[[@LINE+7]]: kernel `product`: staged through shared memory: 16 x 16 elements of a, each read 16 times by the block, 16 iterations of L1 at a time
// REMARK: text.cu:[[@LINE+6]]: kernel `product`: staged through shared memory: 16 x 16 elements of b, each read 16 times by the block, 16 iterations of L1 at a time
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}
// CHECK: namespace product_hone {
// CHECK: constexpr int kDepth = 16;
// CHECK: __shared__ float a_tile[kBlockY][kDepth];
// CHECK-NEXT: __shared__ float b_tile[kDepth][kBlockX];
// CHECK: float sum = 0;
// CHECK-NEXT: // Staged in shared memory, kDepth steps of i at a time: 16 x 16 elements of a, each read 16 times
// CHECK: for (int i0 = 0; i0 < w; i0 += kDepth) {
// CHECK-NEXT: a_tile[ty][tx] = y < w && i0 + tx < w ? a[y * w + i0 + tx] : 0.0f;
// CHECK-NEXT: b_tile[ty][tx] = {{.*}} ? b[(i0 + ty) * w + x] : 0.0f;
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: for (int i = i0; i < i0 + kDepth && i < w; ++i) {
// CHECK-NEXT: sum += a_tile[ty][i - i0] * b_tile[i - i0][tx];
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: }
// CHECK-NEXT: if (x < w && y < w) {
// CHECK-NEXT: c[y * w + x] = sum;

// One half warp to a block: a is shared by its threads, b by none of them.
// GTX280: note: `b` is not staged: no reuse and already coalesced
// GTX280: __shared__ float a_tile[1][kDepth];
// GTX280: a_tile[0][tx] = {{.*}}a[
// GTX280: __syncthreads();
// GTX280-NEXT: if ({{.*}}) {
// GTX280-NEXT: for (int i = i0; i < i0 + kDepth && i < w; ++i) {
// GTX280-NEXT: sum += a_tile[0][i - i0] * b[i * w + x];

// A row of padding keeps the columns of the tile in different banks.
// REMARK: kernel `transpose`: staged through shared memory: 16 x 16 elements of o, which threads write far apart from each other
__global__ void transpose(const float* __restrict__ a, float* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[x * h + y] = a[y * w + x];
}
// CHECK: namespace transpose_hone {
// CHECK: __shared__ float o_tile[kBlockX][kBlockY + 1];
// CHECK: if (x < w && y < h) {
// CHECK-NEXT: o_tile[tx][ty] = a[y * w + x];
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
// CHECK: o[((int)blockIdx.x * kBlockX + ty) * h + (int)blockIdx.y * kBlockY + tx] = o_tile[ty][tx];
