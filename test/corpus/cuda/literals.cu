// run-on-host: literals
// Literals of every form and value at the edges of their types, kept exactly.
__global__ void literals(int* i, unsigned* u, long long* l, unsigned long long* ul, float* f, double* d, char* c) {
  i[0] = 2147483647;
  i[1] = -2147483647 - 1;
  i[2] = 0x7fffffff + 0 - 017 + 0b101;
  i[3] = 'A' + '\0' + '\'' + '\\' + '\x41' + '\377';
  u[0] = 4294967295u;
  u[1] = 0xdeadBEEF;
  u[2] = 1u << 31;
  u[3] = ~0u;
  u[4] = -1;
  l[0] = 9223372036854775807LL;
  l[1] = -9223372036854775807LL - 1;
  l[2] = 0xffffffffff;
  l[3] = 2147483648;
  ul[0] = 18446744073709551615ull;
  ul[1] = 0xFFFFFFFFFFFFFFFFUL;
  f[0] = 1.0f;
  f[1] = .5f;
  f[2] = 1.f;
  f[3] = 3.40282347e+38f;
  f[4] = 1.17549435e-38f;
  f[5] = 1e-45f;
  f[6] = -0.0f;
  f[7] = 0x1.8p3f;
  f[8] = 0.1f + 1e10f;
  f[9] = 16777217;
  f[10] = 0.1;
  d[0] = 0.1;
  d[1] = 1e308;
  d[2] = 4.9e-324;
  d[3] = 3.141592653589793238462643;
  d[4] = 0.1f;
  d[5] = 1.0 / 3;
  d[6] = 123456789012345678.0;
  c[0] = 'z';
  c[1] = -128;
  c[2] = 200;
  c[3] = true;
}
