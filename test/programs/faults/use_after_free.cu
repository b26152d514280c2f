// A kernel gets a buffer that was freed.
#include <cstdio>
__global__ void fill(float* a) {
  a[threadIdx.x] = 1;  // FAULT: wild-pointer
}
int main() {
  float* a;
  cudaMalloc(&a, 64 * sizeof(float));
#ifdef FIX
  fill<<<1, 64>>>(a);
  cudaFree(a);
#else
  cudaFree(a);
  fill<<<1, 64>>>(a);
#endif
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
