// Scaled sum of two arrays of bfloat16, one element per thread.
//   bf16 [elements]
#include <cuda_runtime.h>
#include <cuda_bf16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void bf16(const __nv_bfloat16* x, const __nv_bfloat16* y, __nv_bfloat16* out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(__bfloat162float(x[i]) * scale + __bfloat162float(y[i]));
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "bf16: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  const float scale = 1.5f;
  std::vector<__nv_bfloat16> x(n), y(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = __float2bfloat16(float(i % 97) / 8), y[i] = __float2bfloat16(float(i % 89) / 4);
  __nv_bfloat16 *dX, *dY, *dOut;
  check(cudaMalloc(&dX, x.size() * sizeof(__nv_bfloat16)));
  check(cudaMalloc(&dY, y.size() * sizeof(__nv_bfloat16)));
  check(cudaMalloc(&dOut, out.size() * sizeof(__nv_bfloat16)));
  check(cudaMemcpy(dX, x.data(), x.size() * sizeof(__nv_bfloat16), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dY, y.data(), y.size() * sizeof(__nv_bfloat16), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  bf16<<<(n + 255) / 256, 256>>>(dX, dY, dOut, scale, n);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dX));
  check(cudaFree(dY));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double expected = __bfloat162float(x[i]) * scale + __bfloat162float(y[i]), found = __bfloat162float(out[i]);
    wrong += !(std::fabs(found - expected) <= 0.005 * std::fabs(expected));
    total += found * (1 + i % 3);
  }
  std::printf("bf16 %d: checksum %.6g, %s\n", n, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
