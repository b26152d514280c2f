#include <cstdio>
#include <steps.h>
#include <vector>
#include "extents.h"

int main() {
  const int n = kWidth * kHeight;
  std::vector<float> image(n), turned(n), sums(kWidth);
  for (int i = 0; i < n; ++i) image[i] = static_cast<float>(i % 7);
  float *in, *out, *rows;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&rows, kWidth * sizeof(float));
  cudaMemcpy(in, image.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  turn(in, out, kWidth, kHeight);
  addRows(out, rows, kHeight, kWidth);
  cudaMemcpy(turned.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(sums.data(), rows, kWidth * sizeof(float), cudaMemcpyDeviceToHost);
  bool isRight = cudaGetLastError() == cudaSuccess;
  for (int x = 0; x < kWidth; ++x) {
    float sum = 0;
    for (int y = 0; y < kHeight; ++y) {
      isRight = isRight && turned[x * kHeight + y] == image[y * kWidth + x];
      sum += image[y * kWidth + x];
    }
    isRight = isRight && sums[x] == sum;
  }
  std::printf("%s\n", isRight ? "right" : "wrong");
  return isRight ? 0 : 1;
}
