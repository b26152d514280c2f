// Only the first blocks of a triangle run for long, and a sample may miss them: sizes are then shortened until the original can be estimated.
// RUN: %hone opt %s --recipe promote --reassociate --estimate --no-verify -o %t.cu | FileCheck %s
// CHECK-NOT: runs for too long
// CHECK: estimated time
__global__ void pairs(float* sums, const float* data, int m, int n) {
  int a = blockIdx.x * blockDim.x + threadIdx.x;
  if (a < m) {
    for (int b = a; b < m; ++b) {
      sums[a * 2048 + b] = 0;
      for (int i = 0; i < n; ++i) sums[a * 2048 + b] += data[i * 2048 + a] * data[i * 2048 + b];
    }
  }
}

void run(float* sums, const float* data) { pairs<<<8, 256>>>(sums, data, 2048, 2048); }
