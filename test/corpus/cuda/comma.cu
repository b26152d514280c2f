// run-on-host: commas compound
// Comma operators in for headers, in expressions and in statements, and compound assignment of every kind.
__global__ void commas(int* a, int n) {
  int i, j;
  for (i = threadIdx.x, j = n - 1; i < j; i += blockDim.x, j -= blockDim.x) {
    int t = a[i];
    a[i] = a[j], a[j] = t;
  }
  int k = (i = 0, j = n / 2, i + j);
  if (k > 0) i++, j--;
  a[k] = (i, j);
}

__global__ void compound(int* a, unsigned* u, float* f, short* s, unsigned char* c) {
  int t = threadIdx.x;
  a[t] += 3;
  a[t] -= t;
  a[t] *= 5;
  a[t] /= 2;
  a[t] %= 100;
  a[t] <<= 2;
  a[t] >>= 1;
  a[t] &= 0xff;
  a[t] |= 0x10;
  a[t] ^= t;
  u[t] += a[t];
  u[t] >>= t;
  f[t] /= a[t] + 1;
  f[t] += u[t];
  s[t] += 1.5f;
  c[t] += c[t + 1];
  c[t] <<= 1;
  c[t] = ~c[t];
}
