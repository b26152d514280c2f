// Half precision and bfloat16 on the host, against the same arithmetic in a kernel.
#include <cstdio>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <class T> __host__ __device__ void work(const float* in, int i, float* out) {
  T a = T(in[i]), b;
  b = in[i + 1];
  T sum = a;
  sum += b;
  out[0] = float(a + b);
  out[1] = float(a * b - a / b);
  out[2] = float(a * b + sum);
  out[3] = float(__hmax(a, b)) - float(__hmin(a, b));
  out[4] = a < b ? 1.0f : __hge(a, b) ? 2.0f : 3.0f;
  out[5] = float(-a);
  out[6] = float(__habs(b));
  out[7] = float(int(a)) + float(__half(__nv_bfloat16(__half(a)))) + float(__nv_bfloat16(__half(__nv_bfloat16(b))));
}

template <class T> __global__ void onDevice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) work<T>(in, i, out + 8 * i);
}

template <class T> int compare(const float* in, int n) {
  float *dIn, *dOut;
  cudaMalloc(&dIn, (n + 1) * sizeof(float));
  cudaMalloc(&dOut, 8 * n * sizeof(float));
  cudaMemcpy(dIn, in, (n + 1) * sizeof(float), cudaMemcpyHostToDevice);
  onDevice<T><<<(n + 63) / 64, 64>>>(dIn, dOut, n);
  float* got = new float[8 * n];
  cudaMemcpy(got, dOut, 8 * n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    float expected[8];
    work<T>(in, i, expected);
    for (int k = 0; k < 8; ++k) wrong += expected[k] != got[8 * i + k];
  }
  delete[] got;
  cudaFree(dIn);
  cudaFree(dOut);
  return wrong;
}

int main() {
  const int n = 500;
  float in[n + 1];
  for (int i = 0; i <= n; ++i) in[i] = (i % 2 ? -1.0f : 1.0f) * (0.37f + 0.113f * i);
  printf("half: %d differ, bfloat16: %d differ\n", compare<__half>(in, n), compare<__nv_bfloat16>(in, n));
  __half third = __float2half(1.0f / 3.0f);
  printf("%04x %g %04x\n", __half_as_ushort(third), __half2float(third),
         __half_as_ushort(__float2half_ru(1.0f / 3.0f)));
  __half2 pair = __floats2half2_rn(1.5f, 70000.0f);
  printf("%g %g %d\n", __low2float(pair), __high2float(pair), __hisinf(__high2half(pair)));
  __nv_bfloat16 pi = __float2bfloat16(3.14159f);
  printf("%04x %g\n", __bfloat16_as_ushort(pi), __bfloat162float(pi));
  return 0;
}
