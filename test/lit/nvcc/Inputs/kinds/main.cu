#include <cstdio>
#include <vector>
#include "weights.h"

int main() {
  const int width = 640, height = 480, n = width * height;
  std::vector<float> image(n), turned(n);
  for (int i = 0; i < n; ++i) image[i] = static_cast<float>(i % 11);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, image.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  turn(in, out, width, height);
  weighAll(out, n);
  cudaMemcpy(turned.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool isRight = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    isRight = isRight && turned[i] == 3 * image[i % height * width + i / height] + 1;
  std::printf("%s\n", isRight ? "right" : "wrong");
  return isRight ? 0 : 1;
}
