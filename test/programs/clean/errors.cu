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
  struct Shape {
    const char* what;
    dim3 grid, block;
  };
  const Shape shapes[] = {{"grid.y 0", dim3(1, 0), 32},         {"grid.y 65536", dim3(1, 65536), 32},
                          {"block.x 0", 1, 0},                  {"block.y 0", 1, dim3(32, 0)},
                          {"block.z 65", 1, dim3(1, 1, 65)},    {"block 32 x 33", 1, dim3(32, 33)},
                          {"block 65536 x 65536", 1, dim3(65536, 65536)}};
  for (const Shape& shape : shapes) {
    nothing<<<shape.grid, shape.block>>>();
    const cudaError_t error = cudaGetLastError();
    std::printf("%s: %d %s\n", shape.what, error, cudaGetErrorString(error));
  }
  nothing<<<1, 32, 1 << 30>>>();
  std::printf("a gigabyte of shared memory: %s\n", cudaGetErrorName(cudaGetLastError()));
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
