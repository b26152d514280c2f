// Stands in for the toolkit's header of this name: numbers of eight bits, converted by plain arithmetic on host and device.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// To the nearest, ties to even. What is too large becomes the largest number when it saturates, else NaN (e4m3) or infinity (e5m2).
__hone_make __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                     const __nv_fp8_interpretation_t kind) {
  const bool e4m3 = kind == __NV_E4M3;
  const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  unsigned int bits = *reinterpret_cast<const unsigned int*>(&x);
  const unsigned int sign = bits >> 24 & 0x80u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return static_cast<__nv_fp8_storage_t>(sign | (e4m3 ? 0x7fu : 0x7eu));
  unsigned int code = 0;
  const int exponent = static_cast<int>(bits >> 23) - 127;
  if (bits != 0x7f800000u && exponent >= -bias - fraction) {
    const unsigned int significand = (bits & 0x7fffffu) | (bits >> 23 ? 0x800000u : 0u);
    const int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
    const int shift = 23 - fraction + below;
    const unsigned int kept = significand >> shift, rest = significand & ((1u << shift) - 1u), half = 1u << (shift - 1);
    code = kept + (rest > half || (rest == half && (kept & 1u)) ? 1u : 0u);
    if (!below) code += static_cast<unsigned int>(exponent + bias - 1) << fraction;
  }
  const unsigned int largest = e4m3 ? 0x7eu : 0x7bu;
  if (bits == 0x7f800000u || code > largest)
    code = saturate == __NV_SATFINITE ? largest : e4m3 ? 0x7fu : 0x7cu;
  return static_cast<__nv_fp8_storage_t>(sign | code);
}
__hone_make float __hone_fp8_value(const __nv_fp8_storage_t v, const __nv_fp8_interpretation_t kind) {
  const bool e4m3 = kind == __NV_E4M3;
  const unsigned int sign = static_cast<unsigned int>(v & 0x80u) << 24, code = v & 0x7fu;
  unsigned int bits;
  if (e4m3 ? code == 0x7fu : code > 0x7cu) {
    bits = 0x7fffffffu;
  } else if (!e4m3 && code == 0x7cu) {
    bits = sign | 0x7f800000u;
  } else {
    const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    const unsigned int exponent = code >> fraction, significand = code & ((1u << fraction) - 1u);
    if (exponent) {
      bits = sign | (exponent + 127 - bias) << 23 | significand << (23 - fraction);
    } else {
      // A power of two times the fraction: exact in a float.
      const float tiny = static_cast<float>(significand) * (e4m3 ? 0.001953125f : 0.0000152587890625f);
      bits = sign | *reinterpret_cast<const unsigned int*>(&tiny);
    }
  }
  return *reinterpret_cast<const float*>(&bits);
}
__hone_make __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  // Rounded to odd first, so that the second rounding is the only one that counts.
  float f = static_cast<float>(x);
  unsigned int bits = *reinterpret_cast<unsigned int*>(&f);
  if (static_cast<double>(f) != x && x == x && !(bits & 1u)) {
    const double magnitude = x < 0 ? -x : x, rounded = f < 0 ? -static_cast<double>(f) : static_cast<double>(f);
    bits = rounded > magnitude ? bits - 1u : bits | 1u;
    f = *reinterpret_cast<float*>(&bits);
  }
  return __nv_cvt_float_to_fp8(f, saturate, kind);
}
__hone_make __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.x, saturate, kind) |
                                           __nv_cvt_float_to_fp8(x.y, saturate, kind) << 8);
}
__hone_make __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, kind);
}
__hone_make __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, kind);
}
__hone_make __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
  return static_cast<__half_raw>(__float2half(__hone_fp8_value(x, kind)));
}

#define __hone_fp8(name, kind) \
  struct name { \
    __nv_fp8_storage_t __x; \
    name() = default; \
    __hone_both explicit name(const float f) { __x = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind); } \
    __hone_both explicit name(const double f) { __x = __nv_cvt_double_to_fp8(f, __NV_SATFINITE, kind); } \
    __hone_both explicit name(const __half f) { __x = __nv_cvt_float_to_fp8(__half2float(f), __NV_SATFINITE, kind); } \
    __hone_both explicit name(const __nv_bfloat16 f) { \
      __x = __nv_cvt_float_to_fp8(__bfloat162float(f), __NV_SATFINITE, kind); \
    } \
    __hone_both explicit name(const int v) { __x = __nv_cvt_float_to_fp8(static_cast<float>(v), __NV_SATFINITE, kind); } \
    __hone_both explicit name(const unsigned int v) { \
      __x = __nv_cvt_float_to_fp8(static_cast<float>(v), __NV_SATFINITE, kind); \
    } \
    __hone_both explicit operator float() const { return __hone_fp8_value(__x, kind); } \
    __hone_both explicit operator double() const { return static_cast<double>(__hone_fp8_value(__x, kind)); } \
    __hone_both explicit operator __half() const { return __float2half(__hone_fp8_value(__x, kind)); } \
    __hone_both explicit operator __nv_bfloat16() const { return __float2bfloat16(__hone_fp8_value(__x, kind)); } \
    __hone_both explicit operator int() const { return static_cast<int>(__hone_fp8_value(__x, kind)); } \
    __hone_both explicit operator bool() const { return (__x & 0x7fu) != 0; } \
  };
#define __hone_fp8x2(name, kind) \
  struct __align__(2) name { \
    __nv_fp8x2_storage_t __x; \
    name() = default; \
    __hone_both explicit name(const float2 f) { __x = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind); } \
    __hone_both explicit name(const __half2 h) { \
      __x = __nv_cvt_float2_to_fp8x2(__half22float2(h), __NV_SATFINITE, kind); \
    } \
    __hone_both explicit name(const __nv_bfloat162 h) { \
      __x = __nv_cvt_float2_to_fp8x2(__bfloat1622float2(h), __NV_SATFINITE, kind); \
    } \
    __hone_both explicit operator float2() const { \
      return make_float2(__hone_fp8_value(static_cast<__nv_fp8_storage_t>(__x & 0xffu), kind), \
                         __hone_fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 8), kind)); \
    } \
  };
#define __hone_fp8x4(name, kind) \
  struct __align__(4) name { \
    __nv_fp8x4_storage_t __x; \
    name() = default; \
    __hone_both explicit name(const float4 f) { \
      __x = static_cast<unsigned int>(__nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, kind)) | \
            static_cast<unsigned int>(__nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, kind)) << 16; \
    } \
    __hone_both explicit name(const __half2 low, const __half2 high) { \
      __x = static_cast<unsigned int>(__nv_cvt_float2_to_fp8x2(__half22float2(low), __NV_SATFINITE, kind)) | \
            static_cast<unsigned int>(__nv_cvt_float2_to_fp8x2(__half22float2(high), __NV_SATFINITE, kind)) << 16; \
    } \
    __hone_both explicit name(const __nv_bfloat162 low, const __nv_bfloat162 high) { \
      __x = static_cast<unsigned int>(__nv_cvt_float2_to_fp8x2(__bfloat1622float2(low), __NV_SATFINITE, kind)) | \
            static_cast<unsigned int>(__nv_cvt_float2_to_fp8x2(__bfloat1622float2(high), __NV_SATFINITE, kind)) << 16; \
    } \
    __hone_both explicit operator float4() const { \
      return make_float4(__hone_fp8_value(static_cast<__nv_fp8_storage_t>(__x & 0xffu), kind), \
                         __hone_fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 8 & 0xffu), kind), \
                         __hone_fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 16 & 0xffu), kind), \
                         __hone_fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 24), kind)); \
    } \
  };
__hone_fp8(__nv_fp8_e4m3, __NV_E4M3)
__hone_fp8(__nv_fp8_e5m2, __NV_E5M2)
__hone_fp8x2(__nv_fp8x2_e4m3, __NV_E4M3)
__hone_fp8x2(__nv_fp8x2_e5m2, __NV_E5M2)
__hone_fp8x4(__nv_fp8x4_e4m3, __NV_E4M3)
__hone_fp8x4(__nv_fp8x4_e5m2, __NV_E5M2)
#undef __hone_fp8
#undef __hone_fp8x2
#undef __hone_fp8x4
