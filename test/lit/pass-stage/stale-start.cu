// What unroll leaves of a loop starts where its first part ended, and only threads inside the image have been there: with the loop outside of the
// condition the others would start at 0 and come to other barriers.
// RUN: %hone opt %s --recipe 'unroll(L1) stage(e#2)' --no-verify --block 16,16 -o %t.cu 2>&1 | FileCheck %s --check-prefix=STALE

// STALE: left alone: {{.*}}, and the loop counts by what only threads inside the condition around it have worked out
__global__ void window(const float* __restrict__ e, float* __restrict__ c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float sum = 1;
    for (int i = 0; i < min(k, 11); i++) sum += e[(y + i) * w + x];
    c[y * w + x] = sum;
  }
}
