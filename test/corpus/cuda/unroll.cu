// #pragma unroll in its forms, with counts from constants, nounroll, and a loop kept rolled.
#define FACTOR 4
constexpr int kDepth = 8;

template <int N>
__device__ float dotUnrolled(const float* a, const float* b) {
  float s = 0.f;
#pragma unroll
  for (int i = 0; i < N; i++) s += a[i] * b[i];
  return s;
}

__global__ void unrolled(const float* a, const float* b, float* c, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 4
  for (int i = 0; i < n; ++i) s += a[i];
#pragma unroll kDepth
  for (int i = 0; i < n; i += 2) s -= b[i];
#pragma unroll 1
  for (int i = 0; i < n; ++i) s *= a[i];
#pragma unroll (4)
  for (int i = 0; i < FACTOR; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j) s += a[i * 2 + j];
  }
#pragma nounroll
  while (s > 100.0f) s *= 0.5f;
  c[t] = s + dotUnrolled<4>(a + 4 * t, b + 4 * t);
}
