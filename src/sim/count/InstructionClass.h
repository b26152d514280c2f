// What kind of work an instruction of the byte code is.
#pragma once

#include "sim/bytecode/Program.h"
#include "target/Target.h"

namespace hone::sim {

enum class InstructionClass : uint8_t {
  Fp32,
  Fp64,
  Integer,
  Special,
  Move,
  Control,
  Global,
  Shared,
  Local,
  Exchange,
  Barrier
};
inline constexpr unsigned instructionClasses = 11;
const char* str(InstructionClass cls);  // "32-bit float", …: the names in reports

// Loads and stores through generic pointers count as global.
InstructionClass classOf(const Program& program, uint32_t pc);

// Machine instructions that each instruction of the program stands for, roughly: 0 for what costs nothing at
// run time, what a compiler moves out of loops and products that it fuses with the sum they go into; many for
// divisions and library functions.
std::vector<double> machineInstructions(const Program& program, const target::Target& target);

// Iterations of a loop, by the pc of its LoopBack, whose loads a compiler starts together: 1 where they
// cannot be counted or an iteration stores what the next may load. Other instructions have 1.
std::vector<double> iterationsTogether(const Program& program, const target::Target& target);

}  // namespace hone::sim
