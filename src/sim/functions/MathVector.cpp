// Functions over the lanes of one OpenCL vector, and complex numbers. Arguments come lane by lane.
#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

template <class T> const Storage<T>* lanesOf(const void* arg) { return static_cast<const Storage<T>*>(arg); }
template <class T> void put(void* result, unsigned lane, double x) {
  static_cast<Storage<T>*>(result)[lane] = store<T>(T(x));
}

template <class T, unsigned n> double dotAt(const void* const* x, const void* const* y, unsigned lane) {
  double sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += static_cast<double>(lanesOf<T>(x[i])[lane]) * static_cast<double>(lanesOf<T>(y[i])[lane]);
  return sum;
}

// Scaled by a power of two, so that squares of large and small doubles stay in range.
template <class T, unsigned n> double lengthOf(const double (&parts)[n]) {
  double sum = 0;
  if constexpr (!std::is_same_v<T, double>) {
    for (double p : parts) sum += p * p;
    return std::sqrt(sum);
  }
  double greatest = 0;
  for (double p : parts) {
    if (std::isinf(p)) return INFINITY;
    if (std::isnan(p)) return p;
    greatest = std::fmax(greatest, std::fabs(p));
  }
  if (greatest == 0) return 0;
  const int exponent = std::ilogb(greatest);
  for (double p : parts) sum += std::scalbn(p, -exponent) * std::scalbn(p, -exponent);
  return std::scalbn(std::sqrt(sum), exponent);
}

template <class T, unsigned n> struct Geometry {
  static void dot(void* const* results, const void* const* args) {
    for (unsigned l = 0; l < warpLanes; ++l) put<T>(results[0], l, dotAt<T, n>(args, args + n, l));
  }
  static double lengthAt(const void* const* x, unsigned lane) {
    double parts[n];
    for (unsigned i = 0; i < n; ++i) parts[i] = static_cast<double>(lanesOf<T>(x[i])[lane]);
    return lengthOf<T>(parts);
  }
  static void length(void* const* results, const void* const* args) {
    for (unsigned l = 0; l < warpLanes; ++l) put<T>(results[0], l, lengthAt(args, l));
  }
  static void distance(void* const* results, const void* const* args) {
    for (unsigned l = 0; l < warpLanes; ++l) {
      double parts[n];
      for (unsigned i = 0; i < n; ++i)
        parts[i] =
            static_cast<double>(lanesOf<T>(args[i])[l]) - static_cast<double>(lanesOf<T>(args[n + i])[l]);
      put<T>(results[0], l, lengthOf<T>(parts));
    }
  }
  static void normalize(void* const* results, const void* const* args) {
    for (unsigned l = 0; l < warpLanes; ++l) {
      const double size = lengthAt(args, l);
      for (unsigned i = 0; i < n; ++i) {
        const double x = static_cast<double>(lanesOf<T>(args[i])[l]);
        // OpenCL: a zero vector stays, and infinite lanes become 1 while finite ones become 0.
        if (size == 0)
          put<T>(results[i], l, x);
        else if (std::isinf(size))
          put<T>(results[i], l, std::copysign(std::isinf(x) ? lengthOne(args, l) : 0.0, x));
        else
          put<T>(results[i], l, x / size);
      }
    }
  }
  static double lengthOne(const void* const* args, unsigned lane) {
    unsigned infinite = 0;
    for (unsigned i = 0; i < n; ++i) infinite += std::isinf(static_cast<double>(lanesOf<T>(args[i])[lane]));
    return 1 / std::sqrt(static_cast<double>(infinite));
  }
  static void cross(void* const* results, const void* const* args) {
    for (unsigned l = 0; l < warpLanes; ++l) {
      double x[n], y[n];
      for (unsigned i = 0; i < n; ++i) {
        x[i] = static_cast<double>(lanesOf<T>(args[i])[l]);
        y[i] = static_cast<double>(lanesOf<T>(args[n + i])[l]);
      }
      for (unsigned i = 0; i < 3; ++i) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        put<T>(results[i], l, x[j] * y[k] - x[k] * y[j]);
      }
      if (n > 3) put<T>(results[3], l, 0);
    }
  }
};

template <class T, unsigned n> void addGeometry(PureTable& table) {
  using G = Geometry<T, n>;
  const std::vector<Scalar> one(n, scalarOf<T>()), two(n * 2, scalarOf<T>());
  const std::vector<Scalar> scalar(1, scalarOf<T>());
  table.addFunction(keyOf("dot", two, scalar), &G::dot);
  for (std::string prefix : {"", "fast_"}) {
    table.addFunction(keyOf(prefix + "length", one, scalar), &G::length);
    table.addFunction(keyOf(prefix + "distance", two, scalar), &G::distance);
    table.addFunction(keyOf(prefix + "normalize", one, one), &G::normalize);
  }
  if constexpr (n >= 3) table.addFunction(keyOf("cross", two, one), &G::cross);
}

// The sign bits of a vector's lanes.
template <class T, unsigned n, bool all> void signs(void* const* results, const void* const* args) {
  auto* out = static_cast<int32_t*>(results[0]);
  for (unsigned l = 0; l < warpLanes; ++l) {
    unsigned count = 0;
    for (unsigned i = 0; i < n; ++i) count += load<T>(lanesOf<T>(args[i])[l]) < 0;
    out[l] = all ? count == n : count > 0;
  }
}
template <class T, unsigned n> void addSigns(PureTable& table) {
  const std::vector<Scalar> args(n, scalarOf<T>());
  const std::array<Scalar, 1> result{Scalar::I32};
  table.addFunction(keyOf("any", args, result), &signs<T, n, false>);
  table.addFunction(keyOf("all", args, result), &signs<T, n, true>);
}

// As cuComplex.h computes them, operation by operation.
template <class T> void addComplex(PureTable& table) {
  using Two = std::tuple<T, T>;
  table.add<T(T, T)>("complex_real", [](T x, T) { return x; });
  table.add<T(T, T)>("complex_imag", [](T, T y) { return y; });
  table.add<T(T, T)>("complex_abs", [](T x, T y) {
    const T a = std::fabs(x), b = std::fabs(y), large = a > b ? a : b, small = a > b ? b : a;
    const T ratio = small / large;
    constexpr T most = std::numeric_limits<T>::max();
    return large == 0 || large > most || small > most ? large + small
                                                      : large * std::sqrt(T(1) + ratio * ratio);
  });
  table.add<Two(T, T, T, T)>("complex_add", [](T a, T b, T c, T d) { return Two(a + c, b + d); });
  table.add<Two(T, T, T, T)>("complex_sub", [](T a, T b, T c, T d) { return Two(a - c, b - d); });
  table.add<Two(T, T, T, T)>("complex_mul",
                             [](T a, T b, T c, T d) { return Two(a * c - b * d, a * d + b * c); });
  table.add<Two(T, T, T, T)>("complex_div", [](T a, T b, T c, T d) {
    const T scale = std::fabs(c) + std::fabs(d), over = T(1) / scale;
    const T as = a * over, bs = b * over, cs = c * over, ds = d * over;
    const T size = T(1) / (cs * cs + ds * ds);
    return Two((as * cs + bs * ds) * size, (bs * cs - as * ds) * size);
  });
  table.add<Two(T, T, T, T, T, T)>("complex_fma", [](T a, T b, T c, T d, T e, T f) {
    const T real = a * c + e, imaginary = a * d + f;
    return Two(-(b * d) + real, b * c + imaginary);
  });
  table.add<Two(T, T)>("complex_conj", [](T a, T b) { return Two(a, -b); });
  table.add<Two(T, T)>("complex_make", [](T a, T b) { return Two(a, b); });
}

}  // namespace

void addVector(PureTable& table) {
  forTypes<float, double, Half>([&](auto tag) {
    using T = typename decltype(tag)::type;
    addGeometry<T, 1>(table);
    addGeometry<T, 2>(table);
    addGeometry<T, 3>(table);
    addGeometry<T, 4>(table);
  });
  forTypes<int8_t, int16_t, int32_t, int64_t>([&](auto tag) {
    using T = typename decltype(tag)::type;
    addSigns<T, 1>(table);
    addSigns<T, 2>(table);
    addSigns<T, 3>(table);
    addSigns<T, 4>(table);
    addSigns<T, 8>(table);
    addSigns<T, 16>(table);
  });
  addComplex<float>(table);
  addComplex<double>(table);
  table.add<std::tuple<double, double>(float, float)>(
      "complex_convert", [](float a, float b) { return std::tuple<double, double>(a, b); });
  table.add<std::tuple<float, float>(double, double)>("complex_convert", [](double a, double b) {
    return std::tuple<float, float>(static_cast<float>(a), static_cast<float>(b));
  });
}

}  // namespace hone::sim::math
