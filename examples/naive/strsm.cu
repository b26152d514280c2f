// Solves l * x = b for a lower triangular l and many right-hand sides, block row by block row: a small kernel solves the
// diagonal block, another takes what is known by now out of the rows below.
//   strsm [unknowns [sides [block]]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// b -= l * x: columns first to last of l, the rows from last on. One thread per element of b.
#pragma hone set(first=64, last=128) grid((sides + 15) / 16, max((n - last + 15) / 16, 1)) block(16, 16)
__global__ void strsm_update(const float* l, const float* x, float* b, int n, int sides, int first,
                             int last) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y + last;
  if (i < n && j < sides) {
    float sum = 0;
    for (int k = first; k < last; ++k) sum += l[i * n + k] * x[k * sides + j];
    b[i * sides + j] -= sum;
  }
}

// The block of rows first to last by forward substitution, one thread per right-hand side.
#pragma hone set(first=64, last=128)
__global__ void strsm_solve(const float* l, const float* b, float* x, int n, int sides, int first, int last) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < sides) {
    for (int i = first; i < last; ++i) {
      float sum = b[i * sides + j];
      for (int k = first; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "strsm: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 200;
  int sides = argc > 2 ? std::atoi(argv[2]) : 150;
  int step = argc > 3 ? std::atoi(argv[3]) : 64;
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
  for (int first = 0; first < n; first += step) {
    int last = first + step < n ? first + step : n;
    strsm_solve<<<(sides + 63) / 64, 64>>>(dl, db, dx, n, sides, first, last);
    check(cudaGetLastError());
    if (last == n) break;
    dim3 block(16, 16), grid((sides + 15) / 16, (n - last + 15) / 16);
    strsm_update<<<grid, block>>>(dl, dx, db, n, sides, first, last);
    check(cudaGetLastError());
  }
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
  std::printf("strsm %d x %d: checksum %.4f, %s\n", n, sides, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
