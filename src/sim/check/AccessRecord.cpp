#include "sim/check/AccessRecord.h"

#include <bit>

namespace hone::sim {
namespace {

bool touchesMemory(Op op) {
  return op == Op::Load || op == Op::Store || op == Op::Atomic || op == Op::CallMachine;
}

// Loops whose body neither stores nor meets others: they can only wait for someone else's write.
void markSpins(const Program& program, MemoryInstructions& m) {
  struct Open {
    size_t begin;
    bool waits = true, nested = false;
  };
  std::vector<Open> open;
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    switch (program.code[pc].op) {
      case Op::Loop:
        if (!open.empty()) open.back().nested = true;
        open.push_back({pc});
        break;
      case Op::Store:
      case Op::BlockBarrier:
      case Op::BarrierVote:
      case Op::GridSync:
      case Op::Call:
        if (!open.empty()) open.back().waits = false;
        break;
      case Op::LoopEnd: {
        if (open.empty()) break;
        Open loop = open.back();
        open.pop_back();
        if (!loop.waits && !open.empty()) open.back().waits = false;
        if (!loop.waits || loop.nested) break;
        for (size_t i = loop.begin; i < pc; ++i)
          if (program.code[i].op == Op::Load || program.code[i].op == Op::Atomic) m.spins[m.number[i]] = 1;
        break;
      }
      default: break;
    }
  }
}

unsigned bitsFor(uint64_t count) { return count <= 1 ? 1 : unsigned(std::bit_width(count - 1)); }

}  // namespace

MemoryInstructions::MemoryInstructions(const Program& program) : number(program.code.size() + 1, 0) {
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    Op op = program.code[pc].op;
    if (op == Op::Fence) hasFence = true;
    if (!touchesMemory(op)) continue;
    number[pc] = uint32_t(pcs.size());
    pcs.push_back(uint32_t(pc));
  }
  if (pcs.empty()) pcs.push_back(0);
  spins.assign(pcs.size(), 0);
  markSpins(program, *this);
}

RecordLayout::RecordLayout(uint32_t threads, size_t instructions, uint64_t blocks) {
  unsigned threadBits = std::max(laneBits, bitsFor(threads));
  instructionShift = threadShift + threadBits;
  blockShift = instructionShift + bitsFor(instructions);
  clockShift = blockShift + (blocks == 0 ? 0 : bitsFor(blocks));
  threadMask = ((Record(1) << threadBits) - 1) << threadShift;
  warpMask = threadMask & ~(((Record(1) << laneBits) - 1) << threadShift);
  blockMask = (Record(1) << clockShift) - (Record(1) << blockShift);
  identMask = blockMask | threadMask;
  warpIdentMask = blockMask | warpMask;
  lastClock = (uint64_t(1) << (64 - clockShift)) - 1;
}

}  // namespace hone::sim
