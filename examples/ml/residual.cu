// Residual connection: the sum of two arrays, one element per thread.
//   residual [elements]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void residual(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "residual: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  std::vector<float> x(n), y(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = float(i % 97) / 8, y[i] = float(i % 89) / 4;
  float *dX, *dY, *dOut;
  check(cudaMalloc(&dX, x.size() * sizeof(float)));
  check(cudaMalloc(&dY, y.size() * sizeof(float)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMemcpy(dX, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dY, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  residual<<<(n + 255) / 256, 256>>>(dX, dY, dOut, n);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dX));
  check(cudaFree(dY));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += out[i] != x[i] + y[i];
    total += double(out[i]) * (1 + i % 3);
  }
  std::printf("residual %d: checksum %.6g, %s\n", n, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
