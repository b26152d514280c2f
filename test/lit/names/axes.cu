// A pitch of the user's that is called as hone calls the threads of a block, in kernels whose block hone changes.
// RUN: %hone opt %s --recipe 'block(x=64, y=2) swap-axes(axes=xy)' --kernel columns -o %t.cu 2>&1 | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'block(x=64) merge-threads(x=2)' --kernel copied -o %t2.cu 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %clang_cuda_ptx %t2.cu
// RUN: FileCheck --check-prefix=TEXT %s < %t2.cu

#define kBlockX 64

// CHECK-NOT: left alone
// CHECK: kernel `columns`: rewritten
__global__ void columns(const float* a, float* b, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kBlockX && y < h) b[y * kBlockX + x] = a[y * kBlockX + x] * 2;
}

// The user's number is not hone's, though both are 64 here.
// MERGED-NOT: left alone
// MERGED: kernel `copied`: rewritten
// TEXT: constexpr int kBlockX_2 = 64;
// TEXT: if (x < kBlockX && y < h)
// TEXT: b[y * kBlockX + x] = a[y * kBlockX + x] * 2;
__global__ void copied(const float* a, float* b, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kBlockX && y < h) b[y * kBlockX + x] = a[y * kBlockX + x] * 2;
}
