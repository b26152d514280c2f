// run-on-host: narrow
// C's conversions: promotions, narrowing assignments as values, signed against unsigned, bool contexts, shifts, integer division, casts.
__global__ void narrow(signed char* c, unsigned char* uc, short* s, int* o, unsigned* u) {
  int t = threadIdx.x;
  o[0] = (c[t] = 300 + t) + 1;
  o[1] = (uc[t] = -1) + (s[t] = 70000);
  o[2] = c[t] + uc[t] * s[t];
  o[3] = (uc[t] += 250) > 255;
  o[4] = uc[t] << 25;
  o[5] = (unsigned char)(uc[t] << 4) >> 4;
  o[6] = ~uc[t] == (unsigned char)~uc[t];
  o[7] = c[t]++ + ++s[t];
  o[8] = c[t] < u[t];
  o[9] = (short)u[t] < (int)u[t] / -3 % 5;
  o[10] = -u[t] / 2 > 10u;
  o[11] = u[t] - 5 < 0 || u[t] >= 0;
  u[t] = c[t];
  u[t] >>= c[t] & 7;
  u[1] = s[t] * s[t] / (u[t] + 1);
  c[t] *= 1.7;
  c[t] -= u[t];
  s[t] /= 2.5f;
  s[t] = uc[t] ? c[t] : s[t];
}

__global__ void floating(float* f, double* d, int* i, long long* l, bool* b) {
  int t = threadIdx.x;
  f[0] = i[t] / 2 * 1.0f;
  f[1] = i[t] / 2.0f + t / 3;
  f[2] = (float)i[t] / i[1] + (int)f[3] / 2;
  f[3] = d[t];
  f[4] += d[t] * f[t];
  f[5] = f[t] * d[0] + l[t];
  d[1] = f[t] * f[t];
  d[2] = (double)f[t] * f[t];
  i[1] = f[t] + 0.5f;
  i[2] += 0.5f;
  l[1] = i[t] * i[t];
  l[2] = (long long)i[t] * i[t];
  l[3] = i[t] + 1LL * t;
  b[0] = i[t];
  b[1] = f[t];
  b[2] = f[t] > 0 == i[t];
  i[3] = b[0] + b[1] << b[2];
  i[4] = !f[t] + !i[t] + !b[t];
  f[6] = b[0] ? i[t] : 2.5f;
  d[3] = b[1] ? f[t] : d[t];
  if (f[t]) i[5] = 1;
  while (!l[t]) l[t] += b[1];
  b[3] = d && l[t] || f;
}
