// A new kernel that takes an unsigned number of 64 bits for a signed one runs only where it is the same number.
// RUN: %hone opt %s --recipe stage -o - | FileCheck %s

// CHECK: (long long)w
// CHECK: void neighbours_launch(
// CHECK: const bool in_range = w <= 4611686018427387904ull &&
__global__ void neighbours(const float* a, float* c, size_t w) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= 1 && x + 1 < w) c[x] = a[x - 1] + a[x] + a[x + 1];
}

// What a tile begins at must not wrap: its loads stand outside of the kernel's guards.
// CHECK: void reversed_launch(
// CHECK: const bool in_range = {{.*}}w >= -1073741824
__global__ void reversed(const float* __restrict__ c, float* __restrict__ d, int w) {
  int x = blockIdx.x * 128 + threadIdx.x;
  if (x < w) d[x] = c[w - 1 - x] * 2 + c[w - 1 - (x ^ 1)];
}
