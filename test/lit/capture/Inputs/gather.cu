// What arrays hold decides what the kernels do: places, numbers of turns, a flag. One place is one too far.
#include <cuda_runtime.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void gather(const int* places, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[places[i]];
}

__global__ void rows(const int* begins, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = begins[i]; k < begins[i + 1]; ++k) sum += in[k];
  out[i] = sum;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  const int n = 600, m = argc > 2 ? atoi(argv[2]) : 900;
  int* host = (int*)malloc((n + 1) * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i == 77 && !strcmp(how, "far") ? m : i * 7 % m;
  int *places, *begins;
  float *in, *out;
  cudaMalloc(&places, n * sizeof(int));
  cudaMalloc(&begins, (n + 1) * sizeof(int));
  cudaMalloc(&in, m * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(places, host, n * sizeof(int), cudaMemcpyHostToDevice);
  for (int i = 0; i <= n; ++i) host[i] = i < 300 ? i : 300 + (i - 300) * 2;
  cudaMemcpy(begins, host, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(in, 0, m * sizeof(float));
  for (int turn = 0; turn < 3; ++turn) {
    gather<<<(n + 127) / 128, 128>>>(places, in, out, n);
    rows<<<(n + 127) / 128, 128>>>(begins, in, out, n);
  }
  cudaDeviceSynchronize();
  if (!strcmp(how, "kill")) raise(SIGKILL);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "leave")) _exit(3);
  printf("done\n");
  return 0;
}
