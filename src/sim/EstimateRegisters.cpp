#include "sim/EstimateRegisters.h"

#include <algorithm>
#include <map>

namespace hone::sim {

namespace {

struct Span {
  uint32_t first = UINT32_MAX, last = 0;
};

bool isWarpRegister(Reg r) { return r != noReg && !(r & uniformBank); }

// Calls f for each register an instruction names. The fields of memory instructions that are no registers are left out.
template <class F>
void forEachRegister(const Program& program, const Instr& i, F&& f) {
  const bool isMemory = i.op == Op::Load || i.op == Op::Store || i.op == Op::Atomic || i.op == Op::Lea;
  for (Reg r : {i.dst, i.a}) f(r);
  if (!isMemory || i.index != IndexKind::None) f(i.b);
  if (!isMemory) f(i.c);
  const bool isCall = i.op == Op::CallPure || i.op == Op::Exchange || i.op == Op::CallMachine;
  if (isCall && i.imm >= 0 && static_cast<size_t>(i.imm) < program.calls.size()) {
    for (Reg r : program.calls[static_cast<size_t>(i.imm)].args) f(r);
    for (Reg r : program.calls[static_cast<size_t>(i.imm)].results) f(r);
  }
}

constexpr unsigned always = 6;  // stack pointer, addresses under way and the like

}  // namespace

unsigned estimateRegisters(const Program& program) {
  std::map<Reg, Span> spans;
  const uint32_t size = static_cast<uint32_t>(program.code.size());
  for (uint32_t pc = 0; pc < size; ++pc)
    forEachRegister(program, program.code[pc], [&](Reg r) {
      if (!isWarpRegister(r)) return;
      Span& span = spans[r];
      span.first = std::min(span.first, pc);
      span.last = std::max(span.last, pc);
    });
  // A value from before a loop that is used in it is alive to the loop's end.
  std::vector<std::pair<uint32_t, uint32_t>> loops;
  std::vector<uint32_t> open;
  for (uint32_t pc = 0; pc < size; ++pc) {
    if (program.code[pc].op == Op::Loop) open.push_back(pc);
    if (program.code[pc].op == Op::LoopEnd && !open.empty()) {
      loops.emplace_back(open.back(), pc);
      open.pop_back();
    }
  }
  for (const auto& [begin, end] : loops)
    for (auto& [r, span] : spans)
      if (span.first < begin && span.last > begin) span.last = std::max(span.last, end);

  std::vector<int> change(size + 2, 0);
  for (const auto& [r, span] : spans) {
    if (span.last == span.first) continue;
    ++change[span.first];
    --change[span.last];
  }
  int alive = 0, most = 0;
  for (uint32_t pc = 0; pc < size; ++pc) {
    alive += change[pc];
    most = std::max(most, alive);
  }
  const unsigned estimate = (static_cast<unsigned>(most) + always + 7) / 8 * 8;
  return std::clamp(estimate, 16u, 255u);
}

}  // namespace hone::sim
