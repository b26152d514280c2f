// Integers as C computes them, with the widths and signs of their types and nothing that the host's machine
// decides.
//
// A value is kept as the bits of its type, sign- or zero-extended to 64 bits: of uint64 the large half is
// negative here.
#pragma once

#include <functional>
#include <optional>

#include "ir/Expr.h"

namespace hone::ir {

// The value as its type holds it: its low bits; of bool whether it is not 0.
int64_t wrapped(uint64_t bits, const Type& type);
// Whether the type holds the value as it is.
bool fits(int64_t value, const Type& type);

// What machines make of NaN as an integer, where C says nothing. PTX ISA 9.0, cvt: "In float-to-integer
// conversions, depending upon conversion types, NaN input results in following value: Zero if source is not
// .f64 and destination is not .s64, .u64. Otherwise 1 << (BitWidth(dst) - 1)". Half is computed as float.
template <class To, class From> constexpr To integerOfNan() {
  if constexpr (sizeof(To) < 8 && sizeof(From) < 8)
    return 0;
  else
    return static_cast<To>(uint64_t{1} << (8 * sizeof(To) - 1));
}

// A number with its fraction cut off; nothing where the type does not hold it. Nothing for NaN either: what
// becomes of it hangs on the type that it comes from, too, and is left to the machine.
std::optional<int64_t> integerOf(double value, const Type& type);

// a op b in whole numbers, where 64 bits with a sign hold it. Nothing for a division by 0 and for shifts by
// less than 0 or more than 63; divisions cut towards zero.
std::optional<int64_t> exactly(BinaryOp op, int64_t a, int64_t b);

// What signed arithmetic gives that leaves its type: C says nothing, machines wrap.
enum class Overflow : uint8_t { Unknown, Wraps };

// a op b for operands of one type, arithmetic and comparisons (not && and ||); the type of b of a shift may
// be another one. Nothing for a division by 0, the smallest number divided by -1, and shifts that are not
// within the type.
std::optional<int64_t> integerResult(BinaryOp op, int64_t a, int64_t b, const Type& operand,
                                     const Type& result, Overflow overflow = Overflow::Unknown);
std::optional<int64_t> integerResult(UnaryOp op, int64_t a, const Type& operand, const Type& result,
                                     Overflow overflow = Overflow::Unknown);

// The value of an expression whose variables and coordinates have known ones. `known` is asked about each
// node first, and where it has nothing to say the node's operands decide. Nothing where something stays
// unknown.
using KnownIntegers = std::function<std::optional<int64_t>(const ExprPtr&)>;
std::optional<int64_t> integerValue(const ExprPtr& e, const KnownIntegers& known);

}  // namespace hone::ir
