// no-opencl: mathFloat OpenCL has no
// Math and intrinsic functions of single and double precision and of integers.
__global__ void mathFloat(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], r = 0, ip;
  r += sinf(a) + cosf(a) + tanf(a) + asinf(a) + acosf(a) + atanf(a) + atan2f(a, 2.0f);
  r += sinhf(a) + coshf(a) + tanhf(a) + expf(a) + exp2f(a) + expm1f(a) + logf(a) + log2f(a) + log10f(a) + log1pf(a);
  r += sqrtf(a) + rsqrtf(a) + cbrtf(a) + powf(a, 1.5f) + hypotf(a, 1) + fabsf(a) + fmodf(a, 3.f) + remainderf(a, 2);
  r += floorf(a) + ceilf(a) + truncf(a) + roundf(a) + rintf(a) + fminf(a, r) + fmaxf(a, r) + fmaf(a, r, 1.f);
  r += copysignf(a, r) + fdimf(a, 1) + erff(a) + erfcf(a) + ldexpf(a, 3);
  r += modff(a, &ip);
  r += ip;
  r += __sinf(a) + __cosf(a) + __expf(a) + __logf(a) + __powf(a, 2) + __fdividef(a, 3) + __frcp_rn(a) + __fsqrt_rn(a);
  r += __fmul_rn(a, a) + __fadd_rn(a, a) + __fmaf_rn(a, a, a) + __saturatef(a);
  if (isnan(r) || isinf(a) || !isfinite(r)) r = 0;
  float s, c;
  sincosf(a, &s, &c);
  y[i] = r + s * c + (signbit(a) ? 1.f : 0.f);
}

__global__ void mathDouble(const double* x, double* y) {
  double a = x[threadIdx.x];
  double r = sin(a) * cos(a) + exp(a) - log(a) + sqrt(a) * pow(a, 0.3) + fabs(a) + fmax(a, 1.0) + fmin(a, 2.0) + floor(a) + ceil(a);
  r += fma(a, a, r) + atan2(a, r) + fmod(a, 7.0) + rsqrt(a) + round(a) + tanh(a) + erf(a) + tgamma(a) + lgamma(a);
  y[threadIdx.x] = r;
}

__global__ void mathInt(const int* x, unsigned* u, int* y, long long* l) {
  int t = threadIdx.x, a = x[t];
  unsigned v = u[t];
  int r = abs(a) + min(a, 7) + max(a, -7) + __mulhi(a, 12345) + __mul24(a, 3) + __clz(a) + __ffs(a) + __popc(v);
  r += __umulhi(v, 77u) + __brev(v) + __byte_perm(v, a, 0x3210) + __clzll(l[t]) + __popcll(l[t]);
  r += umin(v, 9u) + umax(v, 2u) + __float2int_rn(1.5f * a) + __float2int_rz(0.5f * a) + __sad(a, 3, v) + __funnelshift_l(v, v, 7);
  y[t] = r + __float_as_int(__int2float_rn(a));
  l[t] = llabs(l[t]) + __double2ll_rz((double)a) + __double_as_longlong(2.0);
}
