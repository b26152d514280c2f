// Bits read as another type through pointers to locals, shared memory and parameters, and by the intrinsics.
__device__ float fastInvSqrt(float x) {
  int i = *(int*)&x;
  i = 0x5f3759df - (i >> 1);
  float y = *(float*)&i;
  return y * (1.5f - 0.5f * x * y * y);
}

__global__ void invSqrt(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = fastInvSqrt(x[i]);
}

__global__ void splitDouble(const double* d, int* lo, int* hi, float* f) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  int2 parts = *reinterpret_cast<const int2*>(&s[t]);
  lo[t] = parts.x + __double2loint(d[t]);
  hi[t] = parts.y ^ __double2hiint(d[t]);
  f[t] = __uint_as_float(__float_as_uint(f[t]) & 0x7fffffffu) + ((float*)s)[t];
}
