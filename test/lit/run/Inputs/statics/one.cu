#include <cstdio>
static __device__ int table[2] = {1, 2};
extern __device__ int other(int i);
__global__ void k(int* out) { out[0] = table[0] + other(0); }
int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", out[0]);
  cudaFree(out);
}
