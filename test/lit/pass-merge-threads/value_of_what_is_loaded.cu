// What is computed from a loaded value in the same run of statements stands after the load.
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' --cuda-path none --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'merge-threads(x=2)' --cuda-path none | FileCheck --check-prefix=SAME %s
// SAME: kernel `windows`: equal in
// SAME-NOT: the original ran

// CHECK-LABEL: namespace windows_hone
// CHECK: for (int rx = 0; rx < kPerX; ++rx) {
// CHECK: int start = {{.*}}at[i]
// CHECK-NEXT: int next = start + 1;
// CHECK: a[next + 4 * k + j]
__global__ void windows(int* __restrict__ out, const int* __restrict__ a, const int* __restrict__ at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int start = at[i];
    int next = start + 1;
    int sum = 0;
    for (int k = 0; k < at[i]; ++k) {
      int inner = 0;
      for (int j = 0; j < 4; ++j) inner += a[next + 4 * k + j];
      sum ^= inner;
    }
    out[i] = sum;
  }
}
