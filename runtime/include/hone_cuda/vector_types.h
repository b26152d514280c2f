// CUDA's short vectors, with its alignments, and dim3.
#pragma once
#pragma GCC system_header

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define __hone_vector1(T, N) \
  struct N##1 { T x; }; \
  __hone_make N##1 make_##N##1(T x) { return {x}; }
#define __hone_vector2(T, N, A) \
  struct __align__(A) N##2 { T x, y; }; \
  __hone_make N##2 make_##N##2(T x, T y) { return {x, y}; }
#define __hone_vector3(T, N) \
  struct N##3 { T x, y, z; }; \
  __hone_make N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }
#define __hone_vector4(T, N, A) \
  struct __align__(A) N { T x, y, z, w; }; \
  __hone_make N make_##N(T x, T y, T z, T w) { return {x, y, z, w}; }
#define __hone_vectors(T, N, A2, A4) \
  __hone_vector1(T, N) __hone_vector2(T, N, A2) __hone_vector3(T, N) __hone_vector4(T, N##4, A4)

__hone_vectors(signed char, char, 2, 4)
__hone_vectors(unsigned char, uchar, 2, 4)
__hone_vectors(short, short, 4, 8)
__hone_vectors(unsigned short, ushort, 4, 8)
__hone_vectors(int, int, 8, 16)
__hone_vectors(unsigned int, uint, 8, 16)
__hone_vectors(long, long, 16, 16)
__hone_vectors(unsigned long, ulong, 16, 16)
__hone_vectors(long long, longlong, 16, 16)
__hone_vectors(unsigned long long, ulonglong, 16, 16)
__hone_vectors(float, float, 8, 16)
__hone_vectors(double, double, 16, 16)
__hone_vector4(long, long4_16a, 16)
__hone_vector4(long, long4_32a, 32)
__hone_vector4(unsigned long, ulong4_16a, 16)
__hone_vector4(unsigned long, ulong4_32a, 32)
__hone_vector4(long long, longlong4_16a, 16)
__hone_vector4(long long, longlong4_32a, 32)
__hone_vector4(unsigned long long, ulonglong4_16a, 16)
__hone_vector4(unsigned long long, ulonglong4_32a, 32)
__hone_vector4(double, double4_16a, 16)
__hone_vector4(double, double4_32a, 32)

#undef __hone_vector1
#undef __hone_vector2
#undef __hone_vector3
#undef __hone_vector4
#undef __hone_vectors

struct dim3 {
  unsigned int x, y, z;
  __hone_both constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __hone_both constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __hone_both constexpr operator uint3() const { return uint3{x, y, z}; }
};
