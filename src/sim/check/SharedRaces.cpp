#include "sim/check/CheckShadowCells.h"

namespace hone::sim {
namespace {

struct SharedPlace {
  ShadowCells& all;
  const uint8_t* memory;
  void select(unsigned, uint64_t) {}
  bool sameStretch(unsigned, unsigned) const { return true; }
  bool selectPiece(Buffer*, uint64_t, unsigned) { return true; }
  static unsigned lineOffset(uint64_t address) {
    return unsigned(address) & (ShadowCells::lineWords * 4 - 1);
  }
  static bool holds(uint64_t, unsigned) { return true; }
  ShadowCells& cells() { return all; }
  uint32_t word(uint64_t address) const { return uint32_t(address >> 2); }
  const uint8_t* host(unsigned, uint64_t address) const { return memory ? memory + address : nullptr; }
};

template <AccessKind kind>
void check(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access, AccessPattern pattern,
           const uint8_t* memory) {
  SharedPlace place{*block.cells, memory};
  CellCheck<false, kind, SharedPlace>(shadow, block, block.layout, access, block.clockBase + block.clock,
                                      block.clockBase + block.sharedEpoch, place)
      .run(pattern);
}

template <AccessKind kind>
bool checkRegularShared(Shadow::State& shadow, BlockShadow::State& block, const RegularAccess& regular) {
  SharedPlace place{*block.cells, nullptr};
  WarpAccess access;
  access.pc = regular.pc;
  access.kind = kind;
  access.place = regular.place;
  return CellCheck<false, kind, SharedPlace>(shadow, block, block.layout, access,
                                             block.clockBase + block.clock,
                                             block.clockBase + block.sharedEpoch, place)
      .runRegular(regular);
}

}  // namespace

bool checkSharedRegular(Shadow::State& shadow, BlockShadow::State& block, const RegularAccess& access) {
  return access.kind == AccessKind::Load ? checkRegularShared<AccessKind::Load>(shadow, block, access)
                                         : checkRegularShared<AccessKind::Store>(shadow, block, access);
}

void checkShared(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
                 AccessPattern pattern, const uint8_t* memory) {
  switch (access.kind) {
    case AccessKind::Load: check<AccessKind::Load>(shadow, block, access, pattern, memory); break;
    case AccessKind::Store: check<AccessKind::Store>(shadow, block, access, pattern, memory); break;
    case AccessKind::Atomic: check<AccessKind::Atomic>(shadow, block, access, pattern, memory); break;
  }
}

}  // namespace hone::sim
