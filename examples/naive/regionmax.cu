// Marks the pixels that are no darker than any of their eight neighbours, one thread per pixel.
//   regionmax [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void regionmax(const float* image, int* isMax, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float own = image[y * w + x];
  int found = 1;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      int nx = x + dx, ny = y + dy;
      if (nx >= 0 && nx < w && ny >= 0 && ny < h && image[ny * w + nx] > own) found = 0;
    }
  }
  isMax[y * w + x] = found;
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "regionmax: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 403;
  int h = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> image(size_t(w) * h);
  std::vector<int> isMax(image.size());
  for (size_t i = 0; i < image.size(); ++i) image[i] = float(i * 2654435761u >> 8 & 63);

  float* dimage;
  int* disMax;
  check(cudaMalloc(&dimage, image.size() * sizeof(float)));
  check(cudaMalloc(&disMax, isMax.size() * sizeof(int)));
  check(cudaMemcpy(dimage, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  regionmax<<<grid, block>>>(dimage, disMax, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(isMax.data(), disMax, isMax.size() * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(dimage));
  check(cudaFree(disMax));

  long long total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float most = 0;
      for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < h; ++ny)
        for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < w; ++nx)
          most = std::fmax(most, image[size_t(ny) * w + nx]);
      int got = isMax[size_t(y) * w + x];
      wrong += got != (image[size_t(y) * w + x] == most);
      total += got * (1 + x % 5 + y % 7);
    }
  }
  std::printf("regionmax %d x %d: checksum %lld, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
