// Exact steps that several subjects share. Private to Math*.cpp.
#pragma once

#include "ir/Integers.h"
#include "sim/functions/MathLane.h"

namespace hone::sim::math {

// Saturates; NaN gives `ofNan`, 0 as OpenCL's _sat has it. The argument is whole or is cut towards zero.
template <class I, class F> inline I toInteger(F x, I ofNan = 0) {
  constexpr F low = static_cast<F>(std::numeric_limits<I>::min());
  // One above the greatest, which is a power of two and so exact in any float.
  constexpr I middle = std::numeric_limits<I>::max() / 2 + 1;
  constexpr F above = static_cast<F>(middle) * 2;
  const F inside = x > low && x < above ? x : F(0);
  I out = static_cast<I>(inside);
  out = std::isnan(x) ? ofNan : out;
  out = x >= above ? std::numeric_limits<I>::max() : out;
  return x <= low ? std::numeric_limits<I>::min() : out;
}

// The same with NaN as machines have it.
template <class I, class F> inline I machineInteger(F x) { return toInteger<I>(x, ir::integerOfNan<I, F>()); }

// The sum rounded to odd in its last bit: rounding it again to fewer bits gives what the exact sum would.
inline double addToOdd(double x, double y) {
  const double sum = x + y;
  const double part = sum - x;
  const double error = (x - (sum - part)) + (y - part);
  const uint64_t bits = std::bit_cast<uint64_t>(sum);
  const bool isInexact = error != 0 && std::fabs(error) < INFINITY && std::fabs(sum) < INFINITY;
  const uint64_t step = (error > 0) == (sum > 0) ? 1 : ~uint64_t{0};
  return std::bit_cast<double>(bits + (isInexact && (bits & 1) == 0 ? step : 0));
}

// Of an integer that may need more than 53 bits.
template <class I> inline double toOddDouble(I x) {
  if constexpr (sizeof(I) < 8) {
    return static_cast<double>(x);
  } else {
    const bool negative = x < 0;
    const uint64_t size = negative ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
    const uint64_t kept = size & ~uint64_t{0x7ff};
    const bool isLarge = size >> 53;
    const double whole =
        isLarge ? static_cast<double>(kept | (kept != size ? 0x800 : 0)) : static_cast<double>(size);
    return negative ? -whole : whole;
  }
}

}  // namespace hone::sim::math
