// cl-std: CL1.2
// A radix-4 butterfly on float2 with sincos and helper functions on vectors.
#define PI_F 3.14159265358979f
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 twiddle(int k, int n) {
  float c;
  float s = sincos(-2.0f * PI_F * k / n, &c);
  return (float2)(c, s);
}

__kernel void radix4(__global const float2 *in, __global float2 *out, int p) {
  int i = get_global_id(0), t = get_global_size(0);
  int k = i & (p - 1);
  int j = ((i - k) << 2) + k;
  float2 u0 = in[i], u1 = cmul(twiddle(k, 4 * p), in[i + t]);
  float2 u2 = cmul(twiddle(2 * k, 4 * p), in[i + 2 * t]), u3 = cmul(twiddle(3 * k, 4 * p), in[i + 3 * t]);
  float2 v0 = u0 + u2, v1 = u0 - u2, v2 = u1 + u3, v3 = (u1 - u3).yx * (float2)(1, -1);
  out[j] = v0 + v2;
  out[j + p] = v1 + v3;
  out[j + 2 * p] = v0 - v2;
  out[j + 3 * p] = v1 - v3;
}
