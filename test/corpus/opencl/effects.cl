// cl-std: CL1.2
// code-differs: order
// Side effects where order matters, and C's conversions, in OpenCL C.
int next(int *state) {
  *state = *state * 1103515245 + 12345;
  return (*state >> 16) & 0x7fff;
}

__kernel void order(__global int *a, __global const int *b, int n) {
  int s = b[get_global_id(0)], i = 0, j = n;
  __global const int *p = b;
  while (i++ < n && --j > 0) {
    if (b[i] == 0) continue;
    s += b[j];
  }
  for (int k = 0; next(&s) % 7 != 0; k += b[k] ? 1 : 2)
    a[k] = s;
  do {
    if (a[j] == s) continue;
    s -= a[j++];
  } while (j++ < n || s-- > 100);
  int y = s > 0 ? next(&s) : (i = 3, i + s);
  bool both = next(&s) > 10 && next(&s) > 20;
  int v[3] = {*p++, 5, next(&s)};
  a[next(&s) & 7] += y * 2 + both;
  a[1] = v[0] + v[2] + atomic_add(&a[7], 1) + (both ? atomic_inc(&a[8]) : 0);
}

__kernel void convert(__global char *c, __global uchar *uc, __global short *s, __global int *o, __global uint *u, __global float *f) {
  int t = get_global_id(0);
  o[0] = (c[t] = 300 + t) + 1;
  o[1] = (uc[t] += 250) > 255;
  o[2] = c[t] + uc[t] * s[t];
  o[3] = c[t] < u[t];
  o[4] = (uchar)(uc[t] << 4) >> 4;
  u[t] >>= c[t];
  c[t] *= 1.7f;
  s[t] = uc[t] ? c[t] : s[t];
  f[0] = o[t] / 2 * 1.0f + t / 3;
  o[5] = f[t] + 0.5f;
  o[6] += 0.5f;
  o[7] = !f[t] + !o[t] + (f[t] > 0);
  if (f[t]) o[8] = -2147483647 - 1;
  f[1] = 0x1.8p3f + 1e-45f + 16777217 + .5f;
}
