// The lanes of half a warp add up what the lanes of the other half, which are elsewhere, hold.
#include <cstdio>
__global__ void sum(const int* in, int* out) {
  int t = threadIdx.x, v = in[t];
#ifdef FIX
  for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (t == 0) *out = v;
#else
  if (t < 16) {
    v += __shfl_down_sync(0xffff, v, 4);  // FAULT: invalid-exchange
    if (t == 15) *out = v;
  }
#endif
}
int main() {
  int host[32], *in, *out, result = 0;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
}
