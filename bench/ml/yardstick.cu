// What the kernels of examples/ml are measured against: a copy of as many bytes, and CUB's reductions of rows.
//   yardstick copy BYTES TIMES          half of the bytes read, half of them written
//   yardstick sum|max|argmax ROWS COLUMNS TIMES
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>

#define CHECK(call)                                                                             \
  do {                                                                                          \
    const cudaError_t status = (call);                                                          \
    if (status != cudaSuccess) {                                                                \
      std::fprintf(stderr, "yardstick: line %d: %s\n", __LINE__, cudaGetErrorString(status));   \
      std::exit(2);                                                                             \
    }                                                                                           \
  } while (false)

namespace {

__global__ void copyOf(const float4* in, float4* out, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// The row and column that a number of the flat array lies in, for the reductions.
__global__ void fill(float* out, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = float(i * 7919 % 4093) / 8;
}
__global__ void offsetsOf(int* out, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= rows) out[i] = i * columns;
}

int copy(size_t bytes, int times) {
  const size_t n = bytes / 2 / sizeof(float4);
  float4 *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(float4)));
  CHECK(cudaMalloc(&out, n * sizeof(float4)));
  CHECK(cudaMemset(in, 1, n * sizeof(float4)));
  for (int i = 0; i < times; ++i) copyOf<<<unsigned((n + 255) / 256), 256>>>(in, out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::printf("copy %zu: ok\n", bytes);
  return 0;
}

int reduce(const char* what, int rows, int columns, int times) {
  const size_t n = size_t(rows) * columns;
  float *in, *out;
  cub::KeyValuePair<int, float>* places;
  int* offsets;
  CHECK(cudaMalloc(&in, n * sizeof(float)));
  CHECK(cudaMalloc(&out, rows * sizeof(float)));
  CHECK(cudaMalloc(&places, rows * sizeof(*places)));
  CHECK(cudaMalloc(&offsets, (rows + 1) * sizeof(int)));
  fill<<<unsigned((n + 255) / 256), 256>>>(in, n);
  offsetsOf<<<(rows + 256) / 256, 256>>>(offsets, rows, columns);
  void* room = nullptr;
  size_t bytes = 0;
  const auto once = [&] {
    if (!std::strcmp(what, "sum"))
      return cub::DeviceSegmentedReduce::Sum(room, bytes, in, out, rows, offsets, offsets + 1);
    if (!std::strcmp(what, "max"))
      return cub::DeviceSegmentedReduce::Max(room, bytes, in, out, rows, offsets, offsets + 1);
    return cub::DeviceSegmentedReduce::ArgMax(room, bytes, in, places, rows, offsets, offsets + 1);
  };
  CHECK(once());
  CHECK(cudaMalloc(&room, bytes));
  for (int i = 0; i < times; ++i) CHECK(once());
  CHECK(cudaDeviceSynchronize());
  std::printf("%s %d x %d: ok\n", what, rows, columns);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && !std::strcmp(argv[1], "copy")) return copy(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]));
  if (argc == 5) return reduce(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
  std::fprintf(stderr, "usage: yardstick copy BYTES TIMES | yardstick sum|max|argmax ROWS COLUMNS TIMES\n");
  return 2;
}
