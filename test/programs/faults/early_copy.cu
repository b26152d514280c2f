// The host reads the target of an asynchronous copy before it waits.
#include <cstdio>
__global__ void fill(int* a) { a[threadIdx.x] = 7; }
int main() {
  int *a, *host;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMallocHost(&host, 64 * sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<1, 64, 0, s>>>(a);
  cudaMemcpyAsync(host, a, 64 * sizeof(int), cudaMemcpyDeviceToHost, s);
#ifdef FIX
  cudaStreamSynchronize(s);
#endif
  int first = host[0];  // FAULT: host-access
  std::printf("%d\n", first);
  cudaStreamDestroy(s);
  cudaFreeHost(host);
  cudaFree(a);
}
