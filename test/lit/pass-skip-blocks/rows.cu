// Loops over tiles end where no row of the block has work in them any more.
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' -o %t.cu 2> %t.said
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAID %s < %t.said
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=131 --set w=45 --set m=3 --grid '(w + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=64 --set w=32 --set m=-70 --grid '(w + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set n=1 --set w=1 --set m=2147483647 --grid '3, 3' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=8, y=4) stage(depth=8) prefetch skip-blocks' --set n=57 --set w=20 --set m=0 --grid '(w + 15) / 16, (n + 15) / 16' --block 16,16 --exact | FileCheck --check-prefix=EQUAL %s
// EQUAL-NOT: different
// EQUAL: equal
// SAID: kernel `values`: loops end where no thread of the block has work in them any more

// CHECK-LABEL: namespace values_hone
// CHECK: for (int k0 = 0; k0 < n && k0 < (int)blockIdx.y * 32 + 32; k0 += kDepth) {
__global__ void values(float* __restrict__ out, const float* __restrict__ a, const float* __restrict__ v, int n, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || t >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    if (k <= t) sum += a[t * n + k] * v[k * w + c];
  out[t * w + c] = sum;
}

// A parameter moves the diagonal: what it adds may be large.
// CHECK-LABEL: namespace moved_hone
// CHECK: for (int k0 = 0; k0 < n && k0 < blockIdx.y * 32ll + m + 31ll; k0 += kDepth) {
__global__ void moved(float* __restrict__ out, const float* __restrict__ a, const float* __restrict__ v, int n, int w, int m) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || t >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    if (k - t < m) sum += a[t * n + k] * v[k * w + c];
  out[t * w + c] = sum;
}

// What every iteration counts keeps the loop as it is.
// CHECK-LABEL: namespace counted_hone
// CHECK: for (int k0 = 0; k0 < n; k0 += kDepth) {
__global__ void counted(float* __restrict__ out, const float* __restrict__ a, const float* __restrict__ v, int n, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || t >= n || c / 64 > t / 64) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if (k <= t) sum += a[t * n + k] * v[k * w + c];
    sum += 1;
  }
  out[t * w + c] = sum;
}
