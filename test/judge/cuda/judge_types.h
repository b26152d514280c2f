// CUDA's words for the CPU: qualifiers, vector types and their make_ functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __managed__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
// One object a block: blocks run one after another, or what they hold is put aside in between.
#define __shared__ static __attribute__((section("judge_shared")))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// The numbers that a type is made of.
template <class T>
struct judge_scalar {
  using type = T;
};

// Copies go member by member, so that the compiler checks their alignment and says what they touch.
#define JUDGE_VECTOR(T, name, two, four)                                              \
  struct name##1 { T x; };                                                            \
  struct alignas(two) name##2 {                                                       \
    T x, y;                                                                           \
    name##2() = default;                                                              \
    constexpr name##2(T vx, T vy) : x(vx), y(vy) {}                                   \
    constexpr name##2(const name##2 & v) : x(v.x), y(v.y) {}                          \
    name##2 & operator=(const name##2 & v) {                                          \
      const T vx = v.x, vy = v.y;                                                     \
      x = vx, y = vy;                                                                 \
      return *this;                                                                   \
    }                                                                                 \
  };                                                                                  \
  struct name##3 { T x, y, z; };                                                      \
  struct alignas(four) name##4 {                                                      \
    T x, y, z, w;                                                                     \
    name##4() = default;                                                              \
    constexpr name##4(T vx, T vy, T vz = 0, T vw = 0) : x(vx), y(vy), z(vz), w(vw) {} \
    constexpr name##4(const name##4 & v) : x(v.x), y(v.y), z(v.z), w(v.w) {}          \
    name##4 & operator=(const name##4 & v) {                                          \
      const T vx = v.x, vy = v.y, vz = v.z, vw = v.w;                                 \
      x = vx, y = vy, z = vz, w = vw;                                                 \
      return *this;                                                                   \
    }                                                                                 \
  };                                                                                  \
  static inline name##1 make_##name##1(T x) { return {x}; }                           \
  static inline name##2 make_##name##2(T x, T y) { return {x, y}; }                   \
  static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }           \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }   \
  template <>                                                                         \
  struct judge_scalar<name##1> {                                                      \
    using type = T;                                                                   \
  };                                                                                  \
  template <>                                                                         \
  struct judge_scalar<name##2> {                                                      \
    using type = T;                                                                   \
  };                                                                                  \
  template <>                                                                         \
  struct judge_scalar<name##3> {                                                      \
    using type = T;                                                                   \
  };                                                                                  \
  template <>                                                                         \
  struct judge_scalar<name##4> {                                                      \
    using type = T;                                                                   \
  };

JUDGE_VECTOR(float, float, 8, 16)
JUDGE_VECTOR(double, double, 16, 16)
JUDGE_VECTOR(signed char, char, 2, 4)
JUDGE_VECTOR(unsigned char, uchar, 2, 4)
JUDGE_VECTOR(short, short, 4, 8)
JUDGE_VECTOR(unsigned short, ushort, 4, 8)
JUDGE_VECTOR(int, int, 8, 16)
JUDGE_VECTOR(unsigned, uint, 8, 16)
JUDGE_VECTOR(long, long, 16, 16)
JUDGE_VECTOR(unsigned long, ulong, 16, 16)
JUDGE_VECTOR(long long, longlong, 16, 16)
JUDGE_VECTOR(unsigned long long, ulonglong, 16, 16)
#undef JUDGE_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

using __half = _Float16;
using half = _Float16;
using __nv_bfloat16 = __bf16;
struct alignas(4) __half2 {
  _Float16 x, y;
};
using half2 = __half2;
template <>
struct judge_scalar<__half2> {
  using type = _Float16;
};
