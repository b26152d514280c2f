// Functions of floats with one exact answer: rounding to whole numbers, choice, sign, tests, fused
// multiplication.
#include "sim/functions/MathExact.h"

namespace hone::sim::math {
namespace {

void addWhole(PureTable& table) {
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T)>("ceil", [](Exact<T> x) { return std::ceil(x); });
    table.add<T(T)>("floor", [](Exact<T> x) { return std::floor(x); });
    table.add<T(T)>("trunc", [](Exact<T> x) { return std::trunc(x); });
    table.add<T(T)>("round", [](Exact<T> x) { return std::round(x); });
    table.add<T(T)>("rint", [](Exact<T> x) { return std::nearbyint(x); });
    table.add<T(T)>("nearbyint", [](Exact<T> x) { return std::nearbyint(x); });
    table.add<T(T)>("fabs", [](Exact<T> x) { return std::fabs(x); });
    table.add<int64_t(T)>("lrint", [](Exact<T> x) { return machineInteger<int64_t>(std::nearbyint(x)); });
    table.add<int64_t(T)>("lround", [](Exact<T> x) { return machineInteger<int64_t>(std::round(x)); });
  });
}

// A NaN, quiet or signalling, gives way to the other operand.
template <class X> X lesser(X x, X y) { return std::isnan(x) ? y : std::isnan(y) ? x : std::fmin(x, y); }
template <class X> X greater(X x, X y) { return std::isnan(x) ? y : std::isnan(y) ? x : std::fmax(x, y); }

void addChoice(PureTable& table) {
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    using X = Exact<T>;
    table.add<T(T, T)>("fmin", [](X x, X y) { return lesser(x, y); });
    table.add<T(T, T)>("fmax", [](X x, X y) { return greater(x, y); });
    table.add<T(T, T)>("fmin_common", [](X x, X y) { return y < x ? y : x; });
    table.add<T(T, T)>("fmax_common", [](X x, X y) { return x < y ? y : x; });
    table.add<T(T, T)>("h_min_nan",
                       [](X x, X y) { return std::isnan(x) || std::isnan(y) ? X(NAN) : std::fmin(x, y); });
    table.add<T(T, T)>("h_max_nan",
                       [](X x, X y) { return std::isnan(x) || std::isnan(y) ? X(NAN) : std::fmax(x, y); });
    table.add<T(T, T, T)>("fclamp", [](X x, X low, X high) { return std::fmin(std::fmax(x, low), high); });
    table.add<T(T, T)>("maxmag", [](X x, X y) {
      return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
    });
    table.add<T(T, T)>("minmag", [](X x, X y) {
      return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
    });
    table.add<T(T, T)>("copysign", [](X x, X y) { return std::copysign(x, y); });
    table.add<T(T, T)>("fdim", [](X x, X y) {
      return std::isnan(x) || std::isnan(y) ? X(NAN) : x > y ? x - y : X(0);
    });
    table.add<T(T, T)>("step", [](X edge, X x) { return x < edge ? X(0) : X(1); });
    table.add<T(T)>("sign", [](X x) { return x > 0 ? X(1) : x < 0 ? X(-1) : std::isnan(x) ? X(0) : x; });
    table.add<T(T, T)>("fmod", [](X x, X y) { return std::fmod(x, y); });
    table.add<T(T, T)>("remainder", [](X x, X y) { return std::remainder(x, y); });
  });
  table.add<float(float)>("saturate", [](float x) { return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F; });
}

void addArithmetic(PureTable& table) {
  forTypes<float, double>([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T, T, T)>("fma", [](T x, T y, T z) { return std::fma(x, y, z); });
    table.add<T(T, T, T)>("mad", [](T x, T y, T z) { return std::fma(x, y, z); });
    table.add<T(T)>("sqrt", [](T x) { return std::sqrt(x); });
    table.add<T(T, T, T)>("mix", [](T x, T y, T a) { return x + (y - x) * a; });
    table.add<T(T, T, T)>("smoothstep", [](T low, T high, T x) {
      T t = std::fmin(std::fmax((x - low) / (high - low), T(0)), T(1));
      return t * t * (3 - 2 * t);
    });
    table.add<T(T)>("degrees", [](T x) { return x * static_cast<T>(57.295779513082320877); });
    table.add<T(T)>("radians", [](T x) { return x * static_cast<T>(0.017453292519943295769); });
    table.add<T(T, T)>("nextafter", [](T x, T y) { return std::nextafter(x, y); });
  });
  forTypes<Half, BFloat>([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T, T, T)>("fma", [](double x, double y, double z) { return addToOdd(x * y, z); });
    table.add<T(T, T, T)>("mad", [](double x, double y, double z) { return addToOdd(x * y, z); });
    table.add<T(T)>("sqrt", [](double x) { return std::sqrt(x); });
    table.add<T(T, T, T)>("mix", [](double x, double y, double a) { return x + (y - x) * a; });
    table.add<T(T, T, T)>("smoothstep", [](double low, double high, double x) {
      double t = std::fmin(std::fmax((x - low) / (high - low), 0.0), 1.0);
      return t * t * (3 - 2 * t);
    });
    table.add<T(T)>("degrees", [](double x) { return x * 57.295779513082320877; });
    table.add<T(T)>("radians", [](double x) { return x * 0.017453292519943295769; });
    table.add<T(T, T)>("nextafter", [](T x, T y) {
      if (std::isnan(double(x)) || std::isnan(double(y))) return T(static_cast<double>(NAN));
      if (double(x) == double(y)) return y;
      if (double(x) == 0) return fromBits<T>(double(y) < 0 ? 0x8001 : 1);
      bool grows = (double(x) < double(y)) == (double(x) > 0);
      return fromBits<T>(grows ? bitsOf(x) + 1u : bitsOf(x) - 1u);
    });
  });
  for (const char* id : {"native_divide", "fdivide", "half_divide"})
    table.add<float(float, float)>(id, [](float x, float y) { return x / y; });
  for (const char* id : {"native_recip", "half_recip"})
    table.add<float(float)>(id, [](float x) { return 1 / x; });
  for (const char* id : {"native_sqrt", "half_sqrt"})
    table.add<float(float)>(id, [](float x) { return std::sqrt(x); });
}

template <class T>
using LaneTest =
    std::conditional_t<widthOf<T> == 64, int64_t, std::conditional_t<widthOf<T> == 16, int16_t, int32_t>>;

// A test gives bool in CUDA, int in OpenCL, and in the lanes of an OpenCL vector an integer as wide as the
// operand.
template <class T, class Fn> void addTest(PureTable& table, const char* id, Fn fn) {
  using Lane = LaneTest<T>;
  table.add<bool(T)>(id, fn);
  table.add<int32_t(T)>(id, fn);
  table.add<Lane(T)>(id, fn);
}
template <class T, class Fn> void addComparison(PureTable& table, const std::string& id, Fn fn) {
  using Lane = LaneTest<T>;
  table.add<int32_t(T, T)>(id, fn);
  table.add<Lane(T, T)>(id, fn);
  table.add<bool(T, T)>(id + "_std", fn);
  table.add<int32_t(T, T)>(id + "_std", fn);
}

void addTests(PureTable& table) {
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    using X = Exact<T>;
    const char* const names[][4] = {{"isnan", "isinf", "isfinite", "signbit"},
                                    {"isnan_int", "isinf_int", "isfinite_int", "signbit_int"}};
    for (const auto& ids : names) {
      addTest<T>(table, ids[0], [](X x) { return std::isnan(x); });
      addTest<T>(table, ids[1], [](X x) { return std::fabs(x) == X(INFINITY); });
      addTest<T>(table, ids[2], [](X x) { return std::fabs(x) < X(INFINITY); });
      addTest<T>(table, ids[3], [](X x) { return std::signbit(x); });
    }
    auto isNormal = [](T x) {
      constexpr X least = std::is_same_v<T, Half> ? X(0x1p-14)
                          : widthOf<T> == 64      ? X(0x1p-1022)
                                                  : X(0x1p-126);
      X size = std::fabs(X(x));
      return size >= least && size < X(INFINITY);
    };
    addTest<T>(table, "isnormal", isNormal);
    table.add<bool(T)>("isnormal_std", isNormal);
    table.add<int32_t(T)>("isnormal_std", isNormal);
    addComparison<T>(table, "isgreater", [](X x, X y) { return x > y; });
    addComparison<T>(table, "isgreaterequal", [](X x, X y) { return x >= y; });
    addComparison<T>(table, "isless", [](X x, X y) { return x < y; });
    addComparison<T>(table, "islessequal", [](X x, X y) { return x <= y; });
    addComparison<T>(table, "islessgreater", [](X x, X y) { return x < y || x > y; });
    addComparison<T>(table, "isunordered", [](X x, X y) { return std::isnan(x) || std::isnan(y); });
    addComparison<T>(table, "isequal", [](X x, X y) { return x == y; });
    addComparison<T>(table, "isnotequal", [](X x, X y) { return x != y; });
    addComparison<T>(table, "isordered", [](X x, X y) { return !std::isnan(x) && !std::isnan(y); });
  });
}

}  // namespace

void addFloat(PureTable& table) {
  addWhole(table);
  addChoice(table);
  addArithmetic(table);
  addTests(table);
}

}  // namespace hone::sim::math
