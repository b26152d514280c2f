// Four bytes or two halfwords in one word, part by part.
#include <algorithm>

#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

using Word = uint32_t;

// The part-th field of type T, and a word of fields that a function gives.
template <class T> T field(Word x, unsigned part) { return static_cast<T>(x >> (part * sizeof(T) * 8)); }
template <class T, class Fn> Word eachField(Fn fn) {
  Word out = 0;
  for (unsigned part = 0; part < 4 / sizeof(T); ++part) {
    auto value = static_cast<std::make_unsigned_t<T>>(fn(part));
    out |= static_cast<Word>(value) << (part * sizeof(T) * 8);
  }
  return out;
}

template <class T, class Fn> void addOne(PureTable& table, const std::string& id, Fn) {
  table.add<Word(Word)>(id + (sizeof(T) == 1 ? "4" : "2"), [](Word x) {
    return eachField<T>([&](unsigned part) { return Fn{}(int32_t{field<T>(x, part)}); });
  });
}
template <class T, class Fn> void addTwo(PureTable& table, const std::string& id, Fn) {
  table.add<Word(Word, Word)>(id + (sizeof(T) == 1 ? "4" : "2"), [](Word x, Word y) {
    return eachField<T>(
        [&](unsigned part) { return Fn{}(int32_t{field<T>(x, part)}, int32_t{field<T>(y, part)}); });
  });
}
// The sum over the parts instead of a word of them.
template <class T> void addSum(PureTable& table, const std::string& id) {
  table.add<Word(Word, Word)>(id + (sizeof(T) == 1 ? "4" : "2"), [](Word x, Word y) {
    Word sum = 0;
    for (unsigned part = 0; part < 4 / sizeof(T); ++part)
      sum += static_cast<Word>(std::abs(int32_t{field<T>(x, part)} - int32_t{field<T>(y, part)}));
    return sum;
  });
}

template <class T> int32_t fitted(int32_t x) {
  return std::clamp<int32_t>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

// A comparison gives a mask of ones (vcmp) or the number 1 (vset).
template <class T, class Fn> void addPackedCompare(PureTable& table, const std::string& name, Fn) {
  addTwo<T>(table, "vcmp" + name, [](int32_t x, int32_t y) { return Fn{}(x, y) ? -1 : 0; });
  addTwo<T>(table, "vset" + name, [](int32_t x, int32_t y) { return Fn{}(x, y) ? 1 : 0; });
}

template <class T> void addOrdered(PureTable& table, const std::string& sign) {
  addPackedCompare<T>(table, "ge" + sign, [](int32_t x, int32_t y) { return x >= y; });
  addPackedCompare<T>(table, "gt" + sign, [](int32_t x, int32_t y) { return x > y; });
  addPackedCompare<T>(table, "le" + sign, [](int32_t x, int32_t y) { return x <= y; });
  addPackedCompare<T>(table, "lt" + sign, [](int32_t x, int32_t y) { return x < y; });
  addTwo<T>(table, "vmax" + sign, [](int32_t x, int32_t y) { return std::max(x, y); });
  addTwo<T>(table, "vmin" + sign, [](int32_t x, int32_t y) { return std::min(x, y); });
  addTwo<T>(table, "vabsdiff" + sign, [](int32_t x, int32_t y) { return std::abs(x - y); });
  addTwo<T>(table, "vadd" + sign + "s", [](int32_t x, int32_t y) { return fitted<T>(x + y); });
  addTwo<T>(table, "vsub" + sign + "s", [](int32_t x, int32_t y) { return fitted<T>(x - y); });
  addSum<T>(table, "vsad" + sign);
}

template <class T> void addPackedFields(PureTable& table) {
  using S = std::make_signed_t<T>;
  using U = std::make_unsigned_t<T>;
  addOrdered<S>(table, "s");
  addOrdered<U>(table, "u");
  addPackedCompare<T>(table, "eq", [](int32_t x, int32_t y) { return x == y; });
  addPackedCompare<T>(table, "ne", [](int32_t x, int32_t y) { return x != y; });
  addOne<S>(table, "vabs", [](int32_t x) { return std::abs(x); });
  addOne<S>(table, "vabsss", [](int32_t x) { return fitted<S>(std::abs(x)); });
  addOne<S>(table, "vneg", [](int32_t x) { return -x; });
  addOne<S>(table, "vnegss", [](int32_t x) { return fitted<S>(-x); });
  addTwo<S>(table, "vadd", [](int32_t x, int32_t y) { return x + y; });
  addTwo<S>(table, "vsub", [](int32_t x, int32_t y) { return x - y; });
  // Signed averages are rounded away from zero, unsigned ones up.
  addTwo<S>(table, "vavgs", [](int32_t x, int32_t y) { return (x + y + (x + y >= 0)) >> 1; });
  addTwo<U>(table, "vavgu", [](int32_t x, int32_t y) { return (x + y + 1) >> 1; });
  addTwo<U>(table, "vhaddu", [](int32_t x, int32_t y) { return (x + y) >> 1; });
}

template <class A, class B> int32_t dotBytes(Word x, Word y) {
  int32_t sum = 0;
  for (unsigned part = 0; part < 4; ++part) sum += int32_t{field<A>(x, part)} * int32_t{field<B>(y, part)};
  return sum;
}
// Two halfwords with the low or the high two bytes.
template <class H, class B, unsigned first> int32_t dotHalfwords(Word x, Word y) {
  int32_t sum = 0;
  for (unsigned part = 0; part < 2; ++part) sum += int32_t{field<H>(x, part)} * field<B>(y, first + part);
  return sum;
}
template <class T> T saturatedSum(int64_t dot, T sum) {
  return static_cast<T>(
      std::clamp<int64_t>(dot + sum, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T, class H, class B> void addDots(PureTable& table) {
  auto wrap = [](int32_t dot, T sum) {
    return static_cast<T>(static_cast<Word>(dot) + static_cast<Word>(sum));
  };
  using Wrap = decltype(wrap);
  auto at = [](T x) { return static_cast<Word>(x); };
  using At = decltype(at);
  table.add<T(T, T, T)>("dp4a",
                        [](T x, T y, T sum) { return Wrap{}(dotBytes<B, B>(At{}(x), At{}(y)), sum); });
  table.add<T(T, T, T)>("dp2a_lo",
                        [](T x, T y, T sum) { return Wrap{}(dotHalfwords<H, B, 0>(At{}(x), At{}(y)), sum); });
  table.add<T(T, T, T)>("dp2a_hi",
                        [](T x, T y, T sum) { return Wrap{}(dotHalfwords<H, B, 2>(At{}(x), At{}(y)), sum); });
}

template <class T, class A, class B> void addPackedDot(PureTable& table, const std::string& name) {
  table.add<T(Word, Word)>("dot_4x8packed_" + name,
                           [](Word x, Word y) { return static_cast<T>(dotBytes<A, B>(x, y)); });
  table.add<T(Word, Word, T)>("dot_acc_sat_4x8packed_" + name, [](Word x, Word y, T sum) {
    return saturatedSum<T>(dotBytes<A, B>(x, y), sum);
  });
}

// Minimum and maximum over two halfwords: of three, of a sum, and with flags for the high and the low part.
template <class T, class Pick> void addPairs(PureTable& table, const std::string& which,
                                             const std::string& type, Pick) {
  const std::string relu = type + "_relu";
  auto three = [](Word x, Word y, Word z) {
    return eachField<T>(
        [&](unsigned p) { return Pick{}(Pick{}(field<T>(x, p), field<T>(y, p)), field<T>(z, p)); });
  };
  auto sum = [](Word x, Word y, Word z) {
    return eachField<T>(
        [&](unsigned p) { return Pick{}(static_cast<T>(field<T>(x, p) + field<T>(y, p)), field<T>(z, p)); });
  };
  auto two = [](Word x, Word y) {
    return eachField<T>([&](unsigned p) { return Pick{}(field<T>(x, p), field<T>(y, p)); });
  };
  using Three = decltype(three);
  using Sum = decltype(sum);
  using Two = decltype(two);
  auto floored = [](Word x) {
    return eachField<T>([&](unsigned p) { return std::max(field<T>(x, p), T{0}); });
  };
  using Floored = decltype(floored);
  table.add<Word(Word, Word, Word)>("vi" + which + "3_" + type, three);
  table.add<Word(Word, Word, Word)>("viadd" + which + "_" + type, sum);
  table.add<std::tuple<Word, bool, bool>(Word, Word)>("vib" + which + "_" + type, [](Word x, Word y) {
    const Word out = Two{}(x, y);
    return std::tuple<Word, bool, bool>(out, field<T>(out, 1) == field<T>(x, 1),
                                        field<T>(out, 0) == field<T>(x, 0));
  });
  if constexpr (std::is_signed_v<T>) {
    table.add<Word(Word, Word, Word)>("vi" + which + "3_" + relu,
                                      [](Word x, Word y, Word z) { return Floored{}(Three{}(x, y, z)); });
    table.add<Word(Word, Word, Word)>("viadd" + which + "_" + relu,
                                      [](Word x, Word y, Word z) { return Floored{}(Sum{}(x, y, z)); });
    table.add<Word(Word, Word)>("vi" + which + "_" + relu,
                                [](Word x, Word y) { return Floored{}(Two{}(x, y)); });
  }
}

}  // namespace

void addPacked(PureTable& table) {
  addPackedFields<uint8_t>(table);
  addPackedFields<uint16_t>(table);
  addDots<int32_t, int16_t, int8_t>(table);
  addDots<uint32_t, uint16_t, uint8_t>(table);
  addPackedDot<int32_t, int8_t, int8_t>(table, "ss_int");
  addPackedDot<int32_t, int8_t, uint8_t>(table, "su_int");
  addPackedDot<int32_t, uint8_t, int8_t>(table, "us_int");
  addPackedDot<uint32_t, uint8_t, uint8_t>(table, "uu_uint");
  forTypes<int16_t, uint16_t>([&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::string type = std::is_signed_v<T> ? "s16x2" : "u16x2";
    addPairs<T>(table, "min", type, [](T x, T y) { return std::min(x, y); });
    addPairs<T>(table, "max", type, [](T x, T y) { return std::max(x, y); });
  });
}

}  // namespace hone::sim::math
