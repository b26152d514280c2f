// Which row of blocks a block has, along the diagonals, is known by so wide bounds that addresses at them wrap around: what arrays are told apart by is what the original launch touches, and only at sizes at which its own addresses do not wrap around.
// RUN: %hone opt %s --recipe 'remap-blocks(how=diagonal) vectorize(width=4)' --target gtx280 --no-verify --offer -o %t.cu 2>/dev/null && FileCheck %s < %t.cu
// RUN: %hone opt %s --recipe 'remap-blocks(how=diagonal) stage' --target gtx280 --no-verify --offer -o %t.cu 2>&1 | FileCheck --check-prefix=STAGE %s
// STAGE: kernel `rows`: left alone: `in` is not staged: c may alias in (what they touch is known too roughly to be tested before the launch); add __restrict__ or pass --assume-noalias
// CHECK: const bool in_range = w >= -64 && w <= 64 &&
// CHECK: const bool apart =
// CHECK-NEXT: in_range &&
// CHECK: if (in_range && covered && apart && aligned) {
__global__ void rows(const float* in, float* c, int w, int k) {
  const size_t x = blockIdx.x * blockDim.x + threadIdx.x;
  size_t y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int i = 0; i < 12; i++) {
    float t = c[(x + w * y) * (4 * k + 60) + i + 1] + in[(x + w * y) * (4 * k + 60) + i];
    c[(x + w * y) * (4 * k + 60) + i] = t > 3 ? 3 : t;
  }
}
