// The rows of the intrinsic table, by subject; private to Intrinsics*.cpp.
//
// A row's names are separated by blanks, the preferred one first. A name may carry its signature:
//   sqrtf(f)f               parameters in parentheses, then the result
//   min{iulL}(TT)T          T ranges over the types in braces; '+' among them: OpenCL vectors of them too,
//                           '<': those of up to 4, '=': CUDA vectors of 2 and 4 up to 16 bytes
//   >convert_int_rtz(f)i    written, never looked up
//   ?tex2D/3-4              no signature: only the number of arguments is known ("?name" alone: any number)
//   as_$                    $ stands for the OpenCL name of the result type
// Type codes:
//   v void  b bool  c/C i8/u8  s/S i16/u16  i/u i32/u32  l/L i64/u64  h half  f float  d double  B bfloat16
//   H half2  N bfloat162  D float2  G double2  *x pointer to x  t a handle  y any type
//   in sets: A all integers of 8 to 64 bits  F half, float and double
//   T the type bound by the set, and from it: E its scalar  I int32 with its lanes  W integer twice as wide
//   U, Z, P its unsigned integer, signed integer, float of the same width and lanes
//   R result of a comparison: int, or a vector of signed integers as wide as T's
#pragma once

#include <span>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

// The class of a row and what else is known of its functions.
struct IntrinsicKind {
  IntrinsicClass cls;
  IntrinsicTraits traits = {};
  constexpr IntrinsicKind(IntrinsicClass c) : cls(c) {}
  constexpr IntrinsicKind(IntrinsicClass c, const IntrinsicTraits& t) : cls(c), traits(t) {}
};

constexpr IntrinsicKind atomic(AtomicKind kind, AtomicScope scope = AtomicScope::Device) {
  return {IntrinsicClass::Atomic, {.atomic = kind, .scope = scope}};
}
constexpr IntrinsicKind onAtomicType(AtomicKind kind) {
  return {IntrinsicClass::Atomic, {.atomic = kind, .needsOpenCL2 = true}};
}
constexpr IntrinsicKind cached(IntrinsicClass cls, CacheHint hint) { return {cls, {.hint = hint}}; }
constexpr IntrinsicKind vector(IntrinsicClass cls, unsigned lanes, Elements elements = Elements::AsTyped,
                               Rounding rounding = Rounding::Nearest) {
  return {cls, {.vector = {lanes, elements, rounding}}};
}
constexpr IntrinsicKind texture(IntrinsicClass cls, TextureKind kind, unsigned dimensions,
                                bool isLayered = false) {
  return {cls, {.texture = {kind, dimensions, isLayered}}};
}
constexpr IntrinsicKind over(IntrinsicClass cls, Participants who) { return {cls, {.over = who}}; }
constexpr IntrinsicKind openCL2(IntrinsicClass cls, Participants who = Participants::None) {
  return {cls, {.over = who, .needsOpenCL2 = true}};
}
constexpr IntrinsicKind shuffle(Participants who) {
  return {IntrinsicClass::Exchange, {.over = who, .isShuffle = true}};
}
constexpr IntrinsicKind pipeline(IntrinsicClass cls) { return {cls, {.isPipeline = true}}; }
constexpr IntrinsicKind convertsAddress(IntrinsicClass cls) { return {cls, {.convertsAddress = true}}; }
constexpr IntrinsicKind testsSpace() { return {IntrinsicClass::Query, {.testsSpace = true}}; }
constexpr IntrinsicKind clock(Participants who = Participants::None) {
  return {IntrinsicClass::Query, {.over = who, .isClock = true}};
}
constexpr IntrinsicKind ofPositive() { return {IntrinsicClass::Math, {.wantsPositive = true}}; }
constexpr IntrinsicKind assumesNumbers() { return {IntrinsicClass::Math, {.assumesNumbers = true}}; }

struct IntrinsicRow {
  const char* id;
  IntrinsicKind kind;
  const char* cuda;
  const char* opencl = "";
  bool isPureQuery = false;
};

std::span<const IntrinsicRow> mathRows();
std::span<const IntrinsicRow> fastRows();
std::span<const IntrinsicRow> integerRows();
std::span<const IntrinsicRow> packedRows();
std::span<const IntrinsicRow> convertRows();
std::span<const IntrinsicRow> halfRows();
std::span<const IntrinsicRow> atomicRows();
std::span<const IntrinsicRow> warpRows();
std::span<const IntrinsicRow> groupRows();
std::span<const IntrinsicRow> memoryRows();
std::span<const IntrinsicRow> openclRows();
std::span<const IntrinsicRow> libraryRows();

}  // namespace hone::ir
