// A copy that is longer than the buffer it fills.
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> host(100, 1.0);
  double* a;
#ifdef FIX
  cudaMalloc(&a, 100 * sizeof(double));
#else
  cudaMalloc(&a, 100 * sizeof(float));
#endif
  cudaError_t status = cudaMemcpy(a, host.data(), 100 * sizeof(double), cudaMemcpyHostToDevice);  // FAULT: out-of-bounds
  std::printf("%d\n", status == cudaSuccess);
  cudaFree(a);
}
