// A pointer that differs between the merged threads and lives from one loop over them to another: an array of pointers into global memory,
// which reads back as one.
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' --cuda-path none -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// REMARK: kernel `rows`: rewritten beside the original

// CHECK-LABEL: namespace rows_hone
// CHECK: const float* from[kPerX];
// CHECK: from[rx] = {{.*}}a + at[i]
__global__ void rows(float* __restrict__ out, const float* __restrict__ a, const int* __restrict__ at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float* from = a + at[i];
    float sum = 0;
    for (int k = 0; k < 7; ++k) sum += from[k];
    out[i] = sum;
  }
}
