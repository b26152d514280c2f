#include <cstring>

#include <fmt/format.h>

#include "sim/check/ShadowState.h"

namespace hone::sim {
namespace {

bool equalBytes(const uint8_t* memory, const uint8_t* data, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i)
    if (__atomic_load_n(memory + i, __ATOMIC_RELAXED) != data[i]) return false;
  return true;
}

bool overlap(const WarpAccess& access, unsigned lane, const Meeting& m) {
  uint64_t begin = access.address[lane], end = begin + access.bytes;
  return begin < m.address + m.bytes && m.address < end;
}

// Another lane of this very instruction stored there.
bool sameInstruction(const RecordLayout& layout, const Meeting& m, unsigned theirLane) {
  return m.access.kind == AccessKind::Store && m.theirsWrote &&
         layout.instruction(m.mine) == layout.instruction(m.theirs) &&
         layout.clock(m.mine) == layout.clock(m.theirs) && theirLane < m.lane &&
         (m.access.mask >> theirLane & 1) && overlap(m.access, theirLane, m);
}

bool isFlag(Record r) { return (r & (atomicFlag | volatileFlag)) != 0; }

struct Verdict {
  FindingKind kind;
  FindingClass cls;
  bool found = false;
};

Verdict decide(Shadow::State& shadow, BlockShadow::State& block, const RecordLayout& layout,
               const Meeting& m) {
  const WarpAccess& access = m.access;
  bool global = access.space == MemorySpace::Global;
  uint32_t theirThread = layout.thread(m.theirs), theirWarp = theirThread / warpLanes;
  unsigned theirLane = theirThread % warpLanes;
  bool sameBlock = !global || layout.block(m.theirs) == access.place.block;
  bool sameWarp = sameBlock && theirWarp == access.place.warp;
  uint64_t theirClock = layout.clock(m.theirs) - (global ? 0 : block.clockBase);
  bool bothFlags = isFlag(m.mine) && isFlag(m.theirs);
  const std::vector<uint8_t>& waits = shadow.instructions.spins;
  bool spins = waits[layout.instruction(m.mine)] || waits[layout.instruction(m.theirs)];

  if (!sameBlock) shadow.blockConflict.store(true, std::memory_order_relaxed);

  const uint8_t* data =
      access.data ? access.data + size_t(m.lane) * access.bytes + (m.address - access.address[m.lane])
                  : nullptr;
  bool stores = access.kind == AccessKind::Store && data;

  if (sameWarp && sameInstruction(layout, m, theirLane)) {
    bool same = stores;
    for (uint32_t i = 0; same && i < m.bytes; ++i) {
      uint64_t at = m.address + i, theirs = access.address[theirLane];
      if (at < theirs || at >= theirs + access.bytes) continue;
      same = data[i] == access.data[size_t(theirLane) * access.bytes + (at - theirs)];
    }
    return {FindingKind::Race, same ? FindingClass::SameValue : FindingClass::Race, true};
  }
  if (sameWarp) {
    if (!shadow.options.warpRaces) return {};
    if (block.warpOrder[theirWarp].ordered(theirLane, m.lane, theirClock)) return {};
    if (bothFlags && (((m.mine | m.theirs) & atomicFlag) || spins)) return {};
  } else if (bothFlags) {
    // Volatile accesses of one word are a flag where someone waits for it or a fence goes with it; else they
    // order nothing.
    if ((m.mine | m.theirs) & atomicFlag) return {};
    if (shadow.instructions.hasFence || spins) return {};
  }
  if (block.anySeen &&
      shadow.sync.ordered(syncPlace(access, m.address),
                          sameBlock ? access.place.block : layout.block(m.theirs), theirThread, theirClock,
                          sameBlock, &block.warpSeen[access.place.warp], &block.blockSeen))
    return {};
  bool same = stores && m.memory && equalBytes(m.memory, data, m.bytes);
  const bool hasWarpBarriers = !shadow.program.isOpenCL && !shadow.program.isOpenAcc;
  FindingKind kind = sameWarp && hasWarpBarriers ? FindingKind::MissingWarpSync : FindingKind::Race;
  return {kind, same ? FindingClass::SameValue : FindingClass::Race, true};
}

const char* deed(bool writes, bool atomic) {
  return atomic ? "updated atomically" : writes ? "written" : "read";
}

std::string explain(const Program& program, const Verdict& v, const Findings::Side& mine,
                    const Findings::Side& theirs, bool betweenBlocks, MemorySpace space) {
  unsigned line = program.at(theirs.pc).line;
  bool oneLine = line == program.at(mine.pc).line;
  if (mine.pc == theirs.pc && v.kind == FindingKind::Race && mine.place.warp == theirs.place.warp &&
      !betweenBlocks && mine.writes && theirs.writes && mine.lane != theirs.lane && !mine.atomic) {
    return v.cls == FindingClass::SameValue ? "several threads write the same value here"
                                            : "several threads write different values here";
  }
  std::string text = fmt::format("{} here and {} {} by another {}", deed(mine.writes, mine.atomic),
                                 deed(theirs.writes, theirs.atomic),
                                 oneLine ? std::string("in the same line") : fmt::format("in line {}", line),
                                 !betweenBlocks      ? (program.isOpenCL ? "work-item" : "thread")
                                 : program.isOpenCL  ? "work-group"
                                 : program.isOpenAcc ? "gang"
                                                     : "block");
  if (v.cls == FindingClass::SameValue) return text + ", without an order; the value does not change";
  if (mine.atomic != theirs.atomic) text += ", only one of them atomically";
  if (betweenBlocks) return text + ", and nothing orders the two";
  // A barrier between two writes of one place would only say whose value is lost.
  if (oneLine && mine.writes && theirs.writes && !mine.atomic && !theirs.atomic)
    return text + ": which of them comes last is left to chance";
  if (program.isOpenAcc) return text + ", and nothing orders the two";
  if (v.kind == FindingKind::MissingWarpSync)
    return text + " of the same warp, with no warp barrier between: add __syncwarp() or __syncthreads()";
  // No barrier goes into a line: several threads have the same element, or it is left from an iteration
  // before.
  if (oneLine) return text + ", with no barrier between";
  const char* barrier = !program.isOpenCL              ? "__syncthreads()"
                        : space == MemorySpace::Global ? "barrier(CLK_GLOBAL_MEM_FENCE)"
                                                       : "barrier(CLK_LOCAL_MEM_FENCE)";
  // Other blocks may do the same to an array in global memory, which no barrier of theirs orders.
  if (space == MemorySpace::Global)
    return text + fmt::format(
                      ", with no barrier between; {} would order the two, in blocks that share no "
                      "element",
                      barrier);
  return text + fmt::format(", with no barrier between: add {}", barrier);
}

}  // namespace

bool judge(Shadow::State& shadow, BlockShadow::State& block, const RecordLayout& layout, const Meeting& m) {
  std::atomic<uint32_t>* told = shadow.toldOf(layout.instruction(m.mine), layout.instruction(m.theirs));
  if (told && told->load(std::memory_order_relaxed) >= Shadow::State::mostTold) return false;
  Verdict v = decide(shadow, block, layout, m);
  if (!v.found) return false;
  if (told && v.cls == FindingClass::Race) told->fetch_add(1, std::memory_order_relaxed);
  const bool same = v.cls == FindingClass::SameValue;
  const WarpAccess& access = m.access;
  bool global = access.space == MemorySpace::Global;
  uint32_t theirThread = layout.thread(m.theirs);
  bool writes = access.kind != AccessKind::Load;
  Findings::Side mine{access.pc, access.place, m.lane, writes, access.kind == AccessKind::Atomic};
  Findings::Side theirs;
  theirs.pc = shadow.instructions.pcs[layout.instruction(m.theirs)];
  theirs.place.block = global ? layout.block(m.theirs) : access.place.block;
  theirs.place.warp = theirThread / warpLanes;
  theirs.lane = theirThread % warpLanes;
  theirs.writes = m.theirsWrote;
  theirs.atomic = (m.theirs & atomicFlag) != 0;
  uint64_t identity = arrayIdentity(shadow, access, m.lane, m.address);
  if (shadow.findings.repeat(v.kind, v.cls, mine, &theirs, identity)) return same;
  ArrayElement element = describe(shadow, access, m.lane, m.address);
  shadow.findings.add(
      v.kind, v.cls, mine, &element.where, &theirs,
      explain(shadow.program, v, mine, theirs, theirs.place.block != mine.place.block, access.space));
  return same;
}

}  // namespace hone::sim
