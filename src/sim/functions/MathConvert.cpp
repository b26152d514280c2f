// convert_ in all its forms: from any scalar to any other, saturated or not, in each rounding.
#include "sim/functions/MathDirected.h"
#include "sim/functions/MathExact.h"

namespace hone::sim::math {
namespace {

template <Rounding mode, class F> F toWhole(F x) {
  if constexpr (mode == Rounding::Nearest)
    return std::nearbyint(x);
  else if constexpr (mode == Rounding::Zero)
    return std::trunc(x);
  else if constexpr (mode == Rounding::Up)
    return std::ceil(x);
  else
    return std::floor(x);
}

// The integer that a GPU computes first when the target is narrower than its registers.
template <class To> using Computed =
    std::conditional_t<sizeof(To) >= 4, To, std::conditional_t<std::is_signed_v<To>, int32_t, uint32_t>>;

template <class To, class From, Rounding mode, bool saturates>
void floatToInteger(void* const* results, const void* const* args) {
  auto* __restrict out = static_cast<Storage<To>*>(results[0]);
  const auto* __restrict in = static_cast<const From*>(args[0]);
  for (unsigned l = 0; l < warpLanes; ++l) {
    From whole = toWhole<mode>(in[l]);
    if constexpr (saturates)
      out[l] = toInteger<To>(whole);
    else
      out[l] = static_cast<Storage<To>>(static_cast<To>(machineInteger<Computed<To>>(whole)));
  }
}

template <class To, class From, bool saturates> void integerToInteger(void* const* results,
                                                                      const void* const* args) {
  auto* __restrict out = static_cast<Storage<To>*>(results[0]);
  const auto* __restrict in = static_cast<const From*>(args[0]);
  for (unsigned l = 0; l < warpLanes; ++l) {
    From x = in[l];
    if constexpr (saturates) {
      if (std::cmp_less(x, std::numeric_limits<To>::min()))
        x = static_cast<From>(std::numeric_limits<To>::min());
      else if (std::cmp_greater(x, std::numeric_limits<To>::max()))
        x = static_cast<From>(std::numeric_limits<To>::max());
    }
    out[l] = static_cast<Storage<To>>(static_cast<To>(x));
  }
}

template <class To, class From, Rounding mode> void toNarrowFloat(void* const* results,
                                                                  const void* const* args) {
  auto* __restrict out = static_cast<float*>(results[0]);
  const auto* __restrict in = static_cast<const From*>(args[0]);
  for (unsigned l = 0; l < warpLanes; ++l) {
    double x = 0;
    if constexpr (std::is_integral_v<From>)
      x = toOddDouble(in[l]);
    else
      x = in[l];
    if constexpr (std::is_same_v<To, Half>)
      out[l] = roundToHalf<mode>(x);
    else
      out[l] = roundToBFloat<mode>(x);
  }
}

template <class To, class From> PureFunction fromFloat(Rounding mode, bool saturates) {
  switch (mode) {
    case Rounding::Nearest:
      return saturates ? &floatToInteger<To, From, Rounding::Nearest, true>
                       : &floatToInteger<To, From, Rounding::Nearest, false>;
    case Rounding::Zero:
      return saturates ? &floatToInteger<To, From, Rounding::Zero, true>
                       : &floatToInteger<To, From, Rounding::Zero, false>;
    case Rounding::Up:
      return saturates ? &floatToInteger<To, From, Rounding::Up, true>
                       : &floatToInteger<To, From, Rounding::Up, false>;
    default:
      return saturates ? &floatToInteger<To, From, Rounding::Down, true>
                       : &floatToInteger<To, From, Rounding::Down, false>;
  }
}

template <class To, class From> PureFunction narrowed(Rounding mode) {
  switch (mode) {
    case Rounding::Nearest: return &toNarrowFloat<To, From, Rounding::Nearest>;
    case Rounding::Zero: return &toNarrowFloat<To, From, Rounding::Zero>;
    case Rounding::Up: return &toNarrowFloat<To, From, Rounding::Up>;
    default: return &toNarrowFloat<To, From, Rounding::Down>;
  }
}

// Calls with the type that a register holds for this scalar.
template <class Body> PureFunction withStorage(Scalar scalar, Body body) {
  switch (scalar) {
    case Scalar::I8:
    case Scalar::I16:
    case Scalar::I32: return body(TypeTag<int32_t>{});
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U16:
    case Scalar::U32: return body(TypeTag<uint32_t>{});
    case Scalar::I64: return body(TypeTag<int64_t>{});
    case Scalar::U64: return body(TypeTag<uint64_t>{});
    case Scalar::F16:
    case Scalar::BF16:
    case Scalar::F32: return body(TypeTag<float>{});
    case Scalar::F64: return body(TypeTag<double>{});
  }
  return nullptr;
}

template <class To> PureFunction toIntegerFrom(Scalar from, Rounding mode, bool saturates) {
  return withStorage(from, [&](auto tag) -> PureFunction {
    using From = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<From>)
      return fromFloat<To, From>(mode, saturates);
    else
      return saturates ? &integerToInteger<To, From, true> : &integerToInteger<To, From, false>;
  });
}

template <class To> PureFunction toNarrowFrom(Scalar from, Rounding mode) {
  return withStorage(from, [&](auto tag) { return narrowed<To, typename decltype(tag)::type>(mode); });
}

}  // namespace

PureFunction findConversion(std::string_view id, Scalar from, Scalar to) {
  if (!id.starts_with("convert")) return nullptr;
  const bool saturates = id.find("_sat") != std::string_view::npos;
  Rounding mode = isFloating(to) ? Rounding::Nearest : Rounding::Zero;
  if (id.ends_with("_rte"))
    mode = Rounding::Nearest;
  else if (id.ends_with("_rtz"))
    mode = Rounding::Zero;
  else if (id.ends_with("_rtp"))
    mode = Rounding::Up;
  else if (id.ends_with("_rtn"))
    mode = Rounding::Down;
  switch (to) {
    case Scalar::I8: return toIntegerFrom<int8_t>(from, mode, saturates);
    case Scalar::U8: return toIntegerFrom<uint8_t>(from, mode, saturates);
    case Scalar::I16: return toIntegerFrom<int16_t>(from, mode, saturates);
    case Scalar::U16: return toIntegerFrom<uint16_t>(from, mode, saturates);
    case Scalar::I32: return toIntegerFrom<int32_t>(from, mode, saturates);
    case Scalar::U32: return toIntegerFrom<uint32_t>(from, mode, saturates);
    case Scalar::I64: return toIntegerFrom<int64_t>(from, mode, saturates);
    case Scalar::U64: return toIntegerFrom<uint64_t>(from, mode, saturates);
    case Scalar::F16: return toNarrowFrom<Half>(from, mode);
    case Scalar::BF16: return toNarrowFrom<BFloat>(from, mode);
    case Scalar::F32: return findDirectedToFloat(from, mode);
    case Scalar::F64: return findDirectedToDouble(from, mode);
    case Scalar::Bool: return nullptr;
  }
  return nullptr;
}

}  // namespace hone::sim::math
