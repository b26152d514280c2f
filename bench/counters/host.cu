// Launches each kernel of kernels.cu once, at the sizes compare.py gives to `hone profile` too.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "kernels.cu"

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
  int* host = static_cast<int*>(std::malloc(n * sizeof(int)));
  for (size_t i = 0; i < n; i++) host[i] = int((unsigned(i) * 2654435761u) >> shift);
  int* p = make<int>(n);
  check(cudaMemcpy(p, host, n * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
  std::free(host);
  return p;
}

int main() {
  const int n = 1 << 26;
  float* x = make<float>(size_t(n) + 4096);
  float* y = make<float>(size_t(n) + 4096);
  float* z = make<float>(size_t(n) + 4096);
  const int b = 256;
#define DONE(name) check(cudaGetLastError(), name), check(cudaDeviceSynchronize(), name)
  copy<<<n / b, b>>>(x, y, n); DONE("copy");
  copy_float4<<<n / 4 / b, b>>>((float4*)x, (float4*)y, n / 4); DONE("copy_float4");
  triad<<<n / 2 / b, b>>>((double*)x, (double*)y, (double*)z, n / 2); DONE("triad");
  stride2<<<n / 2 / b, b>>>(x, y, n / 2); DONE("stride2");
  stride8<<<n / 8 / b, b>>>(x, y, n / 8); DONE("stride8");
  stride32<<<n / 32 / b, b>>>(x, y, n / 32); DONE("stride32");
  shifted_load<<<n / b, b>>>(x, y, n); DONE("shifted_load");
  shifted_store<<<n / b, b>>>(x, y, n); DONE("shifted_store");
  broadcast<<<n / 4 / b, b>>>(x, z, y, n / 4, 16); DONE("broadcast");
  triples<<<n / 4 / b, b>>>(x, y, n / 4); DONE("triples");
  const int w = 8192, h = 8192;
  transpose_plain<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(x, y, w, h); DONE("transpose_plain");
  transpose_conflicts<<<dim3(w / 32, h / 32), dim3(32, 8)>>>(x, y, w, h); DONE("transpose_conflicts");
  transpose_padded<<<dim3(w / 32, h / 32), dim3(32, 8)>>>(x, y, w, h); DONE("transpose_padded");
  transpose_double<<<dim3(4096 / 16, 8192 / 16), dim3(16, 16)>>>((double*)x, (double*)y, 4096, 8192); DONE("transpose_double");
  matmul_tiled<<<dim3(64, 64), dim3(16, 16)>>>(x, y, z, 1024); DONE("matmul_tiled");
  matmul_plain<<<dim3(32, 128), dim3(32, 8)>>>(x, y, z, 1024); DONE("matmul_plain");
  divergent<<<n / b, b>>>(x, y, n); DONE("divergent");
  int* key = spread(size_t(1) << 24, 24);
  int* bins = make<int>(size_t(1) << 24);
  histogram_global<<<(1 << 22) / b, b>>>(key, bins, 1 << 22); DONE("histogram_global");
  histogram_shared<<<(1 << 24) / 2048, b>>>(key, bins, 1 << 24); DONE("histogram_shared");
  stencil5<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(x, y, w, h); DONE("stencil5");
  stencil7<<<dim3(512 / 32, 512 / 8, 256), dim3(32, 8)>>>(x, y, 512, 512, 256); DONE("stencil7");
  int* index = spread(size_t(1) << 24, 6);
  gather<<<(1 << 24) / b, b>>>(x, index, y, 1 << 24); DONE("gather");
  scatter<<<(1 << 24) / b, b>>>(x, index, y, 1 << 24); DONE("scatter");
  reduce_strided<<<n / b, b>>>(x, y, n); DONE("reduce_strided");
  row_sums<<<65536 / b, b>>>(x, y, 65536, 1024); DONE("row_sums");
  column_sums<<<65536 / b, b>>>(x, y, 65536, 1024); DONE("column_sums");
  fill<<<n / b, b>>>(y, n); DONE("fill");
  std::puts("done");
}
