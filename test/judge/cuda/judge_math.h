// CUDA's functions of numbers, as the C library and the compiler compute them.
#pragma once

#include <math.h>
#include <stdlib.h>

#include <climits>
#include <cstring>

#include "judge_types.h"

namespace judge {
template <class To, class From>
inline To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
template <class To, class From>
inline To saturated(From v) {
  if (v != v) return 0;
  const From least =
      From(std::is_signed_v<To> ? (sizeof(To) == 4 ? double(INT_MIN) : double(LLONG_MIN)) : 0.0);
  const double most = sizeof(To) == 4
                          ? (std::is_signed_v<To> ? 2147483648.0 : 4294967296.0)
                          : (std::is_signed_v<To> ? 9223372036854775808.0 : 18446744073709551616.0);
  if (v <= least) return To(least);
  if (double(v) >= most) return std::is_signed_v<To> ? To(~(To(1) << (8 * sizeof(To) - 1))) : To(~To(0));
  return To(v);
}
}  // namespace judge

template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
inline std::common_type_t<A, B> min(A a, B b) {
  using C = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<C>)
    return C(a) != C(a) ? C(b) : C(b) < C(a) ? C(b) : C(a);
  else
    return C(b) < C(a) ? C(b) : C(a);
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
inline std::common_type_t<A, B> max(A a, B b) {
  using C = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<C>)
    return C(a) != C(a) ? C(b) : C(a) < C(b) ? C(b) : C(a);
  else
    return C(a) < C(b) ? C(b) : C(a);
}
static inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
static inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
static inline long long llmin(long long a, long long b) { return b < a ? b : a; }
static inline long long llmax(long long a, long long b) { return a < b ? b : a; }

static inline float rsqrtf(float v) { return 1.0f / sqrtf(v); }
static inline double rsqrt(double v) { return 1.0 / sqrt(v); }
static inline float rcbrtf(float v) { return 1.0f / cbrtf(v); }
static inline float __saturatef(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
// The C library has these names for itself.
#define __expf expf
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __exp10f exp10f
static inline float __fdividef(float a, float b) { return a / b; }
static inline float fdividef(float a, float b) { return a / b; }
static inline float __frcp_rn(float v) { return 1.0f / v; }
static inline float __fsqrt_rn(float v) { return sqrtf(v); }
static inline float __frsqrt_rn(float v) { return 1.0f / sqrtf(v); }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

static inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
static inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
static inline unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
static inline unsigned __sad(int a, int b, unsigned c) { return c + unsigned(a > b ? a - b : b - a); }
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long all = (unsigned long long)b << 32 | a;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i) out |= unsigned(all >> (8 * (s >> (4 * i) & 7)) & 0xff) << (8 * i);
  return out;
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return unsigned(((unsigned long long)hi << 32 | lo) << (n & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return unsigned(((unsigned long long)hi << 32 | lo) >> (n & 31));
}

static inline int __float_as_int(float v) { return judge::bits<int>(v); }
static inline unsigned __float_as_uint(float v) { return judge::bits<unsigned>(v); }
static inline float __int_as_float(int v) { return judge::bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return judge::bits<float>(v); }
static inline long long __double_as_longlong(double v) { return judge::bits<long long>(v); }
static inline double __longlong_as_double(long long v) { return judge::bits<double>(v); }
static inline int __float2int_rz(float v) { return judge::saturated<int>(truncf(v)); }
static inline int __float2int_rn(float v) { return judge::saturated<int>(rintf(v)); }
static inline int __float2int_rd(float v) { return judge::saturated<int>(floorf(v)); }
static inline int __float2int_ru(float v) { return judge::saturated<int>(ceilf(v)); }
static inline unsigned __float2uint_rz(float v) { return judge::saturated<unsigned>(truncf(v)); }
static inline unsigned __float2uint_rn(float v) { return judge::saturated<unsigned>(rintf(v)); }
static inline int __double2int_rz(double v) { return judge::saturated<int>(trunc(v)); }
static inline int __double2int_rn(double v) { return judge::saturated<int>(rint(v)); }
static inline float __int2float_rn(int v) { return float(v); }
static inline float __uint2float_rn(unsigned v) { return float(v); }
static inline float __double2float_rn(double v) { return float(v); }
static inline double __int2double_rn(int v) { return double(v); }

static inline float __half2float(__half v) { return float(v); }
static inline __half __float2half(float v) { return __half(v); }
static inline __half __float2half_rn(float v) { return __half(v); }
static inline __half __int2half_rn(int v) { return __half(v); }
static inline __half __hadd(__half a, __half b) { return a + b; }
static inline __half __hsub(__half a, __half b) { return a - b; }
static inline __half __hmul(__half a, __half b) { return a * b; }
static inline __half __hdiv(__half a, __half b) { return a / b; }
static inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
static inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
static inline __half2 make_half2(__half a, __half b) { return {a, b}; }
static inline __half __low2half(__half2 v) { return v.x; }
static inline __half __high2half(__half2 v) { return v.y; }
static inline float __low2float(__half2 v) { return float(v.x); }
static inline float __high2float(__half2 v) { return float(v.y); }
static inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
static inline float __bfloat162float(__nv_bfloat16 v) { return float(v); }
static inline __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
