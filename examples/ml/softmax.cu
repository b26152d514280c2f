// Softmax of rows, one thread per row.
//   softmax [rows [columns]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void softmax(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float* y = out + row * columns;
    float most = -INFINITY;
    for (int i = 0; i < columns; ++i) most = fmaxf(most, x[i]);
    float sum = 0;
    for (int i = 0; i < columns; ++i) sum += expf(x[i] - most);
    for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - most) / sum;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "softmax: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 203;
  int columns = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> in(size_t(rows) * columns), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = (float(i * 7 % 17) - 8) / 4;
  float *dIn, *dOut;
  check(cudaMalloc(&dIn, in.size() * sizeof(float)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMemcpy(dIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  softmax<<<(rows + 127) / 128, 128>>>(dIn, dOut, rows, columns);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dIn));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    const float* x = &in[size_t(row) * columns];
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(double(x[i]));
    for (int i = 0; i < columns; ++i) {
      double found = out[size_t(row) * columns + i];
      wrong += !(std::fabs(found - std::exp(double(x[i])) / sum) <= 1e-5);
      total += found * (1 + i % 3);
    }
  }
  std::printf("softmax %d x %d: checksum %.6g, %s\n", rows, columns, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
