// no-opencl: trace laid out
// no-opencl: everyKind vectors of one element
// Built-in vector types of every element type as values, members, arrays, struct members and return values.
struct Ray {
  float3 origin;
  float3 dir;
  uint2 pixel;
};

__device__ float3 along(const Ray& r, float t) {
  return make_float3(r.origin.x + t * r.dir.x, r.origin.y + t * r.dir.y, r.origin.z + t * r.dir.z);
}

__global__ void trace(const Ray* rays, float4* hits, int2* where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Ray r = rays[i];
  float3 p = along(r, 2.0f);
  hits[i] = make_float4(p.x, p.y, p.z, 1.0f);
  where[r.pixel.x] = make_int2(r.pixel.y, i);
}

__global__ void everyKind(char2* a, uchar3* b, short4* c, ushort2* d, int3* e, uint4* f, longlong2* g, ulonglong2* h, double2* p, float1* q) {
  int i = threadIdx.x;
  a[i].x += a[i].y;
  b[i] = make_uchar3(b[i].z, b[i].y, b[i].x);
  short4 s = c[i];
  s.w = s.x + s.y;
  c[i] = s;
  d[i].y = d[i].x << 3;
  e[i] = {e[i].x + 1, e[i].y, 0};
  uint4 u = make_uint4(1, 2, 3, 4);
  f[i] = u;
  g[i].x = h[i].y - g[i].y;
  p[i] = make_double2(p[i].y, -p[i].x);
  q[i].x = 1.0f;
  float4 rows[2];
  rows[i & 1] = make_float4(0, 1, 2, 3);
  q[i].x += rows[0].z;
  const float* flat = &rows[0].x;
  q[i].x += flat[i & 3];
}
