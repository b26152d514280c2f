// Functions without effects, lane by lane: the math, bit and conversion intrinsics by canonical id.
#pragma once

#include <span>
#include <string_view>

#include "sim/bytecode/Program.h"

namespace hone::sim {

// Computes all 32 lanes of each result from all 32 lanes of each argument, laid out as registers are (Scalar
// in Program.h). Lanes outside the mask hold any bits: no input may trap. Results never overlap arguments.
using PureFunction = void (*)(void* const* results, const void* const* args);

// The function for scalar operands of these types, null when there is none. Functions whose vectors are more
// than lanes side by side (dot, cross, length, normalize, …) take the lanes of each argument one after
// another; those with several results (sincos, frexp, modf, complex numbers) give them one after another, the
// returned value first.
PureFunction findPureFunction(std::string_view id, std::span<const Scalar> args,
                              std::span<const Scalar> results);

// Applied to vectors, the function works on each lane by itself and a scalar argument serves all lanes.
bool isLanewise(std::string_view id);

// OpenCL's tests of floats. The function gives 1 for true; a lane of a vector is to hold -1 instead.
bool isRelational(std::string_view id);

// OpenCL's select has two ids: "select" looks whether its third argument is zero, as for scalars,
// "select_msb" at its sign bit, as for the lanes of vectors.

// Instruction classes for counting.
enum class MathCost : uint8_t {
  Simple,   // one instruction
  Special,  // one of the special function unit
  Long      // a subroutine
};
MathCost costOf(std::string_view id, Scalar type);

}  // namespace hone::sim
