// Two-dimensional convolution with a small square filter in constant memory; outside the image is zero.
#define MAX_RADIUS 8

__constant__ float filter[(2 * MAX_RADIUS + 1) * (2 * MAX_RADIUS + 1)];

template <typename Pixel>
__global__ void convolve(const Pixel* image, Pixel* result, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int sx = x + dx, sy = y + dy;
      if (sx < 0 || sx >= width || sy < 0 || sy >= height) continue;
      sum += filter[(dy + radius) * (2 * radius + 1) + dx + radius] * (float)image[sy * width + sx];
    }
  }
  result[y * width + x] = (Pixel)sum;
}

void blur(const float* image, float* result, int width, int height, int radius) {
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  convolve<<<grid, block>>>(image, result, width, height, radius);
}
