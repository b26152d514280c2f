// A size that threads have arrays of their own for is no larger than these: another guess is tried.
// RUN: %hone check %s | FileCheck %s
// CHECK: kernel `ways`: clean
// CHECK-NEXT: n=20 rows=988
// CHECK: clean at this guess; at --set n=48 {{.*}} there are {{[0-9]+}} findings
__global__ void ways(const int* __restrict__ first, int* __restrict__ out, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int place[20];
  for (int k = 0; k < n; ++k) place[k] = first[i] + k;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += place[n - 1 - k] * k;
  out[i] = sum;
}
