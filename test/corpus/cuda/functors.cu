// Functors and tag types as template parameters, static member functions, and a policy struct with constants.
struct Plus {
  static __device__ int identity() { return 0; }
  __device__ int operator()(int a, int b) const { return a + b; }
};
struct Max {
  static __device__ int identity() { return -2147483647 - 1; }
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Policy {
  enum { Threads = 128, Items = 4 };
};

template <class OP, class P>
__global__ void reduceBy(const int* in, int* out, int n, OP op) {
  __shared__ int s[P::Threads];
  int acc = OP::identity();
  int base = blockIdx.x * P::Threads * P::Items + threadIdx.x;
  for (int k = 0; k < P::Items; ++k) {
    int i = base + k * P::Threads;
    if (i < n) acc = op(acc, in[i]);
  }
  s[threadIdx.x] = acc;
  __syncthreads();
  for (int w = P::Threads >> 1; w; w >>= 1) {
    if (threadIdx.x < w) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + w]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

void reduceBoth(const int* in, int* out, int n) {
  int grid = (n + 511) / 512;
  reduceBy<Plus, Policy><<<grid, Policy::Threads>>>(in, out, n, Plus());
  reduceBy<Max, Policy><<<grid, Policy::Threads>>>(in, out, n, Max());
}
