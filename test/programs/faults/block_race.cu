// Every block adds to one element without an atomic.
#include <cstdio>
__global__ void total(const int* in, int* out) {
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += in[blockIdx.x * 32 + i];
#ifdef FIX
    atomicAdd(out, sum);
#else
    *out += sum;  // FAULT: race
#endif
  }
}
int main() {
  int host[128], *in, *out, result;
  for (int i = 0; i < 128; ++i) host[i] = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  total<<<4, 32>>>(in, out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
}
