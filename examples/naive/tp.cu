// Transposes a matrix, one thread per element.
//   tp [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void tp(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "tp: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 1003;
  int h = argc > 2 ? std::atoi(argv[2]) : 701;
  std::vector<float> a(size_t(w) * h), b(a.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 9973);

  float *da, *db;
  check(cudaMalloc(&da, a.size() * sizeof(float)));
  check(cudaMalloc(&db, b.size() * sizeof(float)));
  check(cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  tp<<<grid, block>>>(da, db, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(b.data(), db, b.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(da));
  check(cudaFree(db));

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float got = b[size_t(x) * h + y];
      wrong += got != a[size_t(y) * w + x];
      total += double(got) * (1 + x % 3 + y % 2);
    }
  }
  std::printf("tp %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
