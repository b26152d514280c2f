// Work on images: a template from a header, a box filter through shared memory, a histogram, a mask.
#include "check.h"
#include "grid.cuh"

#define TILE 16
#define RADIUS 2

static __global__ void boxFilter(const float* image, float* result, int width, int height) {
  __shared__ float tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
  int x0 = blockIdx.x * TILE - RADIUS;
  int y0 = blockIdx.y * TILE - RADIUS;
  for (int ty = threadIdx.y; ty < TILE + 2 * RADIUS; ty += blockDim.y)
    for (int tx = threadIdx.x; tx < TILE + 2 * RADIUS; tx += blockDim.x) {
      int sx = x0 + tx, sy = y0 + ty;
      tile[ty][tx] = (sx >= 0 && sx < width && sy >= 0 && sy < height) ? IMAGE(sy, sx) : 0.0f;
    }
  __syncthreads();

  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = 0; dy <= 2 * RADIUS; ++dy)
    for (int dx = 0; dx <= 2 * RADIUS; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  RESULT(y, x) = sum * (1.0f / ((2 * RADIUS + 1) * (2 * RADIUS + 1)));
}

#ifdef WIDE_HISTOGRAM
#define BINS 256
#else
#define BINS 32
#endif

__global__ void histogram(const float* image, int count, unsigned* bins) {
  __shared__ unsigned local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = GLOBAL_X; i < count; i += gridDim.x * blockDim.x) {
    int bin = grid::clampTo((int)(image[i] * BINS), 0, BINS - 1);
    atomicAdd(&local[bin], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (local[i]) atomicAdd(bins + i, local[i]);
}

extern "C" __global__ void maskBox(unsigned char* mask, int width, int height, grid::Box box) {
  int x = GLOBAL_X, y = GLOBAL_Y;
  if (x < width && y < height) {
    unsigned char* pixel = mask + y * width + x;
    *pixel = box.contains(x, y) ? (unsigned char)255 : (unsigned char)((x ^ y) & 0x7f);
  }
}

int imagePart() {
  const int width = 67, height = 41;  // no multiples of any block
  std::vector<float> image(width * height);
  std::vector<double> fine(width * height);
  unsigned state = 7;
  for (int i = 0; i < width * height; ++i) {
    image[i] = nextRandom(state) / 16777216.0f;
    fine[i] = image[i] * 3.0 - 1.0;
  }

  DeviceArray<float> in(image), out(image.size());
  DeviceArray<double> fineIn(fine), fineOut(fine.size());
  dim3 block(TILE, TILE), blocks((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);

  out.clear();
  grid::smoothRows<float, 1><<<blocks, block>>>(in, out, width, height);
  CHECK(cudaGetLastError());
  print("smooth float 1", out.read());
  (grid::smoothRows<float, 3>)<<<blocks, block>>>(in, out, width, height);
  print("smooth float 3", out.read());
  grid::smoothRows<double, 1><<<blocks, block, 0, 0>>>(fineIn, fineOut, width, height);
  print("smooth double 1", fineOut.read());
  grid::smoothRows<double, 3><<<blocks, block, 0, 0>>>(fineIn, fineOut, width, height);
  print("smooth double 3", fineOut.read());

  out.clear();
  boxFilter<<<blocks, block>>>(in, out, width, height);
  print("box", out.read());

  DeviceArray<unsigned> bins(BINS);
  bins.clear();
  LAUNCH_1D(histogram, width * height / 4, 128, in, width * height, bins);
  print("histogram", bins.read());

  DeviceArray<unsigned char> mask(width * height);
  grid::Box box{5, 7, 30, 20};
  int w = width, h = height;
  unsigned char* maskData = mask;
  void* arguments[] = {&maskData, &w, &h, &box};
  CHECK(cudaLaunchKernel((const void*)maskBox, blocks, block, arguments, 0, 0));
  print("mask", mask.read());

  unsigned total = 0;
  for (unsigned n : bins.read()) total += n;
  return total == unsigned(width * height) ? 0 : 1;
}
