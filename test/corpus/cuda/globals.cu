// no-opencl: convolve __constant__
// no-opencl: useTables writable global
// __constant__ tables, scalars and structs, __device__ globals and multi-dimensional global arrays.
#include <cuda_runtime.h>

#define KW 5
struct Config {
  int width;
  float gain;
};

__constant__ float filter[KW][KW];
__constant__ Config config;
__constant__ int offsets[4] = {-1, 1, -2, 2};
__device__ unsigned int finished;
__device__ float table[64][32];
__device__ const int primes[] = {2, 3, 5, 7, 11, 13};
static __device__ int flag = 1;

__global__ void convolve(const float* in, float* out, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int w = config.width;
  if (x < KW / 2 || y < KW / 2 || x >= w - KW / 2 || y >= h - KW / 2) return;
  float s = 0.f;
  for (int j = 0; j < KW; j++)
    for (int i = 0; i < KW; i++) s += filter[j][i] * in[(y + j - KW / 2) * w + x + i - KW / 2];
  out[y * w + x] = s * config.gain;
}

__global__ void useTables(int* a, int n) {
  __shared__ bool last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int j = i + offsets[i & 3];
    if (j >= 0 && j < n) table[i % 64][j % 32] += primes[i % 6];
    if (flag) a[i] = (int)table[i & 63][0];
  }
  __threadfence();
  if (threadIdx.x == 0) {
    unsigned ticket = atomicInc(&finished, gridDim.x);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    finished = 0;
    flag++;
  }
}

void setup(const float* h) {
  cudaMemcpyToSymbol(filter, h, sizeof(float) * KW * KW);
}
