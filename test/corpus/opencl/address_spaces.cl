// cl-std: CL1.2
// Pointers in all address spaces, program-scope constants, private arrays and pointers to them.
__constant float gauss[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
constant int primes[] = {2, 3, 5, 7};
__constant float scale = 1.0f / 16;

float sumPrivate(const float *p, int n) {
  float s = 0;
  while (n--)
    s += *p++;
  return s;
}

void swapLocal(__local int *a, __local int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

__kernel void blur(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  __private float part[9];
  int k = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      part[k++] = in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)] * gauss[dy + 1][dx + 1];
  out[y * w + x] = sumPrivate(part, 9) * scale;
}

__kernel void oddEven(__global int *data, __constant int *bias, __local int *buf, int n) {
  int l = get_local_id(0);
  buf[l] = data[l] + bias[0] + primes[l & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int phase = 0; phase < n; phase++) {
    if ((l & 1) == (phase & 1) && l + 1 < n && buf[l] > buf[l + 1])
      swapLocal(&buf[l], buf + l + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[l] = buf[l];
}
