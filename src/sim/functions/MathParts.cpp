// Functions with several results, and those that take exponents apart.
#include <algorithm>

#include "sim/functions/MathExact.h"

namespace hone::sim::math {
namespace {

int clampExponent(int64_t n) { return static_cast<int>(std::clamp<int64_t>(n, -5000, 5000)); }

// The remainder, and the low seven bits of the quotient with its sign.
template <class T> std::pair<T, int32_t> remainderAndQuotient(T x, T y) {
  const T rest = std::remainder(x, y);
  if (!std::isfinite(x) || std::isnan(rest)) return {rest, 0};
  if (std::isinf(y)) return {rest, 0};
  const double size = std::fabs(static_cast<double>(y));
  const double restOfSizes = std::remainder(std::fabs(static_cast<double>(x)), size);
  // Beyond the range of 128 * y the quotient is small anyway.
  const double near = size * 128 < INFINITY ? std::fmod(std::fabs(static_cast<double>(x)), size * 128)
                                            : std::fabs(static_cast<double>(x));
  const int32_t quotient = static_cast<int32_t>(std::nearbyint((near - restOfSizes) / size)) & 127;
  return {rest, std::signbit(x) != std::signbit(y) ? -quotient : quotient};
}

template <class T> void addScaling(PureTable& table) {
  using X = Exact<T>;
  table.add<T(T, int32_t)>("ldexp", [](X x, int32_t n) { return std::ldexp(x, clampExponent(n)); });
  table.add<T(T, int64_t)>("scalbln", [](X x, int64_t n) { return std::ldexp(x, clampExponent(n)); });
  table.add<int32_t(T)>("ilogb", [](X x) {
    if (x == 0) return std::numeric_limits<int32_t>::min();  // CUDA's FP_ILOGB0; OpenCL leaves the choice
    if (!std::isfinite(x))
      return std::isnan(x) ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max();
    return static_cast<int32_t>(std::ilogb(x));
  });
}

template <class T> void addPairResults(PureTable& table) {
  using X = Exact<T>;
  using Two = std::tuple<T, T>;
  using WithInt = std::tuple<T, int32_t>;
  auto sinCos = [](double x) { return Two(T(std::sin(x)), T(std::cos(x))); };
  table.add<Two(T)>("sincos", sinCos);
  table.add<Two(T)>("native_sincos", sinCos);
  table.add<Two(T)>("sincos_value", sinCos);
  table.add<WithInt(T)>("frexp", [](X x) {
    int exponent = 0;
    if (x == 0 || !std::isfinite(x)) return WithInt(T(x), 0);
    X fraction = std::frexp(x, &exponent);
    return WithInt(T(fraction), exponent);
  });
  table.add<Two(T)>("modf", [](X x) {
    X whole = std::trunc(x);
    X fraction = std::isinf(x) ? X(0) : x - whole;
    return Two(T(std::copysign(fraction, x)), T(whole));
  });
  table.add<Two(T)>("fract", [](X x) {
    constexpr X below = std::is_same_v<T, Half>     ? X(0x1.ffcp-1)
                        : std::is_same_v<T, BFloat> ? X(0x1.fep-1)
                        : widthOf<T> == 32          ? X(0x1.fffffep-1)
                                                    : X(0x1.fffffffffffffp-1);
    X whole = std::floor(x);
    if (std::isnan(x)) return Two(T(x), T(x));
    if (std::isinf(x)) return Two(T(std::copysign(X(0), x)), T(x));
    return Two(T(std::fmin(x - whole, below)), T(whole));
  });
  table.add<WithInt(T, T)>("remquo", [](X x, X y) {
    auto [rest, quotient] = remainderAndQuotient(x, y);
    return WithInt(T(rest), quotient);
  });
  table.add<WithInt(T)>("lgamma_r", [](double x) {
    int sign = 1;
    double value = ::lgamma_r(x, &sign);
    return WithInt(T(value), sign);
  });
}

}  // namespace

void addParts(PureTable& table) {
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    addScaling<T>(table);
    addPairResults<T>(table);
  });
}

}  // namespace hone::sim::math
