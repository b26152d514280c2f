// half and half2 with cuda_fp16.h: conversions, arithmetic by intrinsic and by operator, half2 views.
#include <cuda_fp16.h>

__global__ void haxpy(int n, half a, const half* x, half* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void halfViews(const __half* in, __half* out, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2* in2 = (const __half2*)in;
  if (i < n / 2) {
    __half2 v = in2[i];
    v = __hadd2(v, __float2half2_rn(1.0f));
    v = __hmul2(v, v);
    reinterpret_cast<__half2*>(out)[i] = v;
    sum[i] = __low2float(v) + __high2float(v);
  }
}

__global__ void halfOperators(const float* f, half* h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    half a = __float2half(f[i]);
    half b = h[i];
    half c = a * b + a;
    if (__hgt(c, b)) c = c - b;
    h[i] = c;
    if (__half2float(c) < 0.0f) h[i] = __float2half(0.0f);
  }
}
