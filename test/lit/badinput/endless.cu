// A kernel without end is given up in some seconds, also with a recipe of the user's.
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' -o - 2>&1 >/dev/null | FileCheck %s
// CHECK: kernel `k`: left alone: not verified, so that only --no-verify writes it: its threads run for too long to be tried here
__global__ void k(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (i < n) {
    while (1) s += b[i];
    a[i] = s;
  }
}
