// A kernel gets a pointer to memory of the host.
#include <cstdio>
#include <vector>
__global__ void add(float* a, const float* b) {
  a[threadIdx.x] += b[threadIdx.x];  // FAULT: wild-pointer
}
int main() {
  std::vector<float> host(32, 2.0f);
  float *a, *b;
  cudaMalloc(&a, 32 * sizeof(float));
  cudaMalloc(&b, 32 * sizeof(float));
  cudaMemset(a, 0, 32 * sizeof(float));
  cudaMemcpy(b, host.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
#ifdef FIX
  add<<<1, 32>>>(a, b);
#else
  add<<<1, 32>>>(a, host.data());
#endif
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
