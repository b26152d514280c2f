// Two-dimensional convolution with a filter of 32 x 32, one thread per pixel of the result. The image has the
// 31 columns and rows more that the filter reaches over.
//   conv [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define FILTER 32

__global__ void conv(const float* image, const float* filter, float* result, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int pitch = w + FILTER - 1;
  if (x < w && y < h) {
    float sum = 0;
    for (int i = 0; i < FILTER; ++i) {
      for (int j = 0; j < FILTER; ++j) sum += image[(y + i) * pitch + x + j] * filter[i * FILTER + j];
    }
    result[y * w + x] = sum;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "conv: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 101;
  int h = argc > 2 ? std::atoi(argv[2]) : 75;
  int pitch = w + FILTER - 1;
  std::vector<float> image(size_t(pitch) * (h + FILTER - 1)), filter(FILTER * FILTER), result(size_t(w) * h);
  for (size_t i = 0; i < image.size(); ++i) image[i] = float(i * 7 % 61);
  for (size_t i = 0; i < filter.size(); ++i) filter[i] = (float(i * 5 % 19) - 9) / 8;

  float *dimage, *dfilter, *dresult;
  check(cudaMalloc(&dimage, image.size() * sizeof(float)));
  check(cudaMalloc(&dfilter, filter.size() * sizeof(float)));
  check(cudaMalloc(&dresult, result.size() * sizeof(float)));
  check(cudaMemcpy(dimage, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dfilter, filter.data(), filter.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  conv<<<grid, block>>>(dimage, dfilter, dresult, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(result.data(), dresult, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(dimage));
  check(cudaFree(dfilter));
  check(cudaFree(dresult));

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      double sum = 0;
      for (int i = 0; i < FILTER; ++i)
        for (int j = 0; j < FILTER; ++j)
          sum += double(image[size_t(y + i) * pitch + x + j]) * filter[i * FILTER + j];
      wrong += !(std::fabs(result[size_t(y) * w + x] - sum) <= 1e-2);
      total += result[size_t(y) * w + x];
    }
  }
  std::printf("conv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
