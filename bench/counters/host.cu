// Launches each kernel of kernels.cu once, at the sizes compare.py gives to `hone profile` too. With `time`: 20 times each, and the
// median time of each on a line.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels.cu"

static bool isTimed = false;

static void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

template <class T>
static T* make(size_t n) {
  T* p = nullptr;
  check(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
  check(cudaMemset(p, 0, n * sizeof(T)), "cudaMemset");
  return p;
}

// index[i] = (i * 2654435761 mod 2^32) >> shift: spread evenly, the same on every machine.
static int* spread(size_t n, int shift) {
  std::vector<int> host(n);
  for (size_t i = 0; i < n; i++) host[i] = int((unsigned(i) * 2654435761u) >> shift);
  int* p = make<int>(n);
  check(cudaMemcpy(p, host.data(), n * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
  return p;
}

template <class F>
static void run(const char* name, F&& launch) {
  launch();
  check(cudaGetLastError(), name);
  check(cudaDeviceSynchronize(), name);
  if (!isTimed) return;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), name);
  check(cudaEventCreate(&end), name);
  std::vector<float> times;
  for (int i = 0; i < 20; i++) {
    check(cudaEventRecord(begin), name);
    launch();
    check(cudaEventRecord(end), name);
    check(cudaEventSynchronize(end), name);
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), name);
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s %.3f\n", name, 1000 * times[times.size() / 2]);
}

int main(int argc, char** argv) {
  isTimed = argc > 1 && !std::strcmp(argv[1], "time");
  const int n = 1 << 26, b = 256, w = 8192, h = 8192;
  float* x = make<float>(size_t(n) + 4096);
  float* y = make<float>(size_t(n) + 4096);
  float* z = make<float>(size_t(n) + 4096);
  double *xd = (double*)x, *yd = (double*)y, *zd = (double*)z;
  int* key = spread(size_t(1) << 24, 24);
  int* index = spread(size_t(1) << 24, 6);
  int* bins = make<int>(size_t(1) << 24);
  const dim3 flat(32, 8), square(16, 16);
#define RUN(name, grid, block, ...) run(#name, [&] { name<<<grid, block>>>(__VA_ARGS__); })
  RUN(copy, n / b, b, x, y, n);
  RUN(copy_float4, n / 4 / b, b, (float4*)x, (float4*)y, n / 4);
  RUN(triad, n / 2 / b, b, xd, yd, zd, n / 2);
  RUN(fill, n / b, b, y, n);
  RUN(stride2, n / 2 / b, b, x, y, n / 2);
  RUN(stride8, n / 8 / b, b, x, y, n / 8);
  RUN(stride32, n / 32 / b, b, x, y, n / 32);
  RUN(shifted_load, n / b, b, x, y, n);
  RUN(shifted_store, n / b, b, x, y, n);
  RUN(broadcast, n / 4 / b, b, x, z, y, n / 4, 16);
  RUN(triples, n / 4 / b, b, x, y, n / 4);
  RUN(transpose_plain, dim3(w / 32, h / 8), flat, x, y, w, h);
  RUN(transpose_conflicts, dim3(w / 32, h / 32), flat, x, y, w, h);
  RUN(transpose_padded, dim3(w / 32, h / 32), flat, x, y, w, h);
  RUN(transpose_double, dim3(4096 / 16, 8192 / 16), square, xd, yd, 4096, 8192);
  RUN(columns_conflicts, 1024, flat, y, 256);
  RUN(columns_padded, 1024, flat, y, 256);
  RUN(columns_double, 1024, square, yd, 256);
  RUN(rows_float4, 1024, b, (float4*)y, 256);
  RUN(matmul_tiled, dim3(64, 64), square, x, y, z, 1024);
  RUN(matmul_plain, dim3(32, 128), flat, x, y, z, 1024);
  RUN(divergent, n / b, b, x, y, n);
  RUN(histogram_global, (1 << 22) / b, b, key, bins, 1 << 22);
  RUN(histogram_shared, (1 << 24) / 2048, b, key, bins, 1 << 24);
  RUN(shared_counters, 1024, b, bins, 64, 13);
  RUN(stencil5, dim3(w / 32, h / 8), flat, x, y, w, h);
  RUN(stencil7, dim3(512 / 32, 512 / 8, 256), flat, x, y, 512, 512, 256);
  RUN(gather, (1 << 24) / b, b, x, index, y, 1 << 24);
  RUN(scatter, (1 << 24) / b, b, x, index, y, 1 << 24);
  RUN(reduce_strided, n / b, b, x, y, n);
  RUN(row_sums, 65536 / b, b, x, y, 65536, 1024);
  RUN(column_sums, 65536 / b, b, x, y, 65536, 1024);
  std::fprintf(stderr, "done\n");
}
