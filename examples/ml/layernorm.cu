// Layer normalization of rows, one thread per row; keeps mean and reciprocal deviation for the backward pass.
//   layernorm [rows [columns]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void layernorm(const float* in, const float* weight, const float* bias, float* out, float* mean, float* rstd, int rows,
                          int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float m = 0;
    for (int i = 0; i < columns; ++i) m += x[i];
    m = m / columns;
    float v = 0;
    for (int i = 0; i < columns; ++i) {
      float shifted = x[i] - m;
      v += shifted * shifted;
    }
    float s = 1.0f / sqrtf(v / columns + 1e-5f);
    for (int i = 0; i < columns; ++i) out[row * columns + i] = (x[i] - m) * s * weight[i] + bias[i];
    mean[row] = m;
    rstd[row] = s;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "layernorm: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 203;
  int columns = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> in(size_t(rows) * columns), weight(columns), bias(columns), out(in.size()), mean(rows), rstd(rows);
  for (size_t i = 0; i < in.size(); ++i) in[i] = (float(i * 7 % 17) - 8) / 4;
  for (int i = 0; i < columns; ++i) weight[i] = float(1 + i % 5) / 4, bias[i] = float(i % 7) / 8;
  float *dIn, *dWeight, *dBias, *dOut, *dMean, *dRstd;
  check(cudaMalloc(&dIn, in.size() * sizeof(float)));
  check(cudaMalloc(&dWeight, weight.size() * sizeof(float)));
  check(cudaMalloc(&dBias, bias.size() * sizeof(float)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMalloc(&dMean, mean.size() * sizeof(float)));
  check(cudaMalloc(&dRstd, rstd.size() * sizeof(float)));
  check(cudaMemcpy(dIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dWeight, weight.data(), weight.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dBias, bias.data(), bias.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  layernorm<<<(rows + 127) / 128, 128>>>(dIn, dWeight, dBias, dOut, dMean, dRstd, rows, columns);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(mean.data(), dMean, mean.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(rstd.data(), dRstd, rstd.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dIn));
  check(cudaFree(dWeight));
  check(cudaFree(dBias));
  check(cudaFree(dOut));
  check(cudaFree(dMean));
  check(cudaFree(dRstd));

  double total = 0;
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    const float* x = &in[size_t(row) * columns];
    double m = 0, v = 0;
    for (int i = 0; i < columns; ++i) m += x[i];
    m /= columns;
    for (int i = 0; i < columns; ++i) v += (x[i] - m) * (x[i] - m);
    double s = 1 / std::sqrt(v / columns + 1e-5);
    wrong += !(std::fabs(mean[row] - m) <= 1e-4) + !(std::fabs(rstd[row] - s) <= 1e-4 * s);
    for (int i = 0; i < columns; ++i) {
      double found = out[size_t(row) * columns + i];
      wrong += !(std::fabs(found - ((x[i] - m) * s * weight[i] + bias[i])) <= 1e-3);
      total += found * (1 + i % 3);
    }
  }
  std::printf("layernorm %d x %d: checksum %.6g, %s\n", rows, columns, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
