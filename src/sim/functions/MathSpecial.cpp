// Special functions that the C library lacks.
#include <algorithm>

#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

double inverseErf(double y);

// Inverse of the complementary error function: a rational start (Abramowitz and Stegun 26.2.23), then
// Halley's method.
double inverseErfc(double y) {
  if (std::isnan(y) || y < 0 || y > 2) return NAN;
  if (y == 0) return INFINITY;
  if (y == 2) return -INFINITY;
  if (y > 0.5 && y < 1.5) return inverseErf(1 - y);
  const double tail = y < 1 ? y : 2 - y;
  const double t = std::sqrt(-2 * std::log(tail / 2));
  double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) *
             M_SQRT1_2;
  for (int step = 0; step < 4; ++step) {
    const double slope = -M_2_SQRTPI * std::exp(-x * x);
    if (slope == 0) break;
    const double newton = (std::erfc(x) - tail) / slope;
    x -= newton / (1 + x * newton);
  }
  return y < 1 ? x : -x;
}

double inverseErf(double y) {
  if (!(std::fabs(y) <= 1)) return NAN;
  if (std::fabs(y) == 1) return std::copysign(INFINITY, y);
  if (std::fabs(y) < 1e-8) return y / M_2_SQRTPI;
  double x = std::fabs(y) < 0.5 ? y * 0.9 : std::copysign(inverseErfc(1 - std::fabs(y)), y);
  for (int step = 0; step < 5; ++step) {
    const double newton = (std::erf(x) - y) / (M_2_SQRTPI * std::exp(-x * x));
    if (!std::isfinite(newton)) break;
    x -= newton / (1 + x * newton);
    if (std::fabs(y) >= 0.5 && step == 0) break;
  }
  return x;
}

double scaledErfc(double x) {
  if (x < -26.8) return INFINITY;
  if (x < 20) {
    const double square = x * x, rest = std::fma(x, x, -square);
    return std::exp(square) * std::erfc(x) * (1 + rest);
  }
  const double u = 0.5 / x / x;
  double sum = 1, term = 1;
  for (int k = 1; k < 12; ++k) sum += term *= -(2 * k - 1) * u;
  return sum * (M_2_SQRTPI / 2) / x;
}

double normalCdf(double x) {
  // x / sqrt(2) in two parts: erfc falls so fast that the rounding of the first would show.
  const double whole = x * M_SQRT1_2;
  if (!std::isfinite(whole)) return std::isnan(x) ? x : x > 0 ? 1 : 0;
  const double rest = std::fma(x, M_SQRT1_2, -whole) + x * -4.8336466567264567e-17;
  return 0.5 * (std::erfc(-whole) + M_2_SQRTPI * std::exp(-whole * whole) * rest);
}

// Modified Bessel functions of the first kind, order 0 or 1: the power series has positive terms only.
double besselI(int order, double x) {
  const double size = std::fabs(x);
  double out = 0;
  if (size < 30) {
    const double q = x * x / 4;
    double term = order == 0 ? 1 : size / 2;
    for (int k = 1; k < 120 && term > out * 1e-18; ++k) {
      out += term;
      term *= q / (k * (k + order));
    }
  } else {
    const double mu = 4.0 * order * order;
    double sum = 1, term = 1;
    for (int k = 1; k < 30; ++k) {
      const double odd = 2 * k - 1;
      const double next = term * (odd * odd - mu) / (k * 8 * size);
      if (std::fabs(next) < 1e-18) break;
      sum += term = next;
    }
    const double half = std::exp(size / 2);
    out = half * (half / std::sqrt(2 * M_PI * size) * sum);
    if (size > 720) out = INFINITY;
  }
  if (std::isnan(x)) return x;
  return order == 1 ? std::copysign(out, x) : out;
}

// Scaled, so that squares neither overflow nor vanish.
double normOf(std::initializer_list<double> parts) {
  double greatest = 0;
  for (double p : parts) {
    if (std::isinf(p)) return INFINITY;
    greatest = std::fmax(greatest, std::fabs(p));
  }
  for (double p : parts)
    if (std::isnan(p)) return p;
  if (greatest == 0) return 0;
  const int exponent = std::ilogb(greatest);
  double sum = 0;
  for (double p : parts) {
    const double scaled = std::scalbn(p, -exponent);
    sum += scaled * scaled;
  }
  return std::scalbn(std::sqrt(sum), exponent);
}

}  // namespace

void addSpecial(PureTable& table) {
  forTypes<float, double>([&](auto tag) {
    using T = typename decltype(tag)::type;
    table.add<T(T)>("erfinv", [](double x) { return inverseErf(x); });
    table.add<T(T)>("erfcinv", [](double x) { return inverseErfc(x); });
    table.add<T(T)>("erfcx", [](double x) { return scaledErfc(x); });
    table.add<T(T)>("normcdf", [](double x) { return normalCdf(x); });
    table.add<T(T)>("normcdfinv", [](double x) { return -M_SQRT2 * inverseErfc(2 * x); });
    table.add<T(T)>("cyl_bessel_i0", [](double x) { return besselI(0, x); });
    table.add<T(T)>("cyl_bessel_i1", [](double x) { return besselI(1, x); });
    table.add<T(T, T, T)>("norm3d", [](double x, double y, double z) { return normOf({x, y, z}); });
    table.add<T(T, T, T)>("rnorm3d", [](double x, double y, double z) { return 1 / normOf({x, y, z}); });
    table.add<T(T, T, T, T)>("norm4d",
                             [](double x, double y, double z, double w) { return normOf({x, y, z, w}); });
    table.add<T(T, T, T, T)>("rnorm4d",
                             [](double x, double y, double z, double w) { return 1 / normOf({x, y, z, w}); });
  });
}

}  // namespace hone::sim::math
