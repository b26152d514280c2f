// Numbers of 8 bits with one scale a row, one element per thread.
//   dequantize [rows [columns]]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void dequantize(const signed char* in, const float* scales, float* out, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) out[i] = scales[i / columns] * float(in[i]);
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "dequantize: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 203;
  int columns = argc > 2 ? std::atoi(argv[2]) : 501;
  std::vector<signed char> in(size_t(rows) * columns);
  std::vector<float> scales(rows), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<signed char>(int(i % 255) - 127);
  for (int row = 0; row < rows; ++row) scales[row] = float(1 + row % 9) / 128;
  signed char *dIn;
  float *dScales, *dOut;
  check(cudaMalloc(&dIn, in.size() * sizeof(signed char)));
  check(cudaMalloc(&dScales, scales.size() * sizeof(float)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMemcpy(dIn, in.data(), in.size() * sizeof(signed char), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dScales, scales.data(), scales.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  dequantize<<<(rows * columns + 255) / 256, 256>>>(dIn, dScales, dOut, rows, columns);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dIn));
  check(cudaFree(dScales));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    wrong += out[i] != scales[i / columns] * float(in[i]);
    total += double(out[i]) * double(1 + i % 3);
  }
  std::printf("dequantize %d x %d: checksum %.6g, %s\n", rows, columns, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
