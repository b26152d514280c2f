// Byte code as the run loop takes it: a step for each instruction, at the same place. A step may do the work
// of the instructions after it too, where what lies between them is used by nobody else.
#pragma once

#include "sim/bytecode/Program.h"

namespace hone::sim {

// What a step does beyond the operations of Program.h has numbers after theirs: an operation with a constant,
// a comparison that a branch asks for, and two operations of which the second takes the result of the first.
enum class StepType : uint8_t { I32, I64, F32, F64 };
// Subtract and SubtractFrom: the result of the first operation is on the left, and on the right.
enum class Part : uint8_t { Add, Multiply, Subtract, SubtractFrom, And, Or, Xor, ShiftLeft, ShiftRight, Not };
inline constexpr unsigned partKinds = 10, floatParts = 4;

enum class Comparison32 : uint8_t { Eq32, Ne32, LtI32, LtU32, LeI32, LeU32, EqF32, NeF32, LtF32, LeF32 };
inline constexpr unsigned comparisonKinds = 10;

inline constexpr uint16_t shiftLeftBy = uint16_t(Op::CheckSet) + 1;  // by imm, which is less than 32
inline constexpr uint16_t shiftRightBy = shiftLeftBy + 1, shiftRightSignedBy = shiftLeftBy + 2;
inline constexpr uint16_t rotateBy = shiftLeftBy + 3;       // to the left
inline constexpr uint16_t nextIteration = shiftLeftBy + 4;  // those that continue join, add, go to imm
inline constexpr uint16_t firstBranch = shiftLeftBy + 5;
constexpr uint16_t branchStep(Comparison32 comparison, bool isLoopTest) {
  return uint16_t(firstBranch + unsigned(comparison) * 2 + isLoopTest);
}
inline constexpr uint16_t firstPair = firstBranch + comparisonKinds * 2;
constexpr uint16_t pairStep(StepType type, Part first, Part second) {
  return uint16_t(firstPair + (unsigned(type) * partKinds + unsigned(first)) * partKinds + unsigned(second));
}

struct Step {
  uint16_t op = 0;      // an Op, or one of the above
  uint16_t covers = 1;  // instructions
  // Where registers lie, counted in units from those of the warp: the launch's are before them.
  int16_t dst = -1, a = -1, b = -1, c = -1;
  int32_t imm = 0;
};

struct Steps {
  static constexpr unsigned mostCovered = 4;  // by one step
  static unsigned uniformUnits(const Program& program) { return (program.uniformUnits + 4) & ~1u; }
  // One instruction each; where only some lanes are active; where all are.
  std::vector<Step> single, some, all;
};

// Those of the program, whose code does not change any more.
std::shared_ptr<const Steps> stepsOf(const Program& program);

}  // namespace hone::sim
