// Arithmetic of integers. Sums and products wrap as the machine's do.
#include <algorithm>

#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
// Twice as wide, of the same sign.
template <class T>
using Double = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 4, int64_t, int32_t>,
                       std::conditional_t<sizeof(T) == 4, uint64_t, uint32_t>>>;

template <class T> T highProduct(T x, T y) {
  return static_cast<T>((Double<T>{x} * Double<T>{y}) >> (sizeof(T) * 8));
}

template <class T> T saturated(Double<T> x) {
  if (x < Double<T>{std::numeric_limits<T>::min()}) return std::numeric_limits<T>::min();
  if (x > Double<T>{std::numeric_limits<T>::max()}) return std::numeric_limits<T>::max();
  return static_cast<T>(x);
}
template <class T> T addSaturated(T x, T y) {
  T out{};
  if (!__builtin_add_overflow(x, y, &out)) return out;
  return x < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T> T subSaturated(T x, T y) {
  T out{};
  if (!__builtin_sub_overflow(x, y, &out)) return out;
  return std::is_unsigned_v<T> || x < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T> T multiplyAddSaturated(T x, T y, T z) {
  // The sum of a product of two 64-bit integers and a third still fits 128 bits.
  return saturated<T>(Double<T>{x} * Double<T>{y} + Double<T>{z});
}

template <class T> Unsigned<T> difference(T x, T y) {
  return static_cast<Unsigned<T>>(x > y ? static_cast<Unsigned<T>>(x) - static_cast<Unsigned<T>>(y)
                                        : static_cast<Unsigned<T>>(y) - static_cast<Unsigned<T>>(x));
}

template <class T> void addBasics(PureTable& table) {
  table.add<T(T, T)>("min", [](T x, T y) { return std::min(x, y); });
  table.add<T(T, T)>("max", [](T x, T y) { return std::max(x, y); });
  table.add<T(T, T, T)>("clamp", [](T x, T low, T high) { return std::min(std::max(x, low), high); });
  auto absolute = [](T x) {
    auto size = static_cast<Unsigned<T>>(x);
    if constexpr (std::is_signed_v<T>)
      return x < 0 ? static_cast<Unsigned<T>>(0 - size) : size;
    else
      return size;
  };
  table.add<Unsigned<T>(T)>("abs", absolute);
  table.add<T(T)>("abs", absolute);
  table.add<T(T, T)>("mul_hi", [](T x, T y) { return highProduct(x, y); });
  table.add<T(T, T)>("hadd", [](T x, T y) { return static_cast<T>((x >> 1) + (y >> 1) + (x & y & 1)); });
  table.add<T(T, T)>("rhadd", [](T x, T y) { return static_cast<T>((x >> 1) + (y >> 1) + ((x | y) & 1)); });
  table.add<T(T, T)>("add_sat", [](T x, T y) { return addSaturated(x, y); });
  table.add<T(T, T)>("sub_sat", [](T x, T y) { return subSaturated(x, y); });
  table.add<T(T, T, T)>("mad_hi", [](T x, T y, T z) {
    return static_cast<T>(static_cast<Unsigned<T>>(highProduct(x, y)) + static_cast<Unsigned<T>>(z));
  });
  table.add<T(T, T, T)>("mad_sat", [](T x, T y, T z) { return multiplyAddSaturated(x, y, z); });
  table.add<Unsigned<T>(T, T)>("abs_diff", [](T x, T y) { return difference(x, y); });
}

// The low 24 bits, extended.
int32_t low24(int32_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x) << 8) >> 8; }
uint32_t low24(uint32_t x) { return x & 0xffffff; }

template <class T> void add24(PureTable& table) {
  table.add<T(T, T)>(
      "mul24", [](T x, T y) { return static_cast<uint32_t>(low24(x)) * static_cast<uint32_t>(low24(y)); });
  table.add<T(T, T, T)>("mad24", [](T x, T y, T z) {
    return static_cast<uint32_t>(low24(x)) * static_cast<uint32_t>(low24(y)) + static_cast<uint32_t>(z);
  });
}

// CUDA's minimum and maximum of three, of a sum, and with the flag of whether the first won.
template <class T, class Pick> void addThree(PureTable& table, const std::string& which,
                                             const std::string& type, Pick) {
  using U = uint32_t;
  const std::string relu = type + "_relu";
  table.add<T(T, T, T)>("viadd" + which + "_" + type, [](T x, T y, T z) {
    return Pick{}(static_cast<T>(static_cast<U>(x) + static_cast<U>(y)), z);
  });
  table.add<T(T, T, T)>("vi" + which + "3_" + type, [](T x, T y, T z) { return Pick{}(Pick{}(x, y), z); });
  table.add<std::tuple<T, bool>(T, T)>("vib" + which + "_" + type, [](T x, T y) {
    T out = Pick{}(x, y);
    return std::tuple<T, bool>(out, out == x);
  });
  if constexpr (std::is_signed_v<T>) {
    table.add<T(T, T, T)>("viadd" + which + "_" + relu, [](T x, T y, T z) {
      return std::max(Pick{}(static_cast<T>(static_cast<U>(x) + static_cast<U>(y)), z), T{0});
    });
    table.add<T(T, T, T)>("vi" + which + "3_" + relu,
                          [](T x, T y, T z) { return std::max(Pick{}(Pick{}(x, y), z), T{0}); });
    table.add<T(T, T)>("vi" + which + "_" + relu, [](T x, T y) { return std::max(Pick{}(x, y), T{0}); });
  }
}

}  // namespace

void addInteger(PureTable& table) {
  forIntegers([&](auto tag) { addBasics<typename decltype(tag)::type>(table); });
  add24<int32_t>(table);
  add24<uint32_t>(table);
  table.add<uint32_t(int32_t, int32_t, uint32_t)>(
      "sad", [](int32_t x, int32_t y, uint32_t z) { return difference(x, y) + z; });
  table.add<uint32_t(uint32_t, uint32_t, uint32_t)>(
      "sad", [](uint32_t x, uint32_t y, uint32_t z) { return difference(x, y) + z; });
  table.add<int64_t(int64_t, int64_t)>("expect", [](int64_t x, int64_t) { return x; });
  forTypes<int32_t, uint32_t>([&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::string type = std::is_signed_v<T> ? "s32" : "u32";
    addThree<T>(table, "min", type, [](T x, T y) { return std::min(x, y); });
    addThree<T>(table, "max", type, [](T x, T y) { return std::max(x, y); });
  });
}

}  // namespace hone::sim::math
