// Calls of subroutines: each lane has a stack of its own, so that lanes may be in calls of different depth.
#include <fmt/format.h>

#include "sim/execute/Executor.h"

namespace hone::sim {

namespace {

uint32_t bytesOfFrame(const Subroutine& called) { return called.localBytes + leastFrameBytes; }

}  // namespace

bool Executor::enterSubroutine(BlockRun& b, Warp& w, uint32_t pc, uint32_t mask) {
  const SubroutineCall& call = program.subroutineCalls[size_t(program.code[pc].imm2)];
  const Subroutine& called = program.subroutines[call.subroutine];
  CallStacks& stacks = *w.stacks;
  uint32_t full = 0;
  for (unsigned l = 0; l < warpLanes; ++l)
    full |= uint32_t(stacks.top[l] + bytesOfFrame(called) > program.stackBase + stackBytes) << l;
  if (full &= mask) {
    fault(FindingKind::StackOverflow, b, w, pc, full,
          fmt::format("calls of '{}' are nested deeper than the stack of a thread holds, {} KiB here: does "
                      "the recursion end?",
                      called.name, stackBytes >> 10));
    launch.stop = true;
    return false;
  }
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    std::vector<uint32_t>& to = stacks.saved[l];
    for (Reg r : call.narrow) to.push_back(reg<uint32_t>(w, r)[l]);
    for (Reg r : call.wide) {
      const uint64_t value = reg<uint64_t>(w, r)[l];
      to.push_back(uint32_t(value));
      to.push_back(uint32_t(value >> 32));
    }
    for (uint32_t v = 0; v < call.variables; ++v) to.push_back((w.unset[call.firstVariable + v] >> l) & 1);
    to.push_back(stacks.base[l]);
    stacks.base[l] = stacks.top[l];
    stacks.top[l] += bytesOfFrame(called);
  }
  return true;
}

void Executor::leaveSubroutine(Warp& w, const SubroutineCall& call, uint32_t mask) {
  CallStacks& stacks = *w.stacks;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    std::vector<uint32_t>& from = stacks.saved[l];
    const auto take = [&] {
      const uint32_t word = from.back();
      from.pop_back();
      return word;
    };
    stacks.top[l] = stacks.base[l];
    stacks.base[l] = take();
    for (uint32_t v = call.variables; v-- > 0;) {
      uint32_t& unset = w.unset[call.firstVariable + v];
      unset = (unset & ~(1u << l)) | take() << l;
    }
    for (size_t k = call.wide.size(); k-- > 0;) {
      const uint64_t high = take();
      reg<uint64_t>(w, call.wide[k])[l] = high << 32 | take();
    }
    for (size_t k = call.narrow.size(); k-- > 0;) reg<uint32_t>(w, call.narrow[k])[l] = take();
  }
}

}  // namespace hone::sim
