// The user's names for numbers mean what they say, also where hone would call a number of its own the same.
// RUN: %hone opt %s --recipe 'split-reduction(over=block)' --reassociate -o %t.cu 2>&1 | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone opt %s --recipe 'split-reduction(over=grid)' --reassociate -o %t2.cu 2>&1 | FileCheck %s
// RUN: %clang_cuda_ptx %t2.cu
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=16, rows=32)' --reassociate -o %t3.cu 2>&1 | FileCheck %s
// RUN: %clang_cuda_ptx %t3.cu
// CHECK-NOT: left alone

#define kBlockX 64
#define kBlockY 4
#define kRows 8
constexpr int kBlockZ = 3;
enum { kThreads = 2 };

// CHECK: kernel `pitch`: rewritten
// TEXT: namespace pitch_hone
// TEXT: a[y * kBlockX +
__global__ void pitch(const float* a, float* s, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < n) {
    float t = 0;
    for (int x = 0; x < kBlockX; ++x) t += a[y * kBlockX + x];
    s[y] = t;
  }
}

// CHECK: kernel `factor`: rewritten
// TEXT: namespace factor_hone
// TEXT: * kBlockY
__global__ void factor(const float* a, float* s, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < n) {
    float t = 0;
    for (int x = 0; x < 96; ++x) t += a[y * 96 + x] * kBlockY;
    s[y] = t;
  }
}

// CHECK: kernel `quotient`: rewritten
__global__ void quotient(const float* a, float* s, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < n) {
    float t = 0;
    for (int x = 0; x < 96; ++x) t += a[(y * 96 + x) / kBlockZ];
    s[y] = t;
  }
}

// CHECK: kernel `rows`: rewritten
__global__ void rows(const float* a, float* s, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < n) {
    float t = 0;
    for (int x = 0; x < 96; ++x) t += a[(y * 96 + x) / kThreads] - kRows;
    s[y] = t;
  }
}
