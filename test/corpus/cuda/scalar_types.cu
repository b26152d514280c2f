// Scalar types from 8 to 64 bits, their conversions, promotions, wrap-around, mixed comparisons and literals.
#include <stdint.h>

__global__ void widths(int8_t* a, uint8_t* b, int16_t* c, uint16_t* d, int32_t* e, uint32_t* f, int64_t* g, uint64_t* h) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = a[i] + b[i];
  b[i] = b[i] * 3 - c[i];
  c[i] = (int16_t)(d[i] - 40000);
  d[i] = c[i] < d[i] ? 1 : 65535;
  e[i] = a[i] << 8 | b[i];
  f[i] = f[i] * 1664525u + 1013904223u;
  g[i] = (int64_t)e[i] * e[i] - 0x7fffffffffLL;
  h[i] = (h[i] ^ (h[i] >> 33)) * 0xff51afd7ed558ccdULL;
}

__global__ void mixedCompares(const int* s, const unsigned* u, const char* c, long* l, bool* out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    bool r = s[i] < u[i];
    r |= s[i] == -1;
    r = r && !(u[i] - 1 > 5);
    r ^= c[i] >= '0' && c[i] <= '9';
    out[i] = r;
    l[i] = -u[i] + (s[i] > 0) + c[i] - 'a';
    l[i] += (long)(1u << 31) + (1L << 40) + sizeof(double) + 'x' + '\n' + 0777 + true;
  }
}

__global__ void floats(float* f, double* d, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    f[i] = f[i] * 2.0 + 1e-3f;
    d[i] = f[i] / 3 + 1.0e10 + 0x1p-4;
    f[i] += (int)d[i] % 7;
    d[i] = (unsigned char)f[i] + (short)d[i] * 1.f;
  }
}
