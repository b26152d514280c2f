// A radix-2 butterfly with float2 arithmetic, bit reversal by shifts and intrinsics, and __sincosf.
__device__ float2 cmul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__global__ void butterfly(float2* x, int n, int half, int inverse) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  int group = t / half, pos = t % half;
  int i = group * 2 * half + pos, j = i + half;
  float s, c, angle = (inverse ? 1.0f : -1.0f) * 3.14159265358979f * pos / half;
  __sincosf(angle, &s, &c);
  float2 w;
  w.x = c, w.y = s;
  float2 u = x[i], v = cmul(x[j], w);
  x[i] = make_float2(u.x + v.x, u.y + v.y);
  x[j] = make_float2(u.x - v.x, u.y - v.y);
}

__global__ void bitReverse(float2* dst, const float2* src, unsigned log2n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = i, r = 0;
  for (unsigned b = 0; b < log2n; ++b, v >>= 1) r = r << 1 | (v & 1);
  dst[r] = src[i];
  if (__brev(i) >> (32 - log2n) != r) dst[i].x = 0.f;
}
