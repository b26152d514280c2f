// Matrix product c = a * b, one thread per element of c.
//   mm [rows [columns [inner]]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void mm(const float* a, const float* b, float* c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "mm: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int m = argc > 1 ? std::atoi(argv[1]) : 150;
  int n = argc > 2 ? std::atoi(argv[2]) : 170;
  int k = argc > 3 ? std::atoi(argv[3]) : 131;
  std::vector<float> a(size_t(m) * k), b(size_t(k) * n), c(size_t(m) * n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < b.size(); ++i) b[i] = (float(i * 5 % 19) - 9) / 8;

  float *da, *db, *dc;
  check(cudaMalloc(&da, a.size() * sizeof(float)));
  check(cudaMalloc(&db, b.size() * sizeof(float)));
  check(cudaMalloc(&dc, c.size() * sizeof(float)));
  check(cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  mm<<<grid, block>>>(da, db, dc, m, n, k);
  check(cudaGetLastError());
  check(cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(da));
  check(cudaFree(db));
  check(cudaFree(dc));

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < m; ++y) {
    for (int x = 0; x < n; ++x) {
      double sum = 0;
      for (int i = 0; i < k; ++i) sum += double(a[size_t(y) * k + i]) * b[size_t(i) * n + x];
      double got = c[size_t(y) * n + x];
      wrong += !(std::fabs(got - sum) <= 1e-5 * k);
      total += got * (1 + x % 3 + y % 2);
    }
  }
  std::printf("mm %d x %d x %d: checksum %.4f, %s\n", m, n, k, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
