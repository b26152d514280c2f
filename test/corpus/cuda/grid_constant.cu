// no-opencl: noParameters writable global
// Struct parameters marked __grid_constant__, kernels with no parameters, unnamed parameters, volatile globals.
struct Big {
  float table[16];
  int n;
};

__device__ volatile int ready;

__global__ void useBig(const __grid_constant__ Big big, float* out, int /*unused*/) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < big.n) out[i] = big.table[i & 15];
}

__global__ void noParameters() {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    ready = 1;
    ready += gridDim.x;
  }
}

__global__ void empty() {}
