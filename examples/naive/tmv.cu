// Product of a transposed matrix and a vector, added to y; one thread per element of y.
//   tmv [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void tmv(const float* a, const float* v, float* y, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    for (int i = 0; i < h; ++i) y[x] += a[i * w + x] * v[i];
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "tmv: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 1003;
  int h = argc > 2 ? std::atoi(argv[2]) : 701;
  std::vector<float> a(size_t(w) * h), v(h), y(w), result(w);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < v.size(); ++i) v[i] = (float(i * 5 % 19) - 9) / 8;
  for (size_t i = 0; i < y.size(); ++i) y[i] = float(i % 11) / 8;

  float *da, *dv, *dy;
  check(cudaMalloc(&da, a.size() * sizeof(float)));
  check(cudaMalloc(&dv, v.size() * sizeof(float)));
  check(cudaMalloc(&dy, y.size() * sizeof(float)));
  check(cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dv, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dy, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice));
  tmv<<<(w + 255) / 256, 256>>>(da, dv, dy, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(result.data(), dy, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(da));
  check(cudaFree(dv));
  check(cudaFree(dy));

  double total = 0;
  int wrong = 0;
  for (int x = 0; x < w; ++x) {
    double sum = y[x];
    for (int i = 0; i < h; ++i) sum += double(a[size_t(i) * w + x]) * v[i];
    wrong += !(std::fabs(result[x] - sum) <= 1e-5 * h);
    total += double(result[x]) * (1 + x % 3);
  }
  std::printf("tmv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
