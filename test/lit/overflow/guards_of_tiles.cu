// A new kernel that takes an unsigned number of 64 bits for a signed one runs only where it is the same number.
// RUN: %hone opt %s --recipe stage -o - | FileCheck %s

// CHECK: (long long)w
// CHECK: void neighbours_launch(
// CHECK: const bool in_range = w <= 4611686018427387904ull &&
__global__ void neighbours(const float* a, float* c, size_t w) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= 1 && x + 1 < w) c[x] = a[x - 1] + a[x] + a[x + 1];
}
