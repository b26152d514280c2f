#include "sim/count/Profile.h"

#include <algorithm>
#include <bit>

#include "sim/count/MemorySystem.h"
#include "sim/count/Partitions.h"
#include "sim/memory/Memory.h"
#include "target/CoalescingRules.h"
#include "target/CountBanks.h"
#include "target/CountSectors.h"

namespace hone::sim {

namespace {

using target::BankRules;
using target::CoalescingRule;
using target::SharedAtomic;
using target::Touched;
static_assert(target::warpLanes == warpLanes);

SharedAtomic howAtomic(const Program& program, const Instr& instr) {
  const bool isLoop = isFloating(instr.type) || isWide(instr.type);
  switch (instr.atomic) {
    case AtomicOp::Load:
    case AtomicOp::Store:
    case AtomicOp::Exchange: return SharedAtomic::Native;
    case AtomicOp::CompareExchange: return SharedAtomic::Compare;
    case AtomicOp::Add: {
      const bool isOne = std::any_of(program.constants.begin(), program.constants.end(),
                                     [&](const Constant& c) { return c.reg == instr.b && c.bits == 1; });
      const bool isUsed = instr.imm2 != 0;
      if (!isLoop && isOne && !isUsed) return SharedAtomic::Increment;
      break;
    }
    default: break;
  }
  return isLoop ? SharedAtomic::Loop : SharedAtomic::Native;
}

// Where local memory of all threads would lie: words of a warp's lanes side by side, warp after warp.
constexpr uint64_t localBase = uint64_t(1) << 52;

}  // namespace

struct Profiler::State {
  const Program& program;
  const target::Target& target;
  LaunchShape shape;
  ProfileOptions options;
  CoalescingRule rule;
  BankRules banks;
  MemorySystem caches;
  Partitions partitions;
  std::vector<MemoryCount> memory;  // by pc
  std::vector<SharedAtomic> howByPc;
  Counters counters;
  uint64_t blocksToRun = 0;
  uint64_t lastBlock = 0;  // whose L1 was asked for last
  unsigned cacheOfLast = 0;

  State(const Program& p, const target::Target& t, const LaunchShape& s, const ProfileOptions& o)
      : program(p),
        target(t),
        shape(s),
        options(o),
        rule(o.rules.empty() ? t.coalescing : target::coalescingRule(o.rules)),
        banks(BankRules::of(t)),
        caches(t, o.sharedInUse),
        partitions(t),
        memory(p.code.size()) {
    counters.instructions.resize(p.code.size());
    for (const Instr& instr : p.code) howByPc.push_back(howAtomic(p, instr));
    counters.gridBlocks = uint64_t(s.grid[0]) * s.grid[1] * s.grid[2];
    blocksToRun = o.exact ? counters.gridBlocks : std::min(counters.gridBlocks, o.sampleBlocks);
  }

  // The multiprocessor whose L1 a block uses. Hardware hands out blocks in an order that shifts from wave to
  // wave, so that blocks one wave apart do not always meet on the same one.
  unsigned cacheOf(uint64_t block) {
    if (block == lastBlock) return cacheOfLast;
    lastBlock = block;
    const uint64_t wave = block / target.multiprocessors;
    const uint64_t shift = (wave * 0x9e3779b97f4a7c15u) >> 33;
    return cacheOfLast = static_cast<unsigned>((block + shift) % target.multiprocessors);
  }

  uint64_t threadsOfBlock() const { return uint64_t(shape.block[0]) * shape.block[1] * shape.block[2]; }

  void shared(const WarpAccess& access, const uint64_t* offset, unsigned bytes, MemoryCount& count) {
    ++count.sharedRequests;
    const bool isLoad = access.kind == AccessKind::Load;
    if (access.kind == AccessKind::Atomic) {
      count.wavefronts +=
          target::countAtomicWavefronts(offset, access.mask, bytes, howByPc[access.pc], banks);
      count.conflicts += target::countSameAddress(offset, access.mask).first;
    } else {
      count.wavefronts += target::countWavefronts(offset, access.mask, bytes, isLoad, banks);
    }
    count.minimumWavefronts += target::leastWavefronts(offset, access.mask, bytes, isLoad, banks);
    count.bytes += uint64_t(std::popcount(access.mask)) * bytes;
  }

  // Global memory, and local memory at the addresses it would have.
  void global(const WarpAccess& access, const uint64_t* address, unsigned bytes, MemoryCount& count) {
    const Touched sectors = target::touchedBlocks(address, access.mask, bytes, sectorBytes);
    unsigned passes = sectors.count;
    if (access.kind == AccessKind::Atomic) {
      passes = target::countAtomicSectors(address, access.mask, sectorBytes);
      count.conflicts += target::countSameAddress(address, access.mask).first;
    }
    uint64_t asked = 0;
    for (unsigned i = 0; i < sectors.count; ++i)
      asked += static_cast<unsigned>(std::popcount(sectors.bytes[i]));
    count.bytes += asked;
    count.sectors += passes;
    count.minimumSectors += (asked + sectorBytes - 1) / sectorBytes;
    count.lines += countLines(sectors);

    const uint64_t moved = transactionBytes(access, address, bytes, sectors, asked, count);

    if (!options.caches) return;
    if (!caches.hasL2()) {
      count.dramSectors += moved / sectorBytes;
      return;
    }
    switch (access.kind) {
      case AccessKind::Load: {
        const bool mayUseL1 = access.hint != CacheHint::L2Only && access.hint != CacheHint::Volatile;
        caches.load(cacheOf(access.place.block), sectors,
                    mayUseL1 && caches.cachesLoads(access.hint == CacheHint::ReadOnly),
                    static_cast<uint8_t>(access.place.block * 37 + access.place.warp), count);
        break;
      }
      case AccessKind::Store:
        caches.store(cacheOf(access.place.block), sectors,
                     static_cast<uint8_t>(access.place.block * 37 + access.place.warp), count);
        break;
      case AccessKind::Atomic: caches.atomic(sectors, passes, count); break;
    }
  }

  // Transactions by the target's rule; returns the bytes they move.
  uint64_t transactionBytes(const WarpAccess& access, const uint64_t* address, unsigned bytes,
                            const Touched& sectors, uint64_t asked, MemoryCount& count) {
    if (rule == CoalescingRule::Sectors && !target.partitions) {
      // The sectors are the transactions.
      count.transactions += sectors.count;
      ++count.groups;
      count.coalesced += sectors.count * sectorBytes < asked + sectorBytes;
      count.transactionBytes += sectors.count * sectorBytes;
      return sectors.count * sectorBytes;
    }
    const target::Transactions transactions =
        target::coalesce(rule, address, access.mask, bytes, target.l1LineBytes);
    count.transactions += transactions.count;
    count.groups += transactions.groups;
    count.coalesced += transactions.coalesced;
    uint64_t moved = 0;
    for (unsigned i = 0; i < transactions.count; ++i) moved += transactions.list[i].bytes;
    count.transactionBytes += moved;
    if (!target.partitions) return moved;
    for (unsigned i = 0; i < transactions.count; ++i)
      partitions.add(access.pc, access.place, transactions.list[i].address, transactions.list[i].bytes);
    partitions.next(access.pc, access.place);
    return moved;
  }

  static unsigned countLines(const Touched& sectors) {
    unsigned lines = 0;
    uint64_t highest = 0;
    for (unsigned i = 0; i < sectors.count; ++i) {
      const uint64_t line = sectors.block[i] / 4;
      bool isNew = true;
      for (unsigned j = line > highest ? 0 : i; j > 0 && isNew; --j) isNew = sectors.block[j - 1] / 4 != line;
      lines += isNew;
      highest = std::max(highest, line);
    }
    return lines;
  }

  // What caches hold and what was counted so far, for the sample's second half.
  Counters soFar() const {
    Counters out = counters;
    for (uint32_t pc = 0; pc < memory.size(); ++pc)
      if (memory[pc].requests) out.memory[pc] = memory[pc];
    out.writtenBackSectors = caches.writtenBack;
    out.writtenBackLines = caches.writtenBackLines;
    out.filledSectors = caches.filled;
    out.busiestAtomics = caches.busiestAtomics();
    const MemorySystem::Held held = caches.held();
    out.dirtySectors = held.dirty;
    out.partialSectors = held.partial;
    out.heldSectors = held.all;
    out.l2SectorsHeldAtMost = held.atMost;
    return out;
  }
};

Profiler::Profiler(const Program& program, const target::Target& target, const LaunchShape& shape,
                   const ProfileOptions& options)
    : impl(std::make_unique<State>(program, target, shape, options)) {}
Profiler::~Profiler() = default;

InstructionCount* Profiler::instructions() { return impl->counters.instructions.data(); }
const ProfileOptions& Profiler::options() const { return impl->options; }
void Profiler::barrier() { ++impl->counters.barriers; }

void Profiler::startBlock(unsigned, uint64_t, uint32_t warps) {
  Counters& c = impl->counters;
  if (impl->blocksToRun < c.gridBlocks && c.blocks == impl->blocksToRun / 2 && c.blocks > 0) {
    impl->caches.flushStores();
    c.firstHalf = std::make_shared<const Counters>(impl->soFar());
  }
  ++c.blocks;
  c.warps += warps;
  c.threads += impl->threadsOfBlock();
}

void Profiler::access(unsigned, const WarpAccess& access) {
  if (!access.mask || !access.bytes) return;
  State& state = *impl;
  MemoryCount& count = state.memory[access.pc];
  count.lanes += static_cast<unsigned>(std::popcount(access.mask));
  const unsigned first = static_cast<unsigned>(std::countr_zero(access.mask));
  const bool isConstant = access.space == MemorySpace::Global && access.buffer && access.buffer[first] &&
                          access.buffer[first]->readOnly && access.kind == AccessKind::Load;
  std::array<uint64_t, warpLanes> address;
  uint64_t alignment = access.bytes;  // lowest bit set in any lane's address or in the size
  if (access.mask == ~uint32_t(0))
    for (unsigned lane = 0; lane < warpLanes; ++lane) alignment |= access.address[lane];
  else
    for (uint32_t left = access.mask; left; left &= left - 1)
      alignment |= access.address[std::countr_zero(left)];
  target::forEachPiece(access.bytes, alignment, [&](unsigned at, unsigned bytes) {
    ++count.requests;
    if (isConstant) {
      ++count.constantRequests;
      return;
    }
    const uint64_t* of = access.address;
    if (at > 0 || access.space == MemorySpace::Local) {
      for (unsigned lane = 0; lane < warpLanes; ++lane) address[lane] = access.address[lane] + at;
      of = address.data();
    }
    if (access.space == MemorySpace::Shared) {
      state.shared(access, of, bytes, count);
      return;
    }
    if (access.space == MemorySpace::Local) {
      ++count.localRequests;
      // A lane's words lie 32 words apart; wider accesses are one word after another in each lane.
      const uint64_t warp = access.place.block * ((state.threadsOfBlock() + 31) / 32) + access.place.warp;
      const uint64_t perLane = (uint64_t(state.program.localBytes) + 15) / 16 * 16;
      const unsigned unit = std::max(bytes, 4u);
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        address[lane] = localBase + warp * perLane * warpLanes + address[lane] / unit * unit * warpLanes +
                        lane * unit + address[lane] % unit;
    }
    state.global(access, of, bytes, count);
  });
}

Counters Profiler::finish() {
  State& state = *impl;
  if (state.target.partitions) state.partitions.finish(state.memory);
  state.caches.flushStores();
  Counters out = state.soFar();
  out.partitions = state.partitions.all();
  return out;
}

}  // namespace hone::sim
