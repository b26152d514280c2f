// Arithmetic and comparisons of half and bfloat16, and pairs of them. Each operation is rounded once.
#include <algorithm>

#include "sim/functions/MathExact.h"

namespace hone::sim::math {
namespace {

double toUnit(double x) { return x > 0 ? (x < 1 ? x : 1.0) : 0.0; }
double noLess(double x) { return x > 0 || std::isnan(x) ? x : 0.0; }

template <class T> void addArithmetic(PureTable& table) {
  // Products of two narrow floats are exact in double; sums are when rounded to odd.
  auto sum = [](double x, double y) { return addToOdd(x, y); };
  auto difference = [](double x, double y) { return addToOdd(x, -y); };
  auto product = [](double x, double y) { return x * y; };
  using Sum = decltype(sum);
  using Difference = decltype(difference);
  using Product = decltype(product);
  for (const char* suffix : {"", "_rn"}) {
    table.add<T(T, T)>(std::string("h_add") + suffix, sum);
    table.add<T(T, T)>(std::string("h_sub") + suffix, difference);
    table.add<T(T, T)>(std::string("h_mul") + suffix, product);
  }
  table.add<T(T, T)>("h_add_sat", [](double x, double y) { return toUnit(Sum{}(x, y)); });
  table.add<T(T, T)>("h_sub_sat", [](double x, double y) { return toUnit(Difference{}(x, y)); });
  table.add<T(T, T)>("h_mul_sat", [](double x, double y) { return toUnit(Product{}(x, y)); });
  table.add<T(T, T)>("h_div", [](double x, double y) { return x / y; });
  table.add<T(T)>("h_rcp", [](double x) { return 1 / x; });
  table.add<T(T)>("h_neg", [](double x) { return -x; });
  table.add<T(T, T, T)>("h_fma_sat", [](double x, double y, double z) { return toUnit(addToOdd(x * y, z)); });
  table.add<T(T, T, T)>("h_fma_relu",
                        [](double x, double y, double z) { return noLess(addToOdd(x * y, z)); });
  // Complex multiplication and addition: two fused steps for each part.
  table.add<std::tuple<T, T>(T, T, T, T, T, T)>("h_cmadd", [](T ar, T ai, T br, T bi, T cr, T ci) {
    T real = T(addToOdd(double(ar) * double(br), double(cr)));
    T imaginary = T(addToOdd(double(ar) * double(bi), double(ci)));
    real = T(addToOdd(-(double(ai) * double(bi)), double(real)));
    imaginary = T(addToOdd(double(ai) * double(br), double(imaginary)));
    return std::tuple<T, T>(real, imaginary);
  });
  table.add<int32_t(T)>("h_isinf", [](double x) { return std::isinf(x) ? (x > 0 ? 1 : -1) : 0; });
  table.add<T(T)>("h_isnan2", [](double x) { return std::isnan(x) ? 1.0 : 0.0; });
}

// One comparison in its forms: of scalars, of the parts of pairs as 1 and 0, whether both hold, and as a
// mask.
template <class T, class Fn> void addHalfCompare(PureTable& table, const std::string& name, Fn fn) {
  table.add<bool(T, T)>("h_" + name, fn);
  table.add<int32_t(T, T)>("h_" + name, fn);
  table.add<T(T, T)>("h_" + name + "2", [](double x, double y) { return Fn{}(x, y) ? 1.0 : 0.0; });
  table.add<bool(T, T, T, T)>("h_b" + name + "2", [](double x0, double x1, double y0, double y1) {
    return Fn{}(x0, y0) && Fn{}(x1, y1);
  });
  table.add<uint32_t(T, T, T, T)>("h_" + name + "2_mask", [](double x0, double x1, double y0, double y1) {
    return (Fn{}(x0, y0) ? 0xffffu : 0u) | (Fn{}(x1, y1) ? 0xffff0000u : 0u);
  });
}

template <class T> void addComparisons(PureTable& table) {
  addHalfCompare<T>(table, "eq", [](double x, double y) { return x == y; });
  addHalfCompare<T>(table, "ne", [](double x, double y) { return x < y || x > y; });
  addHalfCompare<T>(table, "lt", [](double x, double y) { return x < y; });
  addHalfCompare<T>(table, "le", [](double x, double y) { return x <= y; });
  addHalfCompare<T>(table, "gt", [](double x, double y) { return x > y; });
  addHalfCompare<T>(table, "ge", [](double x, double y) { return x >= y; });
  addHalfCompare<T>(table, "equ",
                    [](double x, double y) { return x == y || std::isnan(x) || std::isnan(y); });
  addHalfCompare<T>(table, "neu", [](double x, double y) { return x != y; });
  addHalfCompare<T>(table, "ltu", [](double x, double y) { return !(x >= y); });
  addHalfCompare<T>(table, "leu", [](double x, double y) { return !(x > y); });
  addHalfCompare<T>(table, "gtu", [](double x, double y) { return !(x <= y); });
  addHalfCompare<T>(table, "geu", [](double x, double y) { return !(x < y); });
}

template <class T> void addHalfPairs(PureTable& table) {
  using Two = std::tuple<T, T>;
  using Floats = std::tuple<float, float>;
  table.add<Two(T, T)>("h_make_pair", [](T x, T y) { return Two(x, y); });
  table.add<Two(T)>("h_to_pair", [](T x) { return Two(x, x); });
  table.add<Two(float)>("float_to_half_pair", [](double x) { return Two(T(x), T(x)); });
  auto two = [](double x, double y) { return Two(T(x), T(y)); };
  table.add<Two(float, float)>("floats_to_half_pair", two);
  table.add<Two(float, float)>("float2_to_half_pair", two);
  table.add<Floats(T, T)>("pair_to_float2", [](T x, T y) { return Floats(x.value, y.value); });
  table.add<T(T, T)>("pair_low", [](T x, T) { return x; });
  table.add<T(T, T)>("pair_high", [](T, T y) { return y; });
  table.add<float(T, T)>("pair_low_float", [](T x, T) { return x.value; });
  table.add<float(T, T)>("pair_high_float", [](T, T y) { return y.value; });
  table.add<Two(T, T)>("pair_low_twice", [](T x, T) { return Two(x, x); });
  table.add<Two(T, T)>("pair_high_twice", [](T, T y) { return Two(y, y); });
  table.add<Two(T, T, T, T)>("pair_lows", [](T x, T, T z, T) { return Two(x, z); });
  table.add<Two(T, T, T, T)>("pair_highs", [](T, T y, T, T w) { return Two(y, w); });
  table.add<Two(T, T)>("pair_swap", [](T x, T y) { return Two(y, x); });
}

}  // namespace

void addHalf(PureTable& table) {
  forTypes<Half, BFloat>([&](auto tag) {
    using T = typename decltype(tag)::type;
    addArithmetic<T>(table);
    addComparisons<T>(table);
    addHalfPairs<T>(table);
  });
  // Ten bits after the point, ties away from zero.
  table.add<float(float)>("wmma_float_to_tf32", [](float x) {
    const uint32_t bits = bitsOf(x);
    return (bits & 0x7f800000) == 0x7f800000 ? x : fromBits<float>((bits + 0x1000) & ~0x1fffu);
  });
}

}  // namespace hone::sim::math
