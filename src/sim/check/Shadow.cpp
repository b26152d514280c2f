#include "sim/check/Shadow.h"

#include <algorithm>
#include <bit>

#include "sim/check/ShadowState.h"

namespace hone::sim {

BlockShadow::State::State(const Program& program, uint32_t warpCount, uint32_t sharedBytes,
                          const ShadowOptions& options)
    : options(options),
      instructions(program),
      layout(warpCount * warpLanes, instructions.pcs.size(), 0),
      sharedBytes(sharedBytes),
      warpOrder(warpCount),
      warpSeen(warpCount) {
  if (options.races && sharedBytes) cells = std::make_unique<ShadowCells>((sharedBytes + 3) / 4);
  if (options.uninitialized && sharedBytes) initialized.assign(sharedBytes / 64 + 1, 0);
  device.ofThread.assign(size_t(warpCount) * warpLanes, 0);
  near.ofThread.assign(size_t(warpCount) * warpLanes, 0);
}

void BlockShadow::State::restart(uint64_t newBlock) {
  block = newBlock;
  clockBase += clock;
  clock = sharedEpoch = globalEpoch = 1;
  gridGeneration = 0;
  // With some bits of the clock left, records never look younger than they are.
  if (cells) {
    if (clockBase > layout.lastClock / 2) {
      cells->clear();
      clockBase = 0;
    }
    cells->join();
  }
  std::fill(initialized.begin(), initialized.end(), 0);
  for (WarpOrder& w : warpOrder) w = WarpOrder();
  if (anyFence) {
    anyFence = false;
    for (Fences* f : {&device, &near}) {
      f->latest = f->beforeBarrier = 0;
      std::fill(f->ofThread.begin(), f->ofThread.end(), 0);
    }
  }
  if (anySeen) {
    anySeen = false;
    blockSeen.clear();
    for (SeenSet& s : warpSeen) s.clear();
  }
}

BlockShadow::BlockShadow(const Program& program, uint64_t block, uint32_t warps, uint32_t sharedBytes,
                         const ShadowOptions& options)
    : impl(std::make_unique<State>(program, warps, sharedBytes, options)) {
  impl->block = block;
}
BlockShadow::~BlockShadow() = default;

void BlockShadow::restart(uint64_t block) { impl->restart(block); }

void BlockShadow::blockBarrier(bool orderShared, bool orderGlobal) {
  State& s = *impl;
  ++s.clock;
  if (orderShared) s.sharedEpoch = s.clock;
  if (orderGlobal) s.globalEpoch = s.clock;
  if (s.anyFence) {
    s.device.beforeBarrier = s.device.latest;
    s.near.beforeBarrier = s.near.latest;
  }
  if (s.anySeen) {
    for (SeenSet& seen : s.warpSeen) {
      merge(s.blockSeen, seen);
      seen.clear();
    }
  }
}

void BlockShadow::warpBarrier(uint32_t warp, uint32_t mask) {
  State& s = *impl;
  ++s.clock;
  s.warpOrder[warp].meet(mask, s.clock);
}

void BlockShadow::fence(uint32_t warp, uint32_t mask, bool blockScope) {
  State& s = *impl;
  ++s.clock;
  s.anyFence = true;
  for (State::Fences* f : {&s.near, &s.device}) {
    f->latest = s.clock;
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if (mask >> lane & 1) f->ofThread[size_t(warp) * warpLanes + lane] = s.clock;
    if (blockScope) break;
  }
}

void BlockShadow::gridBarrier(uint64_t generation) {
  blockBarrier();
  impl->gridGeneration = generation;
}

namespace {

std::atomic<uint64_t> launches{0};

AccessPattern wholePattern(const WarpAccess& access) {
  if (access.mask != ~uint32_t(0) || access.bytes != 4) return AccessPattern::Other;
  return patternOf(access.address, warpLanes);
}

// All of it lies in buffers that this launch does not write.
bool onlyRead(const WarpAccess& access) {
  if (access.kind != AccessKind::Load) return false;
  bool changes = false;
  for (uint32_t mask = access.mask; mask; mask &= mask - 1)
    changes |= access.buffer[std::countr_zero(mask)]->mayChange;
  return !changes;
}

uint64_t blocksOf(const LaunchShape& shape) {
  return std::max<uint64_t>(1, uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2]);
}

uint32_t threadsOf(const LaunchShape& shape) {
  uint32_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  return (threads + warpLanes - 1) / warpLanes * warpLanes;
}

bool asksIfSet(const Shadow::State& shadow, const WarpAccess& access) {
  return shadow.options.uninitialized && access.hint != CacheHint::Merge;
}

}  // namespace

Shadow::State::State(const Program& program, const LaunchShape& shape, const ShadowOptions& options,
                     Findings& findings, std::vector<SharedVariable> shared)
    : program(program),
      sharedVariables(shared.empty() ? program.shared : std::move(shared)),
      options(options),
      findings(findings),
      instructions(program),
      layout(threadsOf(shape), instructions.pcs.size(), blocksOf(shape)),
      launch(++launches) {
  const size_t n = instructions.pcs.size();
  if (options.races && n <= 1024) told.reset(new std::atomic<uint32_t>[n * n]());
}

Shadow::Shadow(const Program& program, const LaunchShape& shape, const ShadowOptions& options,
               Findings& findings, std::vector<SharedVariable> shared)
    : impl(std::make_unique<State>(program, shape, options, findings, std::move(shared))) {}
Shadow::~Shadow() = default;

void Shadow::withoutLocks() { impl->locks = false; }

void Shadow::shared(BlockShadow& block, const WarpAccess& access, uint8_t* memory) {
  BlockShadow::State& b = block.state();
  AccessPattern pattern = wholePattern(access);
  if (asksIfSet(*impl, access)) initializeShared(*impl, b, access, pattern);
  if (!impl->options.races) return;
  checkShared(*impl, b, access, pattern, memory);
  if (access.kind == AccessKind::Atomic || access.hint == CacheHint::Volatile) synchronize(*impl, b, access);
}

void Shadow::global(BlockShadow& block, const WarpAccess& access) {
  if (access.space == MemorySpace::Constant) return;  // nobody writes it
  BlockShadow::State& b = block.state();
  if (asksIfSet(*impl, access)) initializeGlobal(*impl, access);
  if (!impl->options.races || onlyRead(access)) return;
  checkGlobal(*impl, b, access, wholePattern(access));
  if (access.kind == AccessKind::Atomic || access.hint == CacheHint::Volatile) synchronize(*impl, b, access);
}

bool Shadow::sharedRegular(BlockShadow& block, const RegularAccess& access) {
  BlockShadow::State& b = block.state();
  if (impl->options.uninitialized && !initializeSharedRegular(b, access)) return false;
  return !impl->options.races || checkSharedRegular(*impl, b, access);
}

bool Shadow::globalRegular(BlockShadow& block, const RegularAccess& access) {
  if (impl->options.uninitialized && !initializeGlobalRegular(access)) return false;
  return !impl->options.races || !access.buffer->mayChange ||
         checkGlobalRegular(*impl, block.state(), access);
}

void Shadow::local(const WarpAccess& access, uint8_t* initialized, const Program&) {
  if (asksIfSet(*impl, access)) initializeLocal(*impl, access, initialized);
}

bool Shadow::foundBlockConflict() const { return impl->blockConflict.load(std::memory_order_relaxed); }

uint64_t syncPlace(const WarpAccess& access, uint64_t address) {
  uint64_t place = address & ~uint64_t(3);
  if (access.space == MemorySpace::Shared) place |= sharedWindow | access.place.block << 20;
  return place;
}

void synchronize(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access) {
  if (!shadow.instructions.hasFence || (!block.anyFence && !shadow.sync.any())) return;
  uint32_t warp = access.place.warp;
  SeenSet& seen = block.warpSeen[warp];
  bool acquires = access.kind != AccessKind::Store, releases = access.kind != AccessKind::Load;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(access.mask >> lane & 1)) continue;
    uint64_t place = syncPlace(access, access.address[lane]);
    if (acquires && shadow.sync.any()) {
      shadow.sync.acquire(place, seen);
      block.anySeen |= !seen.empty();
    }
    if (!releases || !block.anyFence) continue;
    uint32_t thread = warp * warpLanes + lane;
    auto reach = [&](const BlockShadow::State::Fences& f, uint64_t& whole, uint64_t& own) {
      whole = f.beforeBarrier;
      own = f.ofThread[thread];
      // One's own fence after a barrier covers what the whole block did before that barrier.
      if (own >= block.globalEpoch) whole = std::max(whole, block.globalEpoch);
    };
    Released r;
    r.block = access.place.block;
    r.thread = thread;
    r.at = block.clock;
    reach(block.device, r.wholeBlock, r.ownWarp);
    reach(block.near, r.wholeBlockNear, r.ownWarpNear);
    if (r.wholeBlockNear == 0 && r.ownWarpNear == 0) continue;
    shadow.sync.release(place, r, &seen, &block.blockSeen);
  }
}

}  // namespace hone::sim
