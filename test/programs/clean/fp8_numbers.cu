// Numbers of eight bits: conversions on the device and on the host agree, and every code has its value.
#include <cmath>
#include <cstdio>

#include <cuda_fp8.h>
#include <cuda_runtime.h>

template <class T> __global__ void convert(const float* in, unsigned char* codes, float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T v(in[i]);
  codes[i] = v.__x;
  values[i] = float(v);
}

__global__ void fours(const float4* in, float4* out, unsigned char* loose) {
  __nv_fp8x4_e4m3 v(in[threadIdx.x]);
  out[threadIdx.x] = float4(v);
  __half2 low = __floats2half2_rn(in[threadIdx.x].z, in[threadIdx.x].w);
  __nv_fp8x4_e4m3 halves(low, low);
  out[threadIdx.x + 2] = float4(halves);
  loose[threadIdx.x] = __nv_cvt_float_to_fp8(in[threadIdx.x].x, __NV_NOSAT, __NV_E5M2);
}

template <class T> void show(const char* name, const float* in, int n) {
  float *dIn, *values;
  unsigned char* codes;
  cudaMallocManaged(&dIn, n * sizeof(float));
  cudaMallocManaged(&values, n * sizeof(float));
  cudaMallocManaged(&codes, n);
  for (int i = 0; i < n; ++i) dIn[i] = in[i];
  convert<T><<<(n + 63) / 64, 64>>>(dIn, codes, values, n);
  cudaDeviceSynchronize();
  int differ = 0;
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    T host(in[i]);
    differ += host.__x != codes[i] || !(float(host) == values[i] || std::isnan(values[i]));
    sum = 31 * sum + codes[i];
  }
  printf("%s: %d differ, sum %08x, %g -> %02x %g\n", name, differ, sum, in[7], codes[7], values[7]);
  double total = 0;
  for (int c = 0; c < 128; ++c) {
    T v;
    v.__x = (unsigned char)c;
    if (std::isfinite(float(v))) total += float(v);
  }
  printf("sum of the positive ones %g\n", total);
  cudaFree(dIn);
  cudaFree(values);
  cudaFree(codes);
}

int main() {
  const int n = 2000;
  float in[n];
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = ldexpf(float(int(state >> 8) - (1 << 23)) / (1 << 23), int(state >> 3 & 31) - 18);
    if (i % 5 == 0) in[i] = ldexpf(float(int(state >> 20 & 63) - 32), int(state >> 4 & 15) - 14);  // ties
  }
  show<__nv_fp8_e4m3>("e4m3", in, n);
  show<__nv_fp8_e5m2>("e5m2", in, n);
  float4 *four, *back;
  unsigned char* loose;
  cudaMallocManaged(&four, 2 * sizeof(float4));
  cudaMallocManaged(&back, 4 * sizeof(float4));
  cudaMallocManaged(&loose, 2);
  four[0] = make_float4(1e6f, -1e6f, 464.0f, 0.0009765625f);
  four[1] = make_float4(-INFINITY, 465.0f, 17.0f, -19.0f);
  fours<<<1, 2>>>(four, back, loose);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i)
    printf("%g %g %g %g %02x, %g %g\n", back[i].x, back[i].y, back[i].z, back[i].w, loose[i], back[i + 2].x, back[i + 2].w);
  return 0;
}
