// Functions of the platforms that hone knows: one entry per meaning, with its name in each language.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/Kernel.h"

namespace hone::ir {

enum class IntrinsicClass : uint8_t {
  Math,       // pure arithmetic: sqrt, fma, min, popcount, mul24, rsqrt, native_sin
  Bits,       // reinterpretation and bit tricks: float_as_int, byte_perm, as_float
  Convert,    // conversions with rounding or saturation: __float2int_rz, convert_uchar_sat
  Load,       // reads memory: ldg, vload, tex fetches, __ldcg
  Store,      // writes memory: vstore, __stcs
  Atomic,     // read-modify-write of memory
  Exchange,   // lanes exchange values: shuffles, votes, match, reduce, ballot
  BarrierVote,// __syncthreads_count, _and, _or
  Query,      // depends on the thread or machine: lane id, activemask, clock, group ranks
  Group,      // makes or asks a cooperative group handle
  Control     // __trap, __nanosleep, __brkpt
};

struct Intrinsic {
  std::string_view id;          // canonical: "sqrt", "atomic_add", "shfl_down_sync"
  IntrinsicClass cls = IntrinsicClass::Math;
  // Names in each language, in the order of preference; a name ending in 'f' for float beside its double twin is listed under
  // cudaFloat. Empty: the language has no such function.
  std::string_view cuda;        // double or type-generic name
  std::string_view cudaFloat;   // name for float operands when it differs ("sqrtf")
  std::string_view opencl;
  unsigned minArgs = 0, maxArgs = 0;

  // No effect: may stand inside an expression and be moved or repeated within one iteration. Loads count as pure here.
  bool isPure() const {
    return cls == IntrinsicClass::Math || cls == IntrinsicClass::Bits || cls == IntrinsicClass::Convert ||
           cls == IntrinsicClass::Load || cls == IntrinsicClass::Group || isPureQuery;
  }
  bool isPureQuery = false;
  bool writesMemory() const { return cls == IntrinsicClass::Store || cls == IntrinsicClass::Atomic; }
  bool synchronizes() const { return cls == IntrinsicClass::Exchange || cls == IntrinsicClass::BarrierVote; }
};

// By the name used in a language (all spellings, `std::` and `::` prefixes removed), null when unknown.
const Intrinsic* findIntrinsic(Language language, std::string_view name);
// By canonical id; asserts that it exists.
const Intrinsic& intrinsic(std::string_view id);
// The name to write for a call of it with this first-operand type, "" when the language has none.
std::string nameFor(const Intrinsic& fn, Language language, const Type& operand);
std::span<const Intrinsic> allIntrinsics();

}  // namespace hone::ir
