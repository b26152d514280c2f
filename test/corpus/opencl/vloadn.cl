// cl-std: CL1.2
// no-cuda: loads vectors of 8
// vloadn and vstoren of several widths and address spaces, and vload_half / vstore_half.
kernel void loads(global const float *in, global float *out, constant uchar *bytes, local int *tmp, int n) {
  int i = get_global_id(0);
  if (4 * i + 3 < n) {
    float4 v = vload4(i, in);
    float3 w = vload3(i, in + 1);
    float2 u = vload2(0, &in[i * 4]);
    v.xyz += w;
    v.zw -= u;
    vstore4(v, i, out);
    vstore2(v.xy, 2 * i, out);
    vstore3(w * 2.0f, i, out + n);
  }
  int l = get_local_id(0);
  uchar8 b = vload8(i, bytes);
  vstore4(convert_int4(b.lo), l, tmp);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int16 big = vload16(0, tmp);
  out[i] += big.s0 + big.sf;
}

kernel void halves(global const half *in, global half *out, global float *f, int n) {
  int i = get_global_id(0);
  float x = vload_half(i, in);
  float4 y = vload_half4(i, in);
  vstore_half(x * 2.0f, i, out);
  vstore_half4(y + x, i, out);
  vstore_half_rte(x, n, out);
  f[i] = y.x + x;
}
