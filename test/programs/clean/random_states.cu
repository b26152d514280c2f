// Random numbers in kernels: XORWOW and Philox, their sequences and offsets.
#include <cmath>
#include <cstdio>

#include <cuda_runtime.h>
#include <curand_kernel.h>

template <class State> __global__ void draw(State* states, unsigned* bits, float* sums, int rounds) {
  int i = threadIdx.x;
  State s;
  curand_init(1234ull + (7ull << 40), i, 5 * i, &s);
  bits[2 * i] = curand(&s);
  float uniform = 0, normal = 0;
  double wide = 0;
  for (int k = 0; k < rounds; ++k) {
    uniform += curand_uniform(&s);
    normal += curand_normal(&s);
    wide += curand_uniform_double(&s) + curand_normal_double(&s);
  }
  bits[2 * i + 1] = curand(&s);
  sums[3 * i] = uniform;
  sums[3 * i + 1] = normal;
  sums[3 * i + 2] = float(wide);
  states[i] = s;
}

template <class State> __global__ void goOn(State* states, unsigned* bits) { bits[threadIdx.x] = curand(&states[threadIdx.x]); }

__global__ void fours(uint4* out, float4* units) {
  curandStatePhilox4_32_10_t s;
  curand_init(99, threadIdx.x, 3, &s);
  out[threadIdx.x] = curand4(&s);
  units[threadIdx.x] = curand_uniform4(&s);
}

template <class State> void show(const char* name) {
  const int n = 37;
  State* states;
  unsigned* bits;
  float* sums;
  cudaMalloc(&states, n * sizeof(State));
  cudaMallocManaged(&bits, 2 * n * sizeof(unsigned));
  cudaMallocManaged(&sums, 3 * n * sizeof(float));
  draw<<<1, n>>>(states, bits, sums, 20);
  cudaDeviceSynchronize();
  printf("%s (%d bytes)", name, int(sizeof(State)));
  for (int i : {0, 1, 2, 36}) printf(" %08x %08x", bits[2 * i], bits[2 * i + 1]);
  printf("\n%.3f %.3f %.3f, %.3f %.3f %.3f\n", sums[0], sums[1], sums[2], sums[108], sums[109], sums[110]);
  goOn<<<1, n>>>(states, bits);
  cudaDeviceSynchronize();
  printf("%08x %08x\n", bits[0], bits[36]);
  cudaFree(states);
  cudaFree(bits);
  cudaFree(sums);
}

int main() {
  show<curandState>("xorwow");
  show<curandStatePhilox4_32_10_t>("philox");
  uint4* out;
  float4* units;
  cudaMallocManaged(&out, 2 * sizeof(uint4));
  cudaMallocManaged(&units, 2 * sizeof(float4));
  fours<<<1, 2>>>(out, units);
  cudaDeviceSynchronize();
  printf("%08x %08x %08x %08x %.5f %.5f\n", out[1].x, out[1].y, out[1].z, out[1].w, units[1].x, units[1].w);
  return 0;
}
