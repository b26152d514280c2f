// Products of three unsigned factors: whether arrays overlap, and whether a subscript wraps, is asked only where 64 bits hold the answer.
// RUN: %hone opt %s --recipe promote -o - | FileCheck %s

// CHECK: __global__ void cubes(
// CHECK: if (s <= 1048576u && d <= 1048576u &&
// CHECK: b_sum
__global__ void cubes(const float* a, float* b, unsigned n, unsigned d, unsigned s) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (unsigned j = 0; j < d; ++j) b[x] += a[j * s * s + x];
}
