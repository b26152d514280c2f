// Errors as CUDA reports them: those of a launch are forgotten once read; wrong devices, null pointers and copies.
#include <cstdio>

__global__ void nothing() {}

int main() {
  nothing<<<1, 4096>>>();
  std::printf("too many threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("then: %s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<0, 1>>>();
  std::printf("no blocks: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  std::printf("again: %s\n", cudaGetErrorName(cudaGetLastError()));
  int device = 7;
  std::printf("device 7: %s\n", cudaGetErrorName(cudaSetDevice(device)));
  cudaGetLastError();
  void* p = nullptr;
  std::printf("free of null: %s\n", cudaGetErrorName(cudaFree(p)));
  float *a, *b;
  std::printf("two megabytes: %s\n", cudaGetErrorName(cudaMalloc(&a, 2 << 20)));
  cudaMalloc(&b, 256);
  std::printf("copy between: %s\n", cudaGetErrorName(cudaMemcpy(b, a, 256, cudaMemcpyDeviceToDevice)));
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, a);
  std::printf("device pointer: %d\n", attributes.type == cudaMemoryTypeDevice);
  cudaFree(a);
  cudaFree(b);
  std::printf("%s\n", cudaGetErrorString(cudaErrorMemoryAllocation));
}
