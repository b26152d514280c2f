// cl-std: CL1.2
// no-cuda: swizzle vectors of 8
// no-cuda: broadcast vectors of three
// Vector types of every width with swizzles on both sides, hi, lo, even, odd, s-indices and literals.
kernel void swizzle(global float4 *v, global float2 *w, global int8 *k, global uchar16 *c) {
  int i = get_global_id(0);
  float4 a = v[i];
  float4 b = a.wzyx;
  b.xy = a.zw + (float2)(1.0f, 2.0f);
  b.s3 = a.s0 * b.y;
  w[i] = b.lo * a.hi + a.even - a.odd;
  float3 t = b.xyz;
  t.yz = t.zy;
  v[i] = (float4)(t, 1.0f);
  v[i].w = dot(a, b);
  v[i].xz += 2.0f;
  int8 m = k[i];
  m.s01234567 = m.s76543210;
  m.lo = m.hi.wzyx;
  k[i] = m + (int8)(1, 2, 3, 4, 5, 6, 7, 8);
  c[i].sF = c[i].s0 + c[i].sa;
}

kernel void broadcast(global double2 *d, global float16 *f, global short3 *s) {
  int i = get_global_id(0);
  d[i] = (double2)(0.5) * d[i].yx;
  f[i] = (float16)(f[i].s01ab, (float4)(0), f[i].hi);
  short3 q = (short3)((short)1, s[i].zx);
  s[i] = q + s[i];
}
