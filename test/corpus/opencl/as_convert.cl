// cl-std: CL1.2
// convert_ with saturation and rounding modes, as_ reinterpretation of scalars and vectors, plain casts.
kernel void convert(global const float4 *f, global int4 *i, global uchar4 *c, global short4 *s, global double4 *d) {
  int g = get_global_id(0);
  float4 v = f[g];
  i[g] = convert_int4(v);
  i[g] += convert_int4_rte(v) + convert_int4_rtz(v) + convert_int4_sat(v * 1e10f);
  c[g] = convert_uchar4_sat(v) + convert_uchar4_sat_rte(v);
  s[g] = convert_short4(i[g]) - convert_short4_sat(c[g]);
  d[g] = convert_double4(v) + convert_double4(i[g]);
  i[g].x = convert_int_rtp(v.y) + convert_uint_rtn(v.z) + (int)v.w;
}

kernel void reinterpret(global float *f, global uint *u, global long *l, global uchar4 *c, global float4 *v) {
  int g = get_global_id(0);
  u[g] = as_uint(f[g]) ^ 0x80000000u;
  f[g] = as_float(u[g] & 0x7fffffff);
  l[g] = as_long(as_double(l[g]) + 1.0);
  c[g] = as_uchar4(u[g]).wzyx;
  v[g] = as_float4(as_uint4(v[g]) << 1u);
}
