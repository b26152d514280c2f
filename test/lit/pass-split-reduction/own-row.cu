// One thread reads through one name what it stores through another: lanes must have read it before lane 0 stores.
// RUN: %hone verify %s --recipe 'split-reduction(rows=1)' --set n=1 --set k=32 --grid 1 --block 32 --alias e=c+0 --exact --reassociate | FileCheck %s
// CHECK: kernel `row`: equal in
__global__ void row(const float* e, float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float sum = 2;
    for (int i = 0; i < k; ++i) sum += e[x + i];
    c[x] += sum;
  }
}
