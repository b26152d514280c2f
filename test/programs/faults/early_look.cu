// The host looks at managed memory without waiting for the kernel that writes it.
#include <cstdio>
__global__ void count(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
  int* a;
  cudaMallocManaged(&a, 32 * sizeof(int));
  count<<<1, 32>>>(a);
#ifdef FIX
  cudaDeviceSynchronize();
#endif
  int last = a[31];  // FAULT: host-access
  std::printf("%d\n", last);
  cudaFree(a);
}
