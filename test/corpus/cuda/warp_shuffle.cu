// no-opencl: shuffleReduce OpenCL has no
// no-opencl: shuffleScan OpenCL has no
// no-opencl: shuffleMixed OpenCL has no
// Warp shuffles of all four kinds on several types, and __syncwarp.
#define FULL 0xffffffffu

__device__ __forceinline__ float warpSum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(FULL, v, offset);
  return v;
}

__global__ void shuffleReduce(const float* x, float* out, int n) {
  float v = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += x[i];
  v = warpSum(v);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}

__global__ void shuffleScan(const int* in, int* out) {
  int lane = threadIdx.x % warpSize;
  int v = in[threadIdx.x];
  for (int d = 1; d < 32; d <<= 1) {
    int other = __shfl_up_sync(FULL, v, d, 32);
    if (lane >= d) v += other;
  }
  out[threadIdx.x] = v;
}

__global__ void shuffleMixed(double* d, long long* l, unsigned* u) {
  int t = threadIdx.x;
  double a = __shfl_xor_sync(0xffffffff, d[t], 1);
  long long b = __shfl_sync(FULL, l[t], (t + 3) & 31);
  unsigned c = __shfl_xor_sync(FULL, u[t], 4, 8);
  __syncwarp();
  d[t] = a + d[t];
  l[t] = b - l[t];
  u[t] ^= c;
  __syncwarp(0xffffffff);
}
