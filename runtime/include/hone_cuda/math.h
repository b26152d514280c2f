// Math functions: double and float under C's names, CUDA's overloads, and the same in namespace std. They must stand before
// <cmath>: a device function declared first keeps a later constexpr one of the same type on the host side.
#pragma once
#pragma GCC system_header

template <class T> struct __hone_is_integer { static constexpr bool value = false; };
#define __hone_integer(T) template <> struct __hone_is_integer<T> { static constexpr bool value = true; };
__hone_integer(bool) __hone_integer(char) __hone_integer(signed char) __hone_integer(unsigned char)
__hone_integer(short) __hone_integer(unsigned short) __hone_integer(int) __hone_integer(unsigned int)
__hone_integer(long) __hone_integer(unsigned long) __hone_integer(long long) __hone_integer(unsigned long long)
#undef __hone_integer
template <bool, class R> struct __hone_if {};
template <class R> struct __hone_if<true, R> { typedef R type; };
template <class T> struct __hone_is_real { static constexpr bool value = __hone_is_integer<T>::value; };
template <> struct __hone_is_real<float> { static constexpr bool value = true; };
template <> struct __hone_is_real<double> { static constexpr bool value = true; };

#define __hone_unary(NAME) \
  __hone_device double NAME(double); \
  __hone_device float NAME(float); \
  __hone_device float NAME##f(float); \
  template <class T> __hone_device typename __hone_if<__hone_is_integer<T>::value, double>::type NAME(T);
#define __hone_binary(NAME) \
  __hone_device double NAME(double, double); \
  __hone_device float NAME(float, float); \
  __hone_device float NAME##f(float, float); \
  template <class T, class U> \
  __hone_device typename __hone_if<__hone_is_real<T>::value && __hone_is_real<U>::value, double>::type NAME(T, U);

__hone_unary(acos) __hone_unary(acosh) __hone_unary(asin) __hone_unary(asinh) __hone_unary(atan) __hone_unary(atanh)
__hone_unary(cbrt) __hone_unary(ceil) __hone_unary(cos) __hone_unary(cosh) __hone_unary(cospi) __hone_unary(erf)
__hone_unary(erfc) __hone_unary(erfcinv) __hone_unary(erfcx) __hone_unary(erfinv) __hone_unary(exp) __hone_unary(exp10)
__hone_unary(exp2) __hone_unary(expm1) __hone_unary(fabs) __hone_unary(floor) __hone_unary(j0) __hone_unary(j1)
__hone_unary(lgamma) __hone_unary(log) __hone_unary(log10) __hone_unary(log1p) __hone_unary(log2) __hone_unary(logb)
__hone_unary(nearbyint) __hone_unary(normcdf) __hone_unary(normcdfinv) __hone_unary(rcbrt) __hone_unary(rint) __hone_unary(round)
__hone_unary(rsqrt) __hone_unary(sin) __hone_unary(sinh) __hone_unary(sinpi) __hone_unary(sqrt) __hone_unary(tan)
__hone_unary(tanh) __hone_unary(tgamma) __hone_unary(trunc) __hone_unary(y0) __hone_unary(y1) __hone_unary(cyl_bessel_i0)
__hone_unary(cyl_bessel_i1)
__hone_binary(atan2) __hone_binary(copysign) __hone_binary(fdim) __hone_binary(fmax) __hone_binary(fmin) __hone_binary(fmod)
__hone_binary(hypot) __hone_binary(nextafter) __hone_binary(pow) __hone_binary(remainder) __hone_binary(rhypot)

#undef __hone_unary
#undef __hone_binary

// clang-format off
__hone_device double fma(double, double, double); __hone_device float fma(float, float, float);
__hone_device float fmaf(float, float, float);
__hone_device double frexp(double, int*); __hone_device float frexp(float, int*); __hone_device float frexpf(float, int*);
__hone_device double ldexp(double, int); __hone_device float ldexp(float, int); __hone_device float ldexpf(float, int);
__hone_device double scalbn(double, int); __hone_device float scalbn(float, int); __hone_device float scalbnf(float, int);
__hone_device double scalbln(double, long); __hone_device float scalbln(float, long); __hone_device float scalblnf(float, long);
__hone_device double modf(double, double*); __hone_device float modf(float, float*); __hone_device float modff(float, float*);
__hone_device double remquo(double, double, int*); __hone_device float remquo(float, float, int*); __hone_device float remquof(float, float, int*);
__hone_device void sincos(double, double*, double*); __hone_device void sincos(float, float*, float*); __hone_device void sincosf(float, float*, float*);
__hone_device void sincospi(double, double*, double*); __hone_device void sincospi(float, float*, float*); __hone_device void sincospif(float, float*, float*);
__hone_device int ilogb(double); __hone_device int ilogb(float); __hone_device int ilogbf(float);
__hone_device long lrint(double); __hone_device long lrint(float); __hone_device long lrintf(float);
__hone_device long lround(double); __hone_device long lround(float); __hone_device long lroundf(float);
__hone_device long long llrint(double); __hone_device long long llrint(float); __hone_device long long llrintf(float);
__hone_device long long llround(double); __hone_device long long llround(float); __hone_device long long llroundf(float);
__hone_device double jn(int, double); __hone_device float jn(int, float); __hone_device float jnf(int, float);
__hone_device double yn(int, double); __hone_device float yn(int, float); __hone_device float ynf(int, float);
__hone_device double nan(const char*); __hone_device float nanf(const char*);
__hone_device double norm3d(double, double, double); __hone_device float norm3df(float, float, float);
__hone_device double norm4d(double, double, double, double); __hone_device float norm4df(float, float, float, float);
__hone_device double rnorm3d(double, double, double); __hone_device float rnorm3df(float, float, float);
__hone_device double rnorm4d(double, double, double, double); __hone_device float rnorm4df(float, float, float, float);
__hone_device double norm(int, const double*); __hone_device float normf(int, const float*);
__hone_device double rnorm(int, const double*); __hone_device float rnormf(int, const float*);
__hone_device float fdividef(float, float); __hone_device double fdivide(double, double); __hone_device float fdivide(float, float);
__hone_device float pow(float, int); __hone_device double pow(double, int);
__hone_device float powif(float, int); __hone_device double powi(double, int);
__hone_device bool isnan(double); __hone_device bool isnan(float);
__hone_device bool isinf(double); __hone_device bool isinf(float);
__hone_device bool isfinite(double); __hone_device bool isfinite(float);
__hone_device bool isnormal(double); __hone_device bool isnormal(float);
__hone_device bool signbit(double); __hone_device bool signbit(float);
__hone_device int abs(int); __hone_device long abs(long); __hone_device long long abs(long long);
__hone_device double abs(double); __hone_device float abs(float);
__hone_device long labs(long); __hone_device long long llabs(long long);
// clang-format on

#define __hone_minmax(f) \
  __hone_both int f(int, int); \
  __hone_both unsigned int f(unsigned int, unsigned int); \
  __hone_both unsigned int f(int, unsigned int); \
  __hone_both unsigned int f(unsigned int, int); \
  __hone_both long f(long, long); \
  __hone_both unsigned long f(unsigned long, unsigned long); \
  __hone_both unsigned long f(long, unsigned long); \
  __hone_both unsigned long f(unsigned long, long); \
  __hone_both long long f(long long, long long); \
  __hone_both unsigned long long f(unsigned long long, unsigned long long); \
  __hone_both unsigned long long f(long long, unsigned long long); \
  __hone_both unsigned long long f(unsigned long long, long long); \
  __hone_both float f(float, float); \
  __hone_both double f(double, double); \
  __hone_both double f(float, double); \
  __hone_both double f(double, float); \

__hone_minmax(min) __hone_minmax(max)
#undef __hone_minmax
__hone_device unsigned int umin(unsigned int, unsigned int);
__hone_device unsigned int umax(unsigned int, unsigned int);
__hone_device long long llmin(long long, long long);
__hone_device long long llmax(long long, long long);
__hone_device unsigned long long ullmin(unsigned long long, unsigned long long);
__hone_device unsigned long long ullmax(unsigned long long, unsigned long long);

namespace std {
using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atanh; using ::cbrt; using ::ceil;
using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp; using ::exp2; using ::expm1; using ::fabs;
using ::floor; using ::lgamma; using ::log; using ::log10; using ::log1p; using ::log2; using ::logb; using ::nearbyint;
using ::rint; using ::round; using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma;
using ::trunc; using ::atan2; using ::copysign; using ::fdim; using ::fmax; using ::fmin; using ::fmod; using ::hypot;
using ::nextafter; using ::pow; using ::remainder; using ::fma; using ::frexp; using ::ldexp; using ::scalbn; using ::scalbln;
using ::modf; using ::remquo; using ::ilogb; using ::lrint; using ::lround; using ::llrint; using ::llround; using ::isnan;
using ::isinf; using ::isfinite; using ::isnormal; using ::signbit; using ::abs; using ::labs; using ::llabs; using ::nan;
using ::acosf; using ::acoshf; using ::asinf; using ::asinhf; using ::atanf; using ::atanhf; using ::cbrtf; using ::ceilf;
using ::cosf; using ::coshf; using ::erff; using ::erfcf; using ::expf; using ::exp2f; using ::expm1f; using ::fabsf;
using ::floorf; using ::lgammaf; using ::logf; using ::log10f; using ::log1pf; using ::log2f; using ::logbf; using ::nearbyintf;
using ::rintf; using ::roundf; using ::sinf; using ::sinhf; using ::sqrtf; using ::tanf; using ::tanhf; using ::tgammaf;
using ::truncf; using ::atan2f; using ::copysignf; using ::fdimf; using ::fmaxf; using ::fminf; using ::fmodf; using ::hypotf;
using ::nextafterf; using ::powf; using ::remainderf; using ::fmaf; using ::frexpf; using ::ldexpf; using ::scalbnf; using ::scalblnf;
using ::modff; using ::remquof; using ::ilogbf; using ::lrintf; using ::lroundf; using ::llrintf; using ::llroundf; using ::nanf;
} // namespace std
