#include <torch/tensor.h>
#include <cstdio>
#include <vector>

void turn_cuda(at::Tensor in, at::Tensor out, int width);

template <typename T>
bool isTurned(at::ScalarType type) {
  const int width = 640, height = 480, n = width * height;
  std::vector<T> image(n), turned(n);
  for (int i = 0; i < n; ++i) image[i] = static_cast<T>(i % 13);
  void *in, *out;
  cudaMalloc(&in, n * sizeof(T));
  cudaMalloc(&out, n * sizeof(T));
  cudaMemcpy(in, image.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  turn_cuda({in, type, n}, {out, type, n}, width);
  cudaMemcpy(turned.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost);
  bool isRight = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; ++i) isRight = isRight && turned[i] == image[i % height * width + i / height];
  return isRight;
}

int main() {
  const bool isRight = isTurned<float>(at::ScalarType::Float) && isTurned<double>(at::ScalarType::Double);
  std::printf("%s\n", isRight ? "right" : "wrong");
  return isRight ? 0 : 1;
}
