// Several elements that one loop updates: whether it has an iteration is tested once for all of them.
// RUN: %hone opt %s --recipe promote --cuda-path none --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe promote --cuda-path none | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe promote --cuda-path none --set steps=0 --exact | FileCheck --check-prefix=SAME %s

// SAME: equal in
// SAME-NOT: the original ran
// CHECK: for (size_t j = i; j < n; j += all) {
// CHECK: if (steps >= 1) {
// CHECK-NOT: if (steps >= 1)
// CHECK-DAG: const float g_value = g[j];
// CHECK-DAG: float m_value = m[j];
// CHECK-DAG: float v_value = v[j];
// CHECK: for (int t = 1; t <= steps; ++t) {
// CHECK-NOT: if (steps >= 1)
__global__ void advance(float* __restrict__ m, float* __restrict__ v, const float* __restrict__ g, float a,
                        int steps, size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (size_t j = i; j < n; j += all)
    for (int t = 1; t <= steps; ++t) {
      m[j] = a * m[j] + g[j];
      v[j] = a * v[j] + g[j] * t;
    }
}
