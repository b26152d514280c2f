// What stage does not work out, and a barrier of the kernel itself that a tile would have to share.
// RUN: %hone opt %s --recipe 'block(x=64) stage(a)' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'stage(a)' --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=OWN %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+3]]: kernel `folded`: left alone: `a` is not staged: what the block reads of a is too complex
__global__ void folded(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  if (x < n) o[x] = a[x / 5 * 7 + x % 3];
}

// After two such questions the rest are not asked.
// CHECK: :[[#@LINE+5]]: kernel `windows`: left alone: `a` is not staged: what the block reads is too complex
__global__ void windows(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  float s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j) s += a[(x + j) / 5 * 7 + (x + j) % 3 + i];
  o[x] = s;
}

// With flags of 0 all threads come to the barrier, which hone cannot know.
// OWN: :[[#@LINE+6]]: kernel `ends`: left alone: barriers are needed inside a condition that differs between threads, and the loop may end early
__global__ void ends(const float* __restrict__ a, float* __restrict__ o, const int* __restrict__ flag, int n, int m) {
  __shared__ float t[64];
  ID;
  t[threadIdx.x] = 0;
  if (flag[x / 64] + threadIdx.x < 100) {
    for (int k = 0; k < m; ++k) {
      t[threadIdx.x] += 1;
      __syncthreads();
      if (t[0] > 100) break;
    }
  }
  float s = t[threadIdx.x];
  for (int i = 0; i < n; ++i) s += a[i];
  o[x] = s;
}
