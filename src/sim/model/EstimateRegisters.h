// How many registers a compiler would give a thread, from the values that are alive together.
#pragma once

#include "sim/bytecode/Program.h"
#include "target/Target.h"

namespace hone::sim {

// As many as the values of a thread need, in steps of 8 as registers are handed out; more than a thread can
// have where some must live in memory. An estimate: a real compiler keeps some values in uniform registers
// and computes others again.
unsigned registersWanted(const Program& program, const target::Target& target);
// The same, as far as a thread can have them: between 16 and 255.
unsigned estimateRegisters(const Program& program, const target::Target& target);

}  // namespace hone::sim
