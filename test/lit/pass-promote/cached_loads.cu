// Loads by intrinsics name no element that a register could stand for: they stay, and what stands beside them is promoted once.
// RUN: %hone opt %s --recipe promote --cuda-path none -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// REMARK: kernel `until`: left alone: b is not touched in every iteration
// REMARK: kernel `sums`: b[i] lives in a register during L1
// REMARK-NOT: lives in a register
// CHECK-NOT: c_value
// CHECK: if (__ldcg(c) > 5) break;
__global__ void until(const float* __restrict__ a, float* __restrict__ b, const int* __restrict__ c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < m; ++j) {
      if (__ldcg(c) > 5) break;
      b[i] += a[j];
    }
  }
}

// CHECK: += __ldg(c) + __ldcs(c) + __ldca(&c[1]);
__global__ void sums(float* __restrict__ b, const float* __restrict__ c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < m; ++j) b[i] += __ldg(c) + __ldcs(c) + __ldca(&c[1]);
  }
}
