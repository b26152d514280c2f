// Bytes that are no numbers travel as halves and come out as they were: every pattern of 16 bits, whole and by bytes.
#include <cstdio>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <class T> struct Four {
  T x, y, z, w;
};

template <class T> __global__ void copy(const Four<T>* in, Four<T>* out, unsigned char* bytes, T one, T* ones) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Four<T> v = in[i];
  const unsigned char* p = reinterpret_cast<const unsigned char*>(&v.x);
  bytes[2 * i] = p[0];
  bytes[2 * i + 1] = p[1];
  out[i] = v;
  ones[i] = one;
}

template <class T> void check(const char* name) {
  const int n = 65536;
  unsigned short *in, *out, *ones;
  unsigned char* bytes;
  cudaMallocManaged(&in, 2 * n);
  cudaMallocManaged(&out, 2 * n);
  cudaMallocManaged(&bytes, n / 2);
  cudaMallocManaged(&ones, n / 2);
  for (int i = 0; i < n; ++i) in[i] = (unsigned short)i;
  unsigned short odd = 0x7f81;  // a NaN in both formats
  copy<T><<<n / 4 / 256, 256>>>(reinterpret_cast<Four<T>*>(in), reinterpret_cast<Four<T>*>(out), bytes,
                                *reinterpret_cast<T*>(&odd), reinterpret_cast<T*>(ones));
  cudaDeviceSynchronize();
  int wrong = 0, wrongBytes = 0, wrongOnes = 0;
  for (int i = 0; i < n; ++i) wrong += in[i] != out[i];
  for (int i = 0; i < n / 4; ++i) {
    wrongBytes += bytes[2 * i] != (in[4 * i] & 255) || bytes[2 * i + 1] != in[4 * i] >> 8;
    wrongOnes += ones[i] != odd;
  }
  printf("%s: %d %d %d\n", name, wrong, wrongBytes, wrongOnes);
  cudaFree(in);
  cudaFree(out);
  cudaFree(bytes);
  cudaFree(ones);
}

int main() {
  check<__half>("half");
  check<__nv_bfloat16>("bfloat16");
  return 0;
}
