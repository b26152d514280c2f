// With the first guess of `radius` the kernel does nothing that makes sense, so that a small one is taken: the runs at
// other sizes have it too, and what the new version does where the original is lost counts for nothing.
// RUN: %hone verify %s --recipe 'block(x=128, y=128) merge-threads(x=8, y=8, how=groups)' | FileCheck %s
// CHECK: kernel `smooth`: equal in {{[5-9]|[1-9][0-9]}} runs
// CHECK-NOT: radius=100
// CHECK-NOT: error:
__constant__ float table[289];

__global__ void smooth(const float* in, float* out, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      int sx = x + dx, sy = y + dy;
      if (sx < 0 || sx >= width || sy < 0 || sy >= height) continue;
      sum += table[(dy + radius) * (2 * radius + 1) + dx + radius] * in[sy * width + sx];
    }
  out[y * width + x] = sum;
}

void run(const float* in, float* out, int width, int height, int radius) {
  smooth<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height, radius);
}
