// Half precision and bfloat16, held as the float of the same value.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace hone::sim {

enum class Rounding : uint8_t { Nearest, Zero, Up, Down };

// Rounds to `digits` significant bits with the least normal exponent `minExponent` and the greatest finite
// value `greatest`. Without branches, so that loops over lanes stay vector loops.
template <int digits, int minExponent, Rounding mode = Rounding::Nearest>
inline double roundTo(double x, double greatest) {
  const int64_t exponent = static_cast<int64_t>(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff) - 1023;
  const int64_t least = exponent > minExponent ? exponent : minExponent;
  const int64_t shift = least - (digits - 1);
  const double quantum = std::bit_cast<double>(static_cast<uint64_t>(shift + 1023) << 52);
  const double perUnit = std::bit_cast<double>(static_cast<uint64_t>(1023 - shift) << 52);
  const double scaled = x * perUnit;
  const double whole = mode == Rounding::Nearest ? std::nearbyint(scaled)
                       : mode == Rounding::Zero  ? std::trunc(scaled)
                       : mode == Rounding::Up    ? std::ceil(scaled)
                                                 : std::floor(scaled);
  const double out = whole * quantum;
  const bool staysFinite =
      mode == Rounding::Zero || (mode == Rounding::Up && x < 0) || (mode == Rounding::Down && x > 0);
  const double beyond = std::copysign(staysFinite ? greatest : static_cast<double>(INFINITY), x);
  const bool isBeyond = std::fabs(out) > greatest && std::fabs(x) < static_cast<double>(INFINITY);
  return isBeyond ? beyond : out;
}

template <Rounding mode = Rounding::Nearest> inline float roundToHalf(double x) {
  if constexpr (mode == Rounding::Nearest)
    return static_cast<float>(static_cast<_Float16>(x));
  else
    return static_cast<float>(roundTo<11, -14, mode>(x, 65504.0));
}
template <Rounding mode = Rounding::Nearest> inline float roundToBFloat(double x) {
  return static_cast<float>(roundTo<8, -126, mode>(x, 0x1.fep127));
}

// The 16 bits of a value that is representable; every NaN keeps its high bits and stays a NaN.
inline uint16_t halfBits(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) {
    const uint32_t payload = magnitude >> 13 & 0x3ff;
    return static_cast<uint16_t>(sign | 0x7c00 | (payload ? payload : 0x200));
  }
  if (magnitude == 0x7f800000) return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude < 0x38800000)
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::fabs(x) * 0x1p24f));
  return static_cast<uint16_t>(sign | (magnitude - 0x38000000) >> 13);
}
inline float halfFromBits(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude < 0x400)
    return std::copysign(static_cast<float>(magnitude) * 0x1p-24f, std::bit_cast<float>(sign));
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000));
}
// As memory holds it: the machine's conversion would make a signalling NaN a quiet one, and bytes that are no
// numbers are copied as halves too.
inline float halfFromMemory(uint16_t bits) {
  const float number = static_cast<float>(std::bit_cast<_Float16>(bits));
  const uint32_t exact =
      static_cast<uint32_t>(bits & 0x8000) << 16 | 0x7f800000 | static_cast<uint32_t>(bits & 0x3ff) << 13;
  return number == number ? number : std::bit_cast<float>(exact);
}
inline uint16_t halfToMemory(float x) {
  return x == x ? std::bit_cast<uint16_t>(static_cast<_Float16>(x)) : halfBits(x);
}
inline uint16_t bfloatBits(float x) {
  const uint16_t bits = static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16);
  return std::isnan(x) && (bits & 0x7f) == 0 ? bits | 0x40 : bits;
}
inline float bfloatFromBits(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

}  // namespace hone::sim
