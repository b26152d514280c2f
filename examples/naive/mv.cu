// Product of a matrix and a vector, one thread per row.
//   mv [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void mv(const float* a, const float* v, float* y, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < h) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[x * w + i] * v[i];
    y[x] = sum;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "mv: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 701;
  int h = argc > 2 ? std::atoi(argv[2]) : 1003;
  std::vector<float> a(size_t(w) * h), v(w), y(h);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < v.size(); ++i) v[i] = (float(i * 5 % 19) - 9) / 8;

  float *da, *dv, *dy;
  check(cudaMalloc(&da, a.size() * sizeof(float)));
  check(cudaMalloc(&dv, v.size() * sizeof(float)));
  check(cudaMalloc(&dy, y.size() * sizeof(float)));
  check(cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dv, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  mv<<<(h + 255) / 256, 256>>>(da, dv, dy, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(y.data(), dy, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(da));
  check(cudaFree(dv));
  check(cudaFree(dy));

  double total = 0;
  int wrong = 0;
  for (int x = 0; x < h; ++x) {
    double sum = 0;
    for (int i = 0; i < w; ++i) sum += double(a[size_t(x) * w + i]) * v[i];
    wrong += !(std::fabs(y[x] - sum) <= 1e-5 * w);
    total += double(y[x]) * (1 + x % 3);
  }
  std::printf("mv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
