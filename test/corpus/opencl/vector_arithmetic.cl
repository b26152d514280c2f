// cl-std: CL1.2
// code-differs: arith
// Whole-vector arithmetic: scalars widened, comparisons and logic giving masks, shifts, ternaries, compound assignment.
kernel void arith(global float4 *a, global const float4 *b, float s, global int4 *k) {
  int i = get_global_id(0);
  float4 x = a[i], y = b[i];
  float4 z = x * y + s;
  z += 2.0f;
  z *= x - y;
  z /= (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  z = -z;
  int4 m = x < y;
  m &= (y != 0.0f) | (x == z);
  m = ~m;
  k[i] = (k[i] << 2) ^ m;
  k[i] >>= (int4)(1, 2, 3, 4);
  k[i] %= 7;
  k[i] = !k[i] + (k[i] && m);
  a[i] = m ? z : x;
  a[i].x = m.x ? z.y : x.z;
}

kernel void pixels(global uchar4 *img, global const uchar4 *old, uchar alpha, int n) {
  int i = get_global_id(0);
  if (i < n) {
    ushort4 p = convert_ushort4(img[i]) * (ushort)alpha + convert_ushort4(old[i]) * (ushort)(255 - alpha);
    img[i] = convert_uchar4(p >> (ushort)8);
    img[i].w = 255;
  }
}
