// Half of the threads go round the barrier.
#include <cstdio>
__global__ void half(int* a) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 3;
#ifdef FIX
  __syncthreads();
#else
  if (threadIdx.x < 32)
    __syncthreads();  // FAULT: divergent-barrier
#endif
  if (threadIdx.x < 32) a[threadIdx.x] = s;
}
int main() {
  int *a, host[32];
  cudaMalloc(&a, sizeof host);
  half<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[31]);
  cudaFree(a);
}
