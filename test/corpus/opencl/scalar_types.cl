// cl-std: CL1.2
// Scalar types from 8 to 64 bits with C's conversions, literals with suffixes, size_t, bool, intptr and double.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void widths(global char *a, global uchar *b, global short *c, global ushort *d, global int *e, global uint *f, global long *g, global ulong *h) {
  size_t i = get_global_id(0);
  a[i] = a[i] + b[i];
  b[i] = b[i] * 3 - c[i];
  c[i] = (short)(d[i] - 40000);
  d[i] = c[i] < d[i] ? 1 : 65535;
  e[i] = a[i] << 8 | b[i];
  f[i] = f[i] * 1664525u + 1013904223u;
  g[i] = (long)e[i] * e[i] - 0x7fffffffffL;
  h[i] = (h[i] ^ (h[i] >> 33)) * 0xff51afd7ed558ccdUL;
  bool odd = i & 1;
  if (odd && e[i] < f[i]) a[i] = 'z' - '\t';
}

kernel void doubles(global double *d, global float *f, double k, int n) {
  int i = get_global_id(0);
  if (i < n) {
    d[i] = d[i] * k + f[i] / 3 + 1.0e+2;
    f[i] = d[i] * 0.5 + 1.5f;
    d[i] += sizeof(double) + (unsigned char)f[i] + (int)d[i] % 7 + sqrt(d[i]) + fmax(d[i], 2.0);
  }
}
