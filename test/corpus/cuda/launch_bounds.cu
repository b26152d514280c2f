// Kernel attributes: __launch_bounds__ with one and two arguments, attributes in odd places, volatile shared memory.
#define THREADS 256
#define MIN_BLOCKS 2

__global__ __launch_bounds__(THREADS) void one(float* x) { x[blockIdx.x * THREADS + threadIdx.x] += 1.0f; }

__global__ void __launch_bounds__(128, 4) two(float* x, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

template <int T>
__launch_bounds__(T, MIN_BLOCKS) __global__ void three(int* in, int* out) {
  __shared__ volatile int s[T];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * T + t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    __syncwarp();
    if (t < 16) s[t] += s[t + 16];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

template __global__ void three<64>(int*, int*);
