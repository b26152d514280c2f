// Gradient of a bias: the sum of each column, one thread per column.
//   bias_gradient [rows [columns]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void bias_gradient(const float* gradient, float* bias, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns) {
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += gradient[row * columns + column];
    bias[column] = sum;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "bias_gradient: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 501;
  int columns = argc > 2 ? std::atoi(argv[2]) : 203;
  std::vector<float> gradient(size_t(rows) * columns), bias(columns);
  for (size_t i = 0; i < gradient.size(); ++i) gradient[i] = (float(i * 7 % 17) - 7) / 8;
  float *dGradient, *dBias;
  check(cudaMalloc(&dGradient, gradient.size() * sizeof(float)));
  check(cudaMalloc(&dBias, bias.size() * sizeof(float)));
  check(cudaMemcpy(dGradient, gradient.data(), gradient.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  bias_gradient<<<(columns + 127) / 128, 128>>>(dGradient, dBias, rows, columns);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(bias.data(), dBias, bias.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dGradient));
  check(cudaFree(dBias));

  double total = 0;
  int wrong = 0;
  for (int column = 0; column < columns; ++column) {
    double sum = 0;
    for (int row = 0; row < rows; ++row) sum += gradient[size_t(row) * columns + column];
    wrong += !(std::fabs(bias[column] - sum) <= 1e-5 * rows);
    total += double(bias[column]) * (1 + column % 3);
  }
  std::printf("bias_gradient %d x %d: checksum %.6g, %s\n", rows, columns, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
