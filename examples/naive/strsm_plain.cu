// Solves l * x = b for a lower triangular l by forward substitution, one thread per right-hand side.
//   strsm_plain [unknowns [sides]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void strsm_plain(const float* l, const float* b, float* x, int n, int sides) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < sides) {
    for (int i = 0; i < n; ++i) {
      float sum = b[i * sides + j];
      for (int k = 0; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "strsm_plain: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 200;
  int sides = argc > 2 ? std::atoi(argv[2]) : 150;
  // Small integers, so that the solution is exact.
  std::vector<float> l(size_t(n) * n), b(size_t(n) * sides), x(b.size()), expected(b.size());
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      l[size_t(i) * n + k] = k == i ? float(1 + i % 3) : float((i * 7 + k * 3) % 5) - 2;
  for (size_t i = 0; i < x.size(); ++i) expected[i] = float(i * 5 % 7) - 3;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      for (int j = 0; j < sides; ++j)
        b[size_t(i) * sides + j] += l[size_t(i) * n + k] * expected[size_t(k) * sides + j];

  float *dl, *db, *dx;
  check(cudaMalloc(&dl, l.size() * sizeof(float)));
  check(cudaMalloc(&db, b.size() * sizeof(float)));
  check(cudaMalloc(&dx, x.size() * sizeof(float)));
  check(cudaMemcpy(dl, l.data(), l.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
  strsm_plain<<<(sides + 63) / 64, 64>>>(dl, db, dx, n, sides);
  check(cudaGetLastError());
  check(cudaMemcpy(x.data(), dx, x.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(dl));
  check(cudaFree(db));
  check(cudaFree(dx));

  double total = 0;
  int wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    wrong += !(std::fabs(x[i] - expected[i]) <= 1e-4);
    total += double(x[i]) * double(1 + i % 3);
  }
  std::printf("strsm_plain %d x %d: checksum %.4f, %s\n", n, sides, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
