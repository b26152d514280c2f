// requires: toolkit
// C++ standard headers and host code with classes, containers and lambdas around a kernel.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

__global__ void clampAll(float* x, float lo, float hi, std::size_t n) {
  std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = fminf(fmaxf(x[i], lo), hi);
}

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(float)); }
  ~DeviceBuffer() { cudaFree(data_); }
  void clamp(float lo, float hi) {
    const unsigned blocks = static_cast<unsigned>((size_ + 127) / 128);
    clampAll<<<blocks, 128>>>(data_, lo, hi, size_);
  }

 private:
  float* data_ = nullptr;
  std::size_t size_;
};

int main(int argc, char** argv) {
  std::vector<std::string> names(argv, argv + argc);
  auto buffer = std::make_unique<DeviceBuffer>(1000);
  std::for_each(names.begin(), names.end(), [&](const std::string& s) { buffer->clamp(-1.0f, s.size()); });
  std::printf("%zu\n", names.size());
  return cudaDeviceSynchronize() != cudaSuccess;
}
