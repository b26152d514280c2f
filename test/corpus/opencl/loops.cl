// cl-std: CL1.2
// code-differs: loops compactRow
// for, while and do loops with break and continue, switch with fallthrough, comma, compound and side effects in expressions.
__kernel void loops(__global int *a, __global const int *b, int n) {
  int g = get_global_id(0), i, j, s = 0;
  for (i = 0, j = n - 1; i < j; i++, j--)
    s += a[i] * b[j];
  for (int k = n; k; k >>= 1) s ^= b[k];
  while (n--) {
    if (b[n] < 0) continue;
    if (b[n] == 99) break;
    s += b[n];
  }
  do {
    s = s & 1 ? 3 * s + 1 : s / 2;
  } while (s > 100);
  switch (s % 5) {
    case 0:
    case 1: s += 10; break;
    case 2: s -= 1;
    case 3: s *= 2; break;
    default: s = -1;
  }
  a[g++] = s--;
  a[g] = (i = j + 1, i * 2);
  a[g] += i > j ? i < 3 ? 1 : 2 : 3;
}

__kernel void compactRow(__global const short *in, __global short *out, __global uchar *len, int w) {
  __global const short *p = in + get_global_id(0) * w, *end = p + w;
  __global short *q = out + get_global_id(0) * w;
  uchar c = 0;
  while (p != end) {
    short v;
    if ((v = *p++) > 0) {
      *q++ = v;
      ++c;
    }
  }
  len[get_global_id(0)] = c;
}
