// Functions of the platforms that hone knows: one entry per meaning, with its names in each language.
// docs/intrinsics.md tells how to add one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/Kernel.h"

namespace hone::ir {

enum class IntrinsicClass : uint8_t {
  Math,         // pure arithmetic: sqrt, fma, min, popcount, mul24, rsqrt, native_sin
  Bits,         // reinterpretation and bit tricks: float_as_int, byte_perm, as_float
  Convert,      // conversions with rounding or saturation: __float2int_rz, convert_uchar_sat
  Load,         // reads memory: ldg, vload, tex fetches, __ldcg
  Store,        // writes memory: vstore, __stcs
  Atomic,       // read-modify-write of memory
  Exchange,     // lanes exchange values: shuffles, votes, match, reduce, ballot; the sync of a group
  BarrierVote,  // __syncthreads_count, _and, _or
  Query,        // depends on the thread or machine: lane id, activemask, clock, group ranks
  Group,        // makes or asks a cooperative group handle
  Control       // __trap, __nanosleep, __brkpt
};

// What an atomic does to its place.
enum class AtomicKind : uint8_t {
  None,
  Add,
  Sub,
  Increment,  // by one
  Decrement,
  IncrementWrapping,  // to 0 behind the operand
  DecrementWrapping,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  CompareExchange,         // gives the old value
  CompareExchangeInPlace,  // stores the old value where the expected one was, and gives whether they agreed
  Load,
  Store,
  TestAndSet,  // of a flag
  Clear
};
enum class AtomicScope : uint8_t { Device, Block, System };

// What a load or store with a name of its own says about caches. None: it says nothing.
enum class CacheHint : uint8_t { None, Normal, Streaming, L2Only, ReadOnly, Volatile };

enum class Rounding : uint8_t { Nearest, Zero, Up, Down };
// What OpenCL's vector loads and stores find in memory. Of padded halves three stand as four.
enum class Elements : uint8_t { AsTyped, Halves, PaddedHalves };
struct VectorAccess {
  unsigned lanes = 0;  // 0: no such access
  Elements elements = Elements::AsTyped;
  Rounding rounding = Rounding::Nearest;  // to halves
  unsigned stride() const { return lanes == 3 && elements == Elements::PaddedHalves ? 4 : lanes; }
};

enum class TextureKind : uint8_t { NoTexture, Sample, Fetch, SurfaceRead, SurfaceWrite };
struct TextureAccess {
  TextureKind kind = TextureKind::NoTexture;
  unsigned dimensions = 0;  // 0: of a cube
  bool isLayered = false;
};

// The threads among which values are exchanged, or of which a query tells.
enum class Participants : uint8_t {
  None,
  Mask,    // lanes named by the first argument
  Active,  // lanes that happen to be there
  SubGroup,
  GroupHandle,  // a cooperative group, the first argument
  WorkGroup,
  Cluster
};

// What is known of an intrinsic beside its class: passes and analyses ask here, not the letters of its id.
struct IntrinsicTraits {
  AtomicKind atomic = AtomicKind::None;
  AtomicScope scope = AtomicScope::Device;
  CacheHint hint = CacheHint::None;
  VectorAccess vector = {};
  TextureAccess texture = {};
  Participants over = Participants::None;
  bool isShuffle = false;
  bool isPipeline = false;  // asynchronous copies of <cuda_pipeline_primitives.h>
  bool isClock = false;
  bool testsSpace = false;       // whether a pointer points to one
  bool convertsAddress = false;  // between an address space and generic pointers
  bool needsOpenCL2 = false;
  bool wantsPositive = false;   // gives numbers for positive operands, not for all others
  bool assumesNumbers = false;  // gives anything for NaN

  bool isAtomicSwap() const {
    return atomic == AtomicKind::Exchange || atomic == AtomicKind::CompareExchange ||
           atomic == AtomicKind::CompareExchangeInPlace;
  }
  bool isAtomicExtreme() const { return atomic == AtomicKind::Min || atomic == AtomicKind::Max; }
};

// One name of an intrinsic in one language and, where it is known, the signature that goes with the name. The
// codes of `params` and `result` are those of IntrinsicTable.h.
struct IntrinsicName {
  std::string_view name;  // "as_$" and "convert_$_rte": $ stands for the OpenCL name of the result type
  std::string_view set;   // codes of the types T ranges over; empty when the signature has no T
  std::string_view params, result;
  bool hasSignature = false;  // false: a template, or overloads no signature here describes
  bool emitOnly = false;      // written, never looked up: the name means this entry and another too
  unsigned minArgs = 0, maxArgs = 0;
  bool isOverloaded = true;
  // Arguments convert to the parameter types by themselves: the language has one function of this name.
  bool isFixed() const { return !isOverloaded; }
};

struct Intrinsic {
  std::string_view id;  // canonical: "sqrt", "atomic_add", "shfl_down_sync"
  IntrinsicClass cls = IntrinsicClass::Math;
  IntrinsicTraits traits;
  // Names in each language, in the order of preference; a name ending in 'f' for float beside its double twin
  // is listed under cudaFloat. Empty: the language has no such function.
  std::string_view cuda;       // double or type-generic name
  std::string_view cudaFloat;  // name for float operands when it differs ("sqrtf")
  std::string_view opencl;
  unsigned minArgs = 0, maxArgs = 0;
  std::vector<IntrinsicName> cudaNames, openclNames;

  // No effect: may stand inside an expression and be moved or repeated within one iteration. Loads count as
  // pure here.
  bool isPure() const {
    return !writesArguments &&
           (cls == IntrinsicClass::Math || cls == IntrinsicClass::Bits || cls == IntrinsicClass::Convert ||
            cls == IntrinsicClass::Load || cls == IntrinsicClass::Group || isPureQuery);
  }
  bool isPureQuery = false;
  bool writesArguments = false;  // has results behind pointers: sincos, frexp, modf, remquo
  bool writesMemory() const {
    return writesArguments || cls == IntrinsicClass::Store || cls == IntrinsicClass::Atomic;
  }
  bool synchronizes() const { return cls == IntrinsicClass::Exchange || cls == IntrinsicClass::BarrierVote; }
  // OpenCL's as_ and convert_, whose names hold the type of the result.
  bool isNamedByResult() const { return opencl.find('$') != std::string_view::npos; }
  const std::vector<IntrinsicName>& names(Language language) const {
    return language == Language::Cuda ? cudaNames : openclNames;
  }
};

// By the name used in a language (`std::`, `::` and `__builtin_` prefixes may stand before it), null when
// unknown. A name that means different things for different operands (CUDA's min of integers and of floats)
// gives the first; pass the types of the arguments where they are known.
const Intrinsic* findIntrinsic(Language language, std::string_view name);
const Intrinsic* findIntrinsic(Language language, std::string_view name, std::span<const TypePtr> args);
// By canonical id; asserts that it exists.
const Intrinsic& intrinsic(std::string_view id);
const Intrinsic* findIntrinsicById(std::string_view id);  // null when there is none
// The name to write for a call of it with this first-operand type, "" when the language has none.
std::string nameFor(const Intrinsic& fn, Language language, const Type& operand);
// The same by the types of all arguments and of the result (null: void or not known), which as_ and convert_
// depend on.
std::string nameFor(const Intrinsic& fn, Language language, std::span<const TypePtr> args,
                    const TypePtr& result);
std::span<const Intrinsic> allIntrinsics();

// What a call means in a language once its name is chosen.
struct IntrinsicSignature {
  const IntrinsicName* name = nullptr;
  std::vector<TypePtr> params;  // a pointer parameter has the space of the argument
  TypePtr result;               // may differ from the call's type: OpenCL's popcount gives uint, CUDA's int
};
// The signature that fits the arguments and result best: exact types first, else the one these arguments
// convert to with this result. An importer converts arguments to `params`; an emitter casts where `result` is
// not the call's type. `name` is null when nothing fits or the entry has no signature for it.
IntrinsicSignature signatureFor(const Intrinsic& fn, Language language, std::span<const TypePtr> args,
                                const TypePtr& result);

}  // namespace hone::ir
