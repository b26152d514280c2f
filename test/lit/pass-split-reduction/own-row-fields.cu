// The same where the names are fields: lanes must have read what lane 0 stores.
// RUN: %hone verify %s --recipe 'split-reduction(rows=1)' --set n=50 --set rows=20 --alias to.data=from.data+0 --reassociate | FileCheck %s
// CHECK: kernel `row`: equal in
// CHECK-NOT: error
struct From {
  const float* data;
};
struct To {
  float* data;
};
__global__ void row(From from, To to, int n, int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= rows) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += from.data[x * n + i];
  to.data[x * n + n - 1] = sum;
}
