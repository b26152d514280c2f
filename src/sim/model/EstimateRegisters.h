// How many registers a compiler would give a thread, from the values that are alive together.
#pragma once

#include "sim/bytecode/Program.h"
#include "target/Target.h"

namespace hone::sim {

// Between 16 and 255, in steps of 8 as registers are handed out. An estimate: a real compiler keeps some
// values in uniform registers and computes others again.
unsigned estimateRegisters(const Program& program, const target::Target& target);

}  // namespace hone::sim
