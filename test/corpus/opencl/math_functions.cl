// cl-std: CL1.2
// no-cuda: mathVec bitselect
// no-cuda: mathInt mad_sat
// Math, native, half_, integer, common, geometric and relational built-in functions.
kernel void mathFloat(global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float a = x[i], r = 0.0f, fr;
  int e;
  r += sin(a) + cos(a) + tan(a) + asin(a) + acos(a) + atan(a) + atan2(a, 2.0f) + sinpi(a) + cospi(a);
  r += exp(a) + exp2(a) + exp10(a) + expm1(a) + log(a) + log2(a) + log10(a) + log1p(a) + pow(a, 1.5f) + pown(a, 3) + powr(a, 2.0f);
  r += sqrt(a) + rsqrt(a) + cbrt(a) + hypot(a, 1.0f) + fabs(a) + fmod(a, 3.0f) + remainder(a, 2.0f);
  r += floor(a) + ceil(a) + trunc(a) + round(a) + rint(a) + fmin(a, r) + fmax(a, r) + fma(a, r, 1.0f) + mad(a, r, 2.0f);
  r += native_sin(a) + native_cos(a) + native_exp(a) + native_log(a) + native_sqrt(a) + native_rsqrt(a) + native_recip(a) + native_divide(a, 3.0f) + native_powr(a, 2.0f);
  r += half_sin(a) + half_rsqrt(a);
  r += clamp(a, 0.0f, 1.0f) + mix(a, r, 0.5f) + step(0.5f, a) + smoothstep(0.0f, 1.0f, a) + sign(a) + degrees(a) + radians(a) + min(a, r) + max(a, 0.0f);
  r += copysign(a, r) + erf(a) + M_PI_F + FLT_EPSILON;
  r += fract(a, &fr);
  r += frexp(a, &e);
  r += fr + ldexp(a, e);
  float c, s = sincos(a, &c);
  if (isnan(r) || isinf(a) || !isfinite(r) || signbit(a)) r = s * c;
  y[i] = isgreater(a, r) ? r : select(a, r, i > 3);
}

kernel void mathVec(global float4 *v, global float *out, global int4 *k) {
  int i = get_global_id(0);
  float4 a = v[i], b = v[i + 1];
  out[i] = dot(a, b) + length(a) + distance(a, b) + fast_length(a) + any(a < b) + all(a == b);
  v[i] = normalize(a) + cross(a, b) + fma(a, b, a) + clamp(a, 0.0f, 1.0f) + max(a, b) + min(a, 1.0f) + sqrt(b) + mix(a, b, 0.25f);
  k[i] = select(k[i], k[i + 1], a > b) + (a <= b) + isless(a, b) + convert_int4(floor(a)) + convert_int4(abs_diff(k[i], k[i + 1]));
  v[i + 1] = bitselect(a, b, a) + select(a, b, k[i]);
}

kernel void mathInt(global int *a, global uint *u, global long *l) {
  int i = get_global_id(0);
  int x = a[i];
  a[i] = abs(x) + min(x, 3) + max(x, -3) + clamp(x, 0, 9) + mul_hi(x, 12345) + mul24(x, 3) + mad24(x, 3, 4) + clz(x) + popcount(x);
  u[i] = rotate(u[i], 7u) + add_sat(u[i], 5u) + sub_sat(u[i], 9u) + hadd(u[i], 3u) + rhadd(u[i], 3u) + abs_diff(x, 7) + mad_sat(u[i], 2u, 1u) + upsample((ushort)x, (ushort)3);
  l[i] = mad_hi(l[i], 5L, 6L) + abs(l[i]);
}
