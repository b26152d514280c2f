// Tests before the launch that came out one way in every run are told, each as the source would have it.
// RUN: %hone verify %s --recipe 'block(x=64)' --kernel copy | FileCheck %s
// RUN: %hone verify %s --recipe 'block(x=64)' --kernel copy --json - | FileCheck --check-prefix=JSON %s
// CHECK: tests before the launch that held in every run: `gridDim.x * blockDim.x <= {{[0-9]+}}` (in_range)
// CHECK-NOT: tests before the launch that held in none
// JSON: "one_sided_tests"
// JSON: "test": "`gridDim.x * blockDim.x <= {{[0-9]+}}` (in_range)"
// JSON-NEXT: "asked": true
// JSON-NEXT: "held": true
__global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
