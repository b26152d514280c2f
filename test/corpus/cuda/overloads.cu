// Overloaded device functions, default arguments, static functions, inline qualifiers, forward declarations, functions calling functions.
__device__ float blend(float a, float b, float t = 0.5f);
__device__ int blend(int a, int b) { return (a + b) >> 1; }
static __device__ __forceinline__ double blend(double a, double b) { return 0.5 * (a + b); }

__device__ __noinline__ float blend(float a, float b, float t) {
  return (1.0f - t) * a + t * b;
}

__device__ void store(float* p, int i, float v) {
  if (v != v) return;
  p[i] = v;
}

__host__ __device__ inline int roundUp(int x, int m = 16) { return (x + m - 1) / m * m; }

__global__ void blends(float* f, int* k, double* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= roundUp(n, 4)) return;
  store(f, i, blend(f[i], f[i + 1]));
  store(f, i + 1, blend(f[i], f[i + 1], 0.25f));
  k[i] = blend(k[i], k[i + 1]) + roundUp(i);
  d[i] = blend(d[i], d[i + 1]);
}
