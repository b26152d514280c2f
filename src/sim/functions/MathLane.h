// How the functions of PureFunctions.h are written: a lambda over C++ types that stand for the scalars of
// registers, put into a table under an id and those types. Private to Math*.cpp and Exchange*.cpp.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "sim/functions/HalfFloat.h"
#include "sim/functions/PureFunctions.h"

namespace hone::sim::math {

struct Half {
  float value = 0;
  Half() = default;
  explicit Half(double x) : value(roundToHalf(x)) {}
  operator double() const { return value; }
};
struct BFloat {
  float value = 0;
  BFloat() = default;
  explicit BFloat(double x) : value(roundToBFloat(x)) {}
  operator double() const { return value; }
};

// The bits a narrow float has in memory, and the float of such bits.
inline uint16_t bitsOf(Half x) { return halfBits(x.value); }
inline uint16_t bitsOf(BFloat x) { return bfloatBits(x.value); }
inline uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t bitsOf(double x) { return std::bit_cast<uint64_t>(x); }
template <class T> T fromBits(uint64_t bits) {
  T out{};
  if constexpr (std::is_same_v<T, Half>)
    out.value = halfFromBits(static_cast<uint16_t>(bits));
  else if constexpr (std::is_same_v<T, BFloat>)
    out.value = bfloatFromBits(static_cast<uint16_t>(bits));
  else if constexpr (std::is_same_v<T, float>)
    out = std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    out = std::bit_cast<double>(bits);
  else
    out = static_cast<T>(bits);
  return out;
}

template <class T> inline constexpr bool isHalfLike = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;
template <class T> inline constexpr bool isFloat = isHalfLike<T> || std::is_floating_point_v<T>;
template <class T> inline constexpr unsigned widthOf = isHalfLike<T> ? 16 : sizeof(T) * 8;

template <class T> constexpr Scalar scalarOf() {
  if constexpr (std::is_same_v<T, bool>)
    return Scalar::Bool;
  else if constexpr (std::is_same_v<T, int8_t>)
    return Scalar::I8;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return Scalar::U8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return Scalar::I16;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return Scalar::U16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return Scalar::I32;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return Scalar::U32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return Scalar::I64;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return Scalar::U64;
  else if constexpr (std::is_same_v<T, Half>)
    return Scalar::F16;
  else if constexpr (std::is_same_v<T, BFloat>)
    return Scalar::BF16;
  else if constexpr (std::is_same_v<T, float>)
    return Scalar::F32;
  else
    return static_cast<void>(std::enable_if_t<std::is_same_v<T, double>>()), Scalar::F64;
}

template <class T> struct StorageOf {
  using type =
      std::conditional_t<isHalfLike<T>, float,
                         std::conditional_t<std::is_floating_point_v<T> || sizeof(T) >= 4, T,
                                            std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>>;
};
template <class T> using Storage = typename StorageOf<T>::type;

template <class T> inline T load(Storage<T> lane) {
  if constexpr (isHalfLike<T>) {
    T out;
    out.value = lane;
    return out;
  } else {
    return static_cast<T>(lane);
  }
}
template <class T> inline Storage<T> store(T value) {
  if constexpr (isHalfLike<T>)
    return value.value;
  else
    return static_cast<Storage<T>>(value);
}

std::string keyOf(std::string_view id, std::span<const Scalar> args, std::span<const Scalar> results);

template <class Fn, class R, class... A>
inline void eachLane(Storage<R>* __restrict out, const Storage<A>* __restrict... in) {
  for (unsigned l = 0; l < warpLanes; ++l) out[l] = store<R>(static_cast<R>(Fn{}(load<A>(in[l])...)));
}

template <class Fn, class Signature> struct OneResult;
template <class Fn, class R, class... A> struct OneResult<Fn, R(A...)> {
  static void run(void* const* results, const void* const* args) {
    call(results, args, std::index_sequence_for<A...>{});
  }
  template <size_t... I>
  static void call(void* const* results, const void* const* args, std::index_sequence<I...>) {
    eachLane<Fn, R, A...>(static_cast<Storage<R>*>(results[0]), static_cast<const Storage<A>*>(args[I])...);
  }
};

// The lambda returns a tuple of the results.
template <class Fn, class Results, class Args> struct SeveralResults;
template <class Fn, class... R, class... A> struct SeveralResults<Fn, std::tuple<R...>, std::tuple<A...>> {
  static void run(void* const* results, const void* const* args) {
    call(results, args, std::index_sequence_for<R...>{}, std::index_sequence_for<A...>{});
  }
  template <size_t... O, size_t... I>
  static void call(void* const* results, const void* const* args, std::index_sequence<O...>,
                   std::index_sequence<I...>) {
    for (unsigned l = 0; l < warpLanes; ++l) {
      std::tuple<R...> out = Fn{}(load<A>(static_cast<const Storage<A>*>(args[I])[l])...);
      ((static_cast<Storage<R>*>(results[O])[l] = store<R>(std::get<O>(out))), ...);
    }
  }
};

template <class Signature> struct SignatureParts;
template <class R, class... A> struct SignatureParts<R(A...)> {
  using Result = R;
  using Args = std::tuple<A...>;
};
template <class T> struct IsTuple : std::false_type {};
template <class... T> struct IsTuple<std::tuple<T...>> : std::true_type {};

template <class T> struct ScalarsOf {
  static constexpr std::array<Scalar, 1> value{scalarOf<T>()};
};
template <class... T> struct ScalarsOf<std::tuple<T...>> {
  static constexpr std::array<Scalar, sizeof...(T)> value{scalarOf<T>()...};
};

class PureTable {
 public:
  // add<float(float, int)>("ldexp", lambda): the types are those of the registers; several results are a
  // tuple.
  template <class Signature, class Fn> void add(std::string_view id, Fn) {
    using Result = typename SignatureParts<Signature>::Result;
    using Args = typename SignatureParts<Signature>::Args;
    PureFunction function = nullptr;
    if constexpr (IsTuple<Result>::value)
      function = &SeveralResults<Fn, Result, Args>::run;
    else
      function = &OneResult<Fn, Signature>::run;
    addFunction(keyOf(id, ScalarsOf<Args>::value, ScalarsOf<Result>::value), function);
  }
  void addFunction(std::string key, PureFunction function) { functions.emplace(std::move(key), function); }
  PureFunction find(const std::string& key) const {
    auto found = functions.find(key);
    return found == functions.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string, PureFunction> functions;
};

template <class T> struct TypeTag {
  using type = T;
};
template <class... T, class Body> void forTypes(Body body) { (body(TypeTag<T>{}), ...); }
template <class Body> void forFloats(Body body) { forTypes<float, double, Half, BFloat>(body); }
template <class Body> void forIntegers(Body body) {
  forTypes<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>(body);
}

// What exact operations on T are done in: narrow floats in double, the others in their own type.
template <class T> using Exact = std::conditional_t<isHalfLike<T>, double, T>;

// The halves of the table, by subject.
void addFloat(PureTable& table);           // MathFloat.cpp: min, floor, fma, tests, steps
void addTranscendental(PureTable& table);  // MathTranscendental.cpp: the C library
void addSpecial(PureTable& table);         // MathSpecial.cpp: functions the C library lacks
void addParts(PureTable& table);           // MathParts.cpp: several results, scaling
void addDirected(PureTable& table);        // MathDirected.cpp: stated rounding
void addInteger(PureTable& table);         // MathInteger.cpp
void addBits(PureTable& table);            // MathBits.cpp
void addPacked(PureTable& table);          // MathPacked.cpp
void addHalf(PureTable& table);            // MathHalf.cpp
void addVector(PureTable& table);          // MathVector.cpp: geometry, complex numbers
PureFunction findConversion(std::string_view id, Scalar from, Scalar to);  // MathConvert.cpp
PureFunction findReinterpretation(std::span<const Scalar> args,
                                  std::span<const Scalar> results);  // MathReinterpret.cpp
PureFunction findShuffle(std::string_view id, std::span<const Scalar> args,
                         std::span<const Scalar> results);  // MathReinterpret.cpp

}  // namespace hone::sim::math
