// Rank-one update c += a * b^T of a matrix, one thread per element of c.
//   vv [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void vv(const float* a, const float* b, float* c, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) c[y * w + x] += a[y] * b[x];
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "vv: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 1003;
  int h = argc > 2 ? std::atoi(argv[2]) : 701;
  std::vector<float> a(h), b(w), c(size_t(w) * h), result(c.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < b.size(); ++i) b[i] = (float(i * 5 % 19) - 9) / 8;
  for (size_t i = 0; i < c.size(); ++i) c[i] = float(i % 11) / 8;

  float *da, *db, *dc;
  check(cudaMalloc(&da, a.size() * sizeof(float)));
  check(cudaMalloc(&db, b.size() * sizeof(float)));
  check(cudaMalloc(&dc, c.size() * sizeof(float)));
  check(cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dc, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  vv<<<grid, block>>>(da, db, dc, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(result.data(), dc, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(da));
  check(cudaFree(db));
  check(cudaFree(dc));

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      size_t at = size_t(y) * w + x;
      wrong += !(std::fabs(result[at] - (c[at] + double(a[y]) * b[x])) <= 1e-5);
      total += result[at];
    }
  }
  std::printf("vv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
