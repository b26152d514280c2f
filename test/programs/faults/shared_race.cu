// A tree in shared memory without a barrier between its levels.
#include <cstdio>
__global__ void sum(const int* in, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int o = 64; o > 0; o /= 2) {
    if (t < o) s[t] += s[t + o];  // FAULT: race
#ifdef FIX
    __syncthreads();
#endif
  }
  if (t == 0) *out = s[0];
}
int main() {
  int host[128], *in, *out, result = 0;
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, 128>>>(in, out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
}
