// Vector types and (float4*) views: loads, stores, members, make_ functions, tails handled by scalar code.
__global__ void scaleVec4(float* data, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4* v = (float4*)data;
  int n4 = n / 4;
  if (i < n4) {
    float4 t = v[i];
    t.x *= s;
    t.y *= s;
    t.z *= s;
    t.w *= s;
    v[i] = t;
  }
  if (i == n4)
    for (int k = n4 * 4; k < n; ++k) data[k] *= s;
}

__global__ void addViews(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 x = *reinterpret_cast<const float4*>(&a[i]);
    float4 y = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  }
}

__global__ void packPixels(const uchar4* rgba, float* gray, int2* dims, unsigned short* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 p = rgba[i];
  gray[i] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
  int2 d = make_int2(p.x, p.w);
  d.x += d.y;
  dims[i] = d;
  out[i] = ((ushort2*)out)[0].y + rgba[i].w;
}
