// More threads than elements, and no guard.
#include <cstdio>
__global__ void twice(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIX
  if (i >= n) return;
#endif
  a[i] *= 2;  // FAULT: out-of-bounds
}
int main() {
  const int n = 100;
  int *a, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<2, 64>>>(a, n);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[99]);
  cudaFree(a);
}
