// GELU by its tanh formula, one element per thread.
//   gelu [elements]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void gelu(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = in[i];
    float cube = 0.044715f * x * x * x;
    out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + cube)));
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "gelu: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = (float(i % 97) - 48) / 16;
  float *dIn, *dOut;
  check(cudaMalloc(&dIn, in.size() * sizeof(float)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMemcpy(dIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  gelu<<<(n + 255) / 256, 256>>>(dIn, dOut, n);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dIn));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double x = in[i];
    double expected = 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
    wrong += !(std::fabs(out[i] - expected) <= 1e-5);
    total += double(out[i]) * (1 + i % 3);
  }
  std::printf("gelu %d: checksum %.6g, %s\n", n, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
