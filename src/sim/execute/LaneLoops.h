// Loops over the lanes of a warp, which the compiler makes vectors of, and what they compute.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/Integers.h"
#include "sim/bytecode/Steps.h"

namespace hone::sim {

inline constexpr uint32_t allLanes = 0xffffffffu;

// Those of a warp by their places, with the launch's before them; see Step.
struct RegisterFile {
  uint8_t* base;
  template <class T>
  T* at(int16_t place) const {
    return reinterpret_cast<T*>(base + ptrdiff_t(place) * (warpLanes * 4));
  }
};

// All bits of a lane that is in the mask, none of others, of the size of a lane.
template <class Bits> constexpr Bits spreadBit(uint32_t mask, unsigned lane) {
  return Bits(0) - Bits((mask >> lane) & 1);
}

// Every lane of `d`, or only those in the mask. Source and destination are equal or disjoint, so each lane is
// by itself. Others are written as they were, by operations on bits: a choice would become branches.
template <class D, class F>
[[gnu::always_inline]] inline void lanes(D* d, uint32_t mask, F&& value) {
  if (mask == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l < warpLanes; ++l) d[l] = value(l);
  } else {
    using Bits = std::conditional_t<sizeof(D) == 8, uint64_t, uint32_t>;
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l < warpLanes; ++l) {
      const Bits old = std::bit_cast<Bits>(d[l]), now = std::bit_cast<Bits>(D(value(l)));
      d[l] = std::bit_cast<D>(Bits(old ^ ((old ^ now) & spreadBit<Bits>(mask, l))));
    }
  }
}

inline uint32_t maskOf(const uint32_t* condition) {
  uint32_t mask = 0;
#pragma clang loop vectorize(assume_safety)
  for (unsigned l = 0; l < warpLanes; ++l) mask |= uint32_t(condition[l] != 0) << l;
  return mask;
}

// Out of range saturates, as the machine's conversions do.
template <class To, class From>
[[gnu::always_inline]] inline To saturate(From v) {
  constexpr From low = From(std::numeric_limits<To>::min());
  constexpr From high =
      From(std::numeric_limits<To>::max());  // may round up to a power of two, which is out of range then
  if (!(v >= low)) return std::isnan(v) ? ir::integerOfNan<To, From>() : std::numeric_limits<To>::min();
  if (v >= high) return std::numeric_limits<To>::max();
  return To(v);
}

inline float roundToBFloat(float v) {
  uint32_t bits = std::bit_cast<uint32_t>(v);
  if ((bits & 0x7fffffff) > 0x7f800000) return std::bit_cast<float>((bits | 0x400000) & 0xffff0000u);
  bits += 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

inline float roundToBFloat(double v) {
  // Round to odd in float first, so that the second rounding sees what was lost.
  float f = float(v);
  if (double(f) != v && f == f && std::isfinite(f)) {
    uint32_t bits = std::bit_cast<uint32_t>(f);
    const bool roundedAway = std::fabs(double(f)) > std::fabs(v);
    if (roundedAway) bits -= 1;
    f = std::bit_cast<float>(bits | 1);
  }
  return roundToBFloat(f);
}

// Quotients of 32 bits by one divisor of at least 2: the high half of a product with ceil(2^64 / divisor),
// which is exact.
struct Reciprocal {
  uint32_t divisor;
  uint64_t factor;
  explicit Reciprocal(uint32_t d) : divisor(d), factor(d > 1 ? ~uint64_t(0) / d + 1 : 0) {}
  bool useful() const { return divisor > 1; }
  uint32_t divide(uint32_t x) const { return uint32_t((unsigned __int128)(factor)*x >> 64); }
  int32_t divide(int32_t x) const {
    const uint32_t q = divide(x < 0 ? 0u - uint32_t(x) : uint32_t(x));
    return int32_t(x < 0 ? 0u - q : q);
  }
};

// x / y by doubles, which hold both and the quotient: vectors have no division of integers. Any value for y =
// 0.
[[gnu::always_inline]] inline int32_t quotient(int32_t x, int32_t y) {
  const bool isPlain = y != 0 && y != -1;  // the quotient by -1 may not fit
  const auto q = int32_t(double(x) / double(isPlain ? y : 1));
  return y == -1 ? int32_t(0u - uint32_t(x)) : q;
}
[[gnu::always_inline]] inline uint32_t quotient(uint32_t x, uint32_t y) {
  return uint32_t(int64_t(double(x) / double(y ? y : 1)));
}

template <class T>
[[gnu::always_inline]] inline void moveLanes(T* d, const T* from, uint32_t mask) {
  if (mask == allLanes)
    std::memmove(d, from, warpLanes * sizeof(T));
  else
    lanes(d, mask, [&](unsigned l) { return from[l]; });
}

// The lanes whose values compare so.
template <class T, class F>
[[gnu::always_inline]] inline uint32_t maskWhere(const T* a, const T* b, F&& holds) {
  uint32_t mask = 0;
#pragma clang loop vectorize(assume_safety)
  for (unsigned l = 0; l < warpLanes; ++l) mask |= uint32_t(holds(a[l], b[l])) << l;
  return mask;
}

// One of the two operations of a step; `by` is what shifts shift by.
template <Part part, class T>
[[gnu::always_inline]] inline T apply(T x, T y, int32_t by) {
  if constexpr (part == Part::Add) return x + y;
  if constexpr (part == Part::Multiply) return x * y;
  if constexpr (part == Part::Subtract) return x - y;
  if constexpr (part == Part::SubtractFrom) return y - x;
  if constexpr (part == Part::And) return x & y;
  if constexpr (part == Part::Or) return x | y;
  if constexpr (part == Part::Xor) return x ^ y;
  if constexpr (part == Part::ShiftLeft) return x << by;
  if constexpr (part == Part::ShiftRight) return x >> by;
  if constexpr (part == Part::Not) return ~x;
}

// All lanes of two operations.
template <Part first, Part second, class T>
[[gnu::always_inline]] inline void applyPair(T* d, const T* a, const T* b, const T* c, int32_t by) {
#pragma clang loop vectorize(assume_safety)
  for (unsigned l = 0; l < warpLanes; ++l) d[l] = apply<second, T>(apply<first, T>(a[l], b[l], by), c[l], by);
}

}  // namespace hone::sim
