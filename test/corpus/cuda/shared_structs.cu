// Shared memory of every kind: scalars, structs, arrays of vectors, several arrays in one declaration, static in device functions.
struct Stats {
  int count;
  float sum, peak;
};

__device__ float blockBroadcast(float v) {
  __shared__ float slot;
  if (threadIdx.x == 0) slot = v;
  __syncthreads();
  return slot;
}

__global__ void stats(const float* x, Stats* out, int n) {
  __shared__ Stats s;
  __shared__ float2 pairs[64];
  __shared__ int a[64], b[2][32], c;
  int t = threadIdx.x;
  if (t == 0) {
    s.count = 0;
    s.sum = s.peak = 0.f;
    c = 0;
  }
  pairs[t & 63] = make_float2(t, -t);
  a[t & 63] = b[0][t & 31] = t;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x) {
    atomicAdd(&s.count, 1);
    atomicAdd(&s.sum, x[i]);
    if (x[i] > pairs[i & 63].x) atomicAdd(&c, a[i & 63] + b[1][i & 31]);
  }
  __syncthreads();
  float m = blockBroadcast(s.sum / max(s.count, 1));
  if (t == 0) {
    s.peak = m + c;
    out[blockIdx.x] = s;
  }
}
