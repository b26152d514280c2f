// Comments call a constant by the name that it got where its own is the user's, and no name is made with two
// underscores, which C++ keeps for itself.
// RUN: %hone opt %s --kernel product --recipe 'block(x=16, y=16) stage' -o %t.cu
// RUN: FileCheck --check-prefix=STAGED %s < %t.cu
// RUN: %hone opt %s --kernel columns --recipe 'block(x=16, y=16) merge-threads(y=4)' --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=MERGED %s < %t.cu
// RUN: %hone opt %s --kernel largest --recipe 'split-reduction(over=block)' --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=PARTS --implicit-check-not=max__ %s < %t.cu

#define kDepth 3
constexpr int kPerY = 7;

// STAGED: constexpr int kDepth_2 = 16;
// STAGED: // Staged in shared memory, kDepth_2 steps of i at a time
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float sum = kDepth;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

// MERGED: constexpr int kPerY_2 = 4;
// MERGED: // b is the same for kPerY_2 of the merged threads: loaded once.
__global__ void columns(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = kPerY;
  for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
  c[y * w + x] = sum;
}

// PARTS: float max_parts[
__global__ void largest(const float* __restrict__ a, float* __restrict__ b, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  float max_ = 0;
  for (int i = 0; i < w; ++i) max_ = fmaxf(max_, a[y * w + i]);
  b[y] = max_;
}
