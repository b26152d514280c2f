// Functions of the C library. Those of float and narrower are computed in double and rounded once, except
// where the library's float function is as good.
#include <algorithm>

#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

template <class Fn> void addUnary(PureTable& table, std::string_view id, Fn) {
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T)>(id, [](double x) { return Fn{}(x); });
  });
}

template <class Fn> void addBinary(PureTable& table, std::string_view id, Fn) {
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T, T)>(id, [](double x, double y) { return Fn{}(x, y); });
  });
}

// Right to far more digits than a float has, in a third of the library's time.
double tanhForFloat(double x) {
  const double square = x * x;
  if (square < 1e-4) return x * (1 - square * (1.0 / 3 - square * (2.0 / 15)));
  return 1 - 2 / (std::exp(2 * x) + 1);
}

// One step of Newton's method, with the error of the product x * y kept, after a division that is off by at
// most 1.5 ulps.
float reciprocalRoot(float x) {
  const float y = 1 / std::sqrt(x);
  const float product = x * y, rest = std::fma(x, y, -product);
  const float error = std::fma(-product, y, 1.0F) - rest * y;
  const float better = std::fma(y * 0.5F, error, y);
  return std::fabs(error) < 1 ? better : y;  // not of zero, infinity and NaN
}

// The library computes these float functions in double itself.
void addFastFloats(PureTable& table) {
  for (const char* id : {"sin", "native_sin", "half_sin"})
    table.add<float(float)>(id, [](float x) { return std::sin(x); });
  for (const char* id : {"cos", "native_cos", "half_cos"})
    table.add<float(float)>(id, [](float x) { return std::cos(x); });
  for (const char* id : {"exp", "native_exp", "half_exp"})
    table.add<float(float)>(id, [](float x) { return std::exp(x); });
  for (const char* id : {"exp2", "native_exp2", "half_exp2"})
    table.add<float(float)>(id, [](float x) { return std::exp2(x); });
  for (const char* id : {"log", "native_log", "half_log"})
    table.add<float(float)>(id, [](float x) { return std::log(x); });
  for (const char* id : {"log2", "native_log2", "half_log2"})
    table.add<float(float)>(id, [](float x) { return std::log2(x); });
  table.add<float(float, float)>("pow", [](float x, float y) { return std::pow(x, y); });
  for (const char* id : {"tanh", "native_tanh"})
    table.add<float(float)>(id, [](double x) { return tanhForFloat(x); });
  for (const char* id : {"rsqrt", "native_rsqrt", "half_rsqrt", "rsqrt_rn"})
    table.add<float(float)>(id, [](float x) { return reciprocalRoot(x); });
}

double powReal(double x, double y) {
  if (!(x >= 0) || std::isnan(y)) return NAN;
  if (y == 0 && (x == 0 || std::isinf(x))) return NAN;
  if (x == 1 && std::isinf(y)) return NAN;
  if (x == 0) x = 0;  // of either sign
  return std::pow(x, y);
}

double root(double x, int32_t n) {
  if (n == 0 || (x < 0 && n % 2 == 0)) return NAN;
  const long double size = std::pow(std::fabs(static_cast<long double>(x)), 1.0L / n);
  const double out = static_cast<double>(size);
  return n % 2 != 0 ? std::copysign(out, x) : out;
}

void addPowers(PureTable& table) {
  auto exp10Of = [](double x) { return std::pow(10.0, x); };
  addUnary(table, "exp10", exp10Of);
  addBinary(table, "pow", [](double x, double y) { return std::pow(x, y); });
  addBinary(table, "powr", [](double x, double y) { return powReal(x, y); });
  for (const char* id : {"native_powr", "half_powr"})
    table.add<float(float, float)>(id, [](double x, double y) { return powReal(x, y); });
  forFloats([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T, int32_t)>("pown", [](double x, int32_t n) { return std::pow(x, static_cast<double>(n)); });
    table.add<T(T, int32_t)>("rootn", [](double x, int32_t n) { return root(x, n); });
  });
  for (const char* id : {"native_exp10", "half_exp10"}) table.add<float(float)>(id, exp10Of);
}

// x less the nearest even number, and the quarter turn it lies in.
double sinPi(double x) {
  if (!std::isfinite(x)) return NAN;
  double r = std::remainder(x, 2.0);
  if (r == 0 || std::fabs(r) == 1) return std::copysign(0.0, x);
  if (r > 0.5)
    r = 1 - r;
  else if (r < -0.5)
    r = -1 - r;
  return std::fabs(r) <= 0.25 ? std::sin(M_PI * r) : std::copysign(std::cos(M_PI * (0.5 - std::fabs(r))), r);
}
double cosPi(double x) {
  if (!std::isfinite(x)) return NAN;
  double r = std::fabs(std::remainder(x, 2.0));
  const double sign = r > 0.5 ? -1 : 1;
  if (r > 0.5) r = 1 - r;
  if (r == 0.5) return 0;
  return sign * (r <= 0.25 ? std::cos(M_PI * r) : std::sin(M_PI * (0.5 - r)));
}
double tanPi(double x) {
  const double s = sinPi(x), c = cosPi(x);
  if (s == 0) return std::isfinite(x) && std::fabs(std::remainder(x, 2.0)) == 1 ? std::copysign(0.0, -x) : s;
  return s / c;
}

void addAngles(PureTable& table) {
  addUnary(table, "sin", [](double x) { return std::sin(x); });
  addUnary(table, "cos", [](double x) { return std::cos(x); });
  addUnary(table, "tan", [](double x) { return std::tan(x); });
  addUnary(table, "asin", [](double x) { return std::asin(x); });
  addUnary(table, "acos", [](double x) { return std::acos(x); });
  addUnary(table, "atan", [](double x) { return std::atan(x); });
  addUnary(table, "sinh", [](double x) { return std::sinh(x); });
  addUnary(table, "cosh", [](double x) { return std::cosh(x); });
  addUnary(table, "tanh", [](double x) { return std::tanh(x); });
  addUnary(table, "h_tanh_approx", [](double x) { return std::tanh(x); });
  addUnary(table, "asinh", [](double x) { return std::asinh(x); });
  addUnary(table, "acosh", [](double x) { return std::acosh(x); });
  addUnary(table, "atanh", [](double x) { return std::atanh(x); });
  addUnary(table, "sinpi", [](double x) { return sinPi(x); });
  addUnary(table, "cospi", [](double x) { return cosPi(x); });
  addUnary(table, "tanpi", [](double x) { return tanPi(x); });
  addUnary(table, "asinpi", [](double x) { return std::asin(x) / M_PI; });
  addUnary(table, "acospi", [](double x) { return std::acos(x) / M_PI; });
  addUnary(table, "atanpi", [](double x) { return std::atan(x) / M_PI; });
  addBinary(table, "atan2", [](double y, double x) { return std::atan2(y, x); });
  addBinary(table, "atan2pi", [](double y, double x) { return std::atan2(y, x) / M_PI; });
  for (const char* id : {"native_tan", "half_tan"})
    table.add<float(float)>(id, [](double x) { return std::tan(x); });
}

// CUDA knows no negative orders. The library's steps grow with the order: an absurd one is cut.
double ofOrder(double (*bessel)(int, double), int32_t n, double x) {
  return n < 0 ? NAN : bessel(std::min(n, 100000), x);
}

void addGrowth(PureTable& table) {
  addUnary(table, "exp", [](double x) { return std::exp(x); });
  addUnary(table, "exp2", [](double x) { return std::exp2(x); });
  addUnary(table, "expm1", [](double x) { return std::expm1(x); });
  addUnary(table, "log", [](double x) { return std::log(x); });
  addUnary(table, "log2", [](double x) { return std::log2(x); });
  addUnary(table, "log10", [](double x) { return std::log10(x); });
  for (const char* id : {"native_log10", "half_log10"})
    table.add<float(float)>(id, [](double x) { return std::log10(x); });
  addUnary(table, "log1p", [](double x) { return std::log1p(x); });
  addUnary(table, "cbrt", [](double x) { return std::cbrt(x); });
  addUnary(table, "rcbrt", [](double x) { return 1 / std::cbrt(x); });
  addUnary(table, "erf", [](double x) { return std::erf(x); });
  addUnary(table, "erfc", [](double x) { return std::erfc(x); });
  addUnary(table, "tgamma", [](double x) { return std::tgamma(x); });
  addUnary(table, "lgamma", [](double x) {
    int sign = 0;  // lgamma itself writes a global variable
    return ::lgamma_r(x, &sign);
  });
  addUnary(table, "logb", [](double x) { return std::logb(x); });
  addUnary(table, "j0", [](double x) { return ::j0(x); });
  addUnary(table, "j1", [](double x) { return ::j1(x); });
  addUnary(table, "y0", [](double x) { return ::y0(x); });
  addUnary(table, "y1", [](double x) { return ::y1(x); });
  addUnary(table, "rsqrt", [](double x) { return 1 / std::sqrt(x); });
  addBinary(table, "hypot", [](double x, double y) { return std::hypot(x, y); });
  addBinary(table, "rhypot", [](double x, double y) { return 1 / std::hypot(x, y); });
  forTypes<float, double>([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(int32_t, T)>("jn", [](int32_t n, double x) { return ofOrder(&::jn, n, x); });
    table.add<std::tuple<T, T>(T)>("sincospi",
                                   [](double x) { return std::tuple<T, T>(T(sinPi(x)), T(cosPi(x))); });
    table.add<T(int32_t, T)>("yn", [](int32_t n, double x) { return ofOrder(&::yn, n, x); });
  });
}

}  // namespace

void addTranscendental(PureTable& table) {
  addFastFloats(table);  // first: what is in the table stays
  addAngles(table);
  addGrowth(table);
  addPowers(table);
}

}  // namespace hone::sim::math
