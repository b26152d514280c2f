// Single operations with a stated rounding. The rounding mode of the host is set around a warp's worth of
// them.
#include <cfenv>

#include "sim/functions/MathDirected.h"
#include "sim/functions/MathLane.h"

#pragma STDC FENV_ACCESS ON

namespace hone::sim::math {
namespace {

struct Add {
  template <class T> static T of(T x, T y) { return x + y; }
};
struct Sub {
  template <class T> static T of(T x, T y) { return x - y; }
};
struct Mul {
  template <class T> static T of(T x, T y) { return x * y; }
};
struct Div {
  template <class T> static T of(T x, T y) { return x / y; }
};
struct Fma {
  template <class T> static T of(T x, T y, T z) { return std::fma(x, y, z); }
};
struct Reciprocal {
  template <class T> static T of(T x) { return T(1) / x; }
};
struct Root {
  template <class T> static T of(T x) { return std::sqrt(x); }
};

// Out of line, so that no operation moves across the change of mode.
template <class Fn, class T, class... A> [[clang::noinline]] void lanes(T* out, const A*... in) {
  for (unsigned l = 0; l < warpLanes; ++l) out[l] = Fn::of(in[l]...);
}

template <class Fn, class T, int mode, size_t... I> void apply(void* const* results,
                                                               const void* const* args) {
  HostRounding rounding(mode);
  lanes<Fn>(static_cast<T*>(results[0]), static_cast<const T*>(args[I])...);
}

template <class Fn, class T, size_t... I>
void addModes(PureTable& table, const std::string& id, std::index_sequence<I...>) {
  const std::array<Scalar, sizeof...(I)> args{(static_cast<void>(I), scalarOf<T>())...};
  const std::array<Scalar, 1> result{scalarOf<T>()};
  table.addFunction(keyOf(id + "_rn", args, result), &apply<Fn, T, FE_TONEAREST, I...>);
  table.addFunction(keyOf(id + "_rz", args, result), &apply<Fn, T, FE_TOWARDZERO, I...>);
  table.addFunction(keyOf(id + "_ru", args, result), &apply<Fn, T, FE_UPWARD, I...>);
  table.addFunction(keyOf(id + "_rd", args, result), &apply<Fn, T, FE_DOWNWARD, I...>);
}

template <class T> void addOperations(PureTable& table) {
  addModes<Add, T>(table, "add", std::make_index_sequence<2>());
  addModes<Sub, T>(table, "sub", std::make_index_sequence<2>());
  addModes<Mul, T>(table, "mul", std::make_index_sequence<2>());
  addModes<Div, T>(table, "div", std::make_index_sequence<2>());
  addModes<Fma, T>(table, "fma", std::make_index_sequence<3>());
  addModes<Fma, T>(table, "fma_ieee", std::make_index_sequence<3>());
  addModes<Reciprocal, T>(table, "rcp", std::make_index_sequence<1>());
  addModes<Root, T>(table, "sqrt", std::make_index_sequence<1>());
}

// The narrower float nearest in the stated direction.
template <class To, class From, int mode> void narrow(void* const* results, const void* const* args) {
  HostRounding rounding(mode);
  To* out = static_cast<To*>(results[0]);
  const From* in = static_cast<const From*>(args[0]);
  for (unsigned l = 0; l < warpLanes; ++l) out[l] = static_cast<To>(in[l]);
}

template <class To, class From> PureFunction narrowing(Rounding rounding) {
  switch (rounding) {
    case Rounding::Zero: return &narrow<To, From, FE_TOWARDZERO>;
    case Rounding::Up: return &narrow<To, From, FE_UPWARD>;
    case Rounding::Down: return &narrow<To, From, FE_DOWNWARD>;
    default: return &narrow<To, From, FE_TONEAREST>;
  }
}

template <class To> PureFunction narrowingFrom(Scalar from, Rounding rounding) {
  switch (from) {
    case Scalar::I8:
    case Scalar::I16:
    case Scalar::I32: return narrowing<To, int32_t>(rounding);
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U16:
    case Scalar::U32: return narrowing<To, uint32_t>(rounding);
    case Scalar::I64: return narrowing<To, int64_t>(rounding);
    case Scalar::U64: return narrowing<To, uint64_t>(rounding);
    case Scalar::F16:
    case Scalar::BF16:
    case Scalar::F32: return narrowing<To, float>(rounding);
    case Scalar::F64: return narrowing<To, double>(rounding);
  }
  return nullptr;
}

}  // namespace

HostRounding::HostRounding(int mode) : before(std::fegetround()) { std::fesetround(mode); }
HostRounding::~HostRounding() { std::fesetround(before); }

PureFunction findDirectedToFloat(Scalar from, Rounding rounding) {
  return narrowingFrom<float>(from, rounding);
}
PureFunction findDirectedToDouble(Scalar from, Rounding rounding) {
  return narrowingFrom<double>(from, rounding);
}

void addDirected(PureTable& table) {
  addOperations<float>(table);
  addOperations<double>(table);
}

}  // namespace hone::sim::math
