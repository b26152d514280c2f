// What one instruction of the byte code is for the machine, seen by itself.
#pragma once

#include <optional>

#include "sim/bytecode/Program.h"
#include "target/Target.h"

namespace hone::sim {

double ownInstructions(const Program& program, uint32_t pc, const target::InstructionCounts& counts);

// The quotient that a remainder comes from, and the other way round; nothing for other instructions.
std::optional<Op> quotientOf(Op op);
std::optional<Op> remainderOf(Op op);
inline bool isDivision(Op op) { return quotientOf(op) || remainderOf(op); }
// Dividing by what is known: shifts for powers of two, else a product of which the upper half counts.
double divisionBy(int64_t divisor, Op op, const target::InstructionCounts& counts);

}  // namespace hone::sim
