// One block from its first instruction to its last: its warps take turns until they wait for each other.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

#include "sim/execute/Executor.h"

namespace hone::sim {

namespace {

constexpr uint64_t slice = 1 << 16;  // instructions before another warp has its turn
constexpr uint64_t largestRandomSlice = 200;
constexpr uint64_t lanesOfInstruction = 8;  // that take as long as a plain instruction, one by one
// Of arrays without an end: pages of a launch that may be made again and not be counted, and instructions
// that take as long as one more. Where blocks take turns on more pages than are kept it is pages that take
// the time.
constexpr uint64_t freePages = 1 << 16, instructionsOfPage = 64;

// The end of the innermost loop around an instruction, which stands in the loop's line; the instruction
// itself outside of loops.
uint32_t loopAround(const Program& program, uint32_t pc) {
  for (uint32_t k = pc; k < program.code.size(); ++k)
    if (program.code[k].op == Op::LoopBack && program.code[k].imm <= int32_t(pc)) return k;
  return pc;
}

}  // namespace

Executor::~Executor() {
  std::vector<uint8_t>* all = launch.options.executed;
  if (!all) return;
  const std::lock_guard<std::mutex> lock(launch.executedLock);
  all->resize(std::max(all->size(), executed.size()));
  for (size_t pc = 0; pc < executed.size(); ++pc) (*all)[pc] |= executed[pc];
}

size_t LaunchState::registerBytes() const { return size_t(program.warpUnits + 2) * warpLanes * 4; }

size_t LaunchState::uniformBytes() const { return size_t(Steps::uniformUnits(program)) * warpLanes * 4; }

size_t LaunchState::warpBytes() const {
  const size_t local = size_t(program.localBytes) * warpLanes;
  return (uniformBytes() + registerBytes() + local + local / 8 + 255) / 256 * 256;
}

size_t LaunchState::blockBytes() const { return warpBytes() * warpsPerBlock + sharedBytes; }

std::unique_ptr<BlockRun> Executor::makeBlock() {
  auto b = std::make_unique<BlockRun>();
  const size_t registers = launch.registerBytes(), perWarp = launch.warpBytes();
  const size_t local = size_t(program.localBytes) * warpLanes;
  // Zeros, which the system has ready where it is much.
  b->storage.reset(static_cast<uint8_t*>(std::calloc(perWarp * launch.warpsPerBlock + 256, 1)));
  if (!b->storage) throw std::bad_alloc();
  auto* at = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(b->storage.get()) + 255) / 256 * 256);
  b->warps.resize(launch.warpsPerBlock);
  for (uint32_t k = 0; k < launch.warpsPerBlock; ++k) {
    Warp& w = b->warps[k];
    w.index = k;
    std::memcpy(at + perWarp * k, launch.uniforms.data(), launch.uniformBytes());
    w.registers = at + perWarp * k + launch.uniformBytes();
    if (local) {
      w.local = w.registers + registers;
      w.localSet = w.local + local;
    }
  }
  b->shared.resize(launch.sharedBytes + 16);
  if (launch.shadow) {
    const ShadowOptions shadowOptions{launch.options.checkRaces, launch.options.checkUninitialized,
                                      launch.warpRaces};
    b->shadow =
        std::make_unique<BlockShadow>(program, 0, launch.warpsPerBlock, launch.sharedBytes, shadowOptions);
  }
  return b;
}

void Executor::start(BlockRun& b, uint64_t linear) {
  b.linear = linear;
  const auto& grid = launch.shape.grid;
  b.index = {uint32_t(linear % grid[0]), uint32_t(linear / grid[0] % grid[1]),
             uint32_t(linear / grid[0] / grid[1])};
  b.state = BlockRun::Running;
  b.generation = 0;
  b.printed.clear();
  // No value anyone should rely on: as floats no numbers, as integers all different.
  for (size_t k = 0; k + 4 <= b.shared.size(); k += 4) {
    const uint32_t v = 0xffc00000u | (uint32_t(k) * 2654435761u >> 10);
    std::memcpy(b.shared.data() + k, &v, 4);
  }
  if (b.shadow) b.shadow->restart(linear);
  for (Warp& w : b.warps) {
    const uint32_t first = w.index * warpLanes;
    const uint32_t threads = std::min(warpLanes, launch.threadsPerBlock - first);
    w.initial = w.live = threads == warpLanes ? 0xffffffffu : (1u << threads) - 1;
    w.fellOff = w.returned = 0;
    w.steps = 0;
    w.unset.assign(program.variables.size(), 0);
    if (!b.isNew) std::memset(w.registers, 0, launch.registerBytes());
    if (w.local) {
      // Frames of calls mark their variables when they are declared.
      const uint32_t own = program.subroutines.empty() ? program.localBytes : program.stackBase;
      std::memset(w.local, 0xff, size_t(own) * warpLanes);
      std::memset(w.localSet, 0, size_t(own) * warpLanes / 8);
    }
    if (!program.subroutines.empty()) {
      if (!w.stacks) w.stacks = std::make_unique<CallStacks>();
      w.stacks->base.fill(program.stackBase);
      w.stacks->top.fill(program.stackBase);
      for (std::vector<uint32_t>& saved : w.stacks->saved) saved.clear();
    }
    // One path, the old one where there is one: its frames keep their memory.
    std::unique_ptr<Path> path = w.paths.empty() ? std::move(w.spare) : std::move(w.paths[0]);
    if (!path) path = std::make_unique<Path>();
    std::vector<Frame> frames = std::move(path->frames);
    frames.clear();
    *path = Path();
    path->frames = std::move(frames);
    path->active = w.initial;
    w.paths.clear();
    w.paths.push_back(std::move(path));
  }
  b.isNew = false;
}

bool Executor::hasMadeTooMuch() const {
  if (launch.options.mostBytesMade == UINT64_MAX) return false;
  uint64_t made = 0;
  for (const Buffer* buffer : launch.parameterBuffers) made += buffer ? buffer->presentBytes() : 0;
  return made > launch.options.mostBytesMade;
}

Executor::Stop Executor::countedPath(BlockRun& b, Warp& w, Path& p, uint64_t budget) {
  const uint64_t steps = w.steps, lanes = scattered, pages = remade;
  const Stop why = runPath(b, w, p, budget);
  const uint64_t madeAgain = std::max(remade, freePages) - std::max(pages, freePages);
  const uint64_t more =
      w.steps - steps + (scattered - lanes) / lanesOfInstruction + madeAgain * instructionsOfPage;
  const uint64_t all = launch.work.fetch_add(more, std::memory_order_relaxed) + more;
  if (all > launch.options.mostWork) launch.isOverWork = launch.stop = true;
  if (hasMadeTooMuch()) launch.isOverBytes = launch.stop = true;
  return why;
}

Executor::Outcome Executor::run(BlockRun& b, uint64_t turn) {
  const bool isShuffled = launch.options.schedule.random;
  std::vector<uint32_t> order(isShuffled ? b.warps.size() : 0);
  std::iota(order.begin(), order.end(), 0);
  for (;;) {
    bool ran = false, moved = false;
    std::shuffle(order.begin(), order.end(), random);
    for (size_t k = 0; k < b.warps.size(); ++k) {
      Warp& w = b.warps[isShuffled ? order[k] : k];
      for (size_t n = 0; n < w.paths.size(); ++n) {
        Path& p = *w.paths[n];
        if (p.state != Path::Runnable) continue;
        ran = true;
        const uint64_t budget = turn ? turn : isShuffled ? 1 + random() % largestRandomSlice : slice;
        const size_t paths = w.paths.size();
        const Stop why = countedPath(b, w, p, budget);
        if (launch.stop) return Outcome::Done;
        if (why != Stop::Spun || w.paths.size() > paths) moved = true;
        const bool isCanceled =
            launch.options.cancel && launch.options.cancel->load(std::memory_order_relaxed);
        if (isCanceled || w.steps > launch.options.stepLimit) {
          // Between two iterations of a loop no lane may be active.
          const uint32_t lanes = p.active ? p.active : w.live ? w.live : w.initial;
          fault(FindingKind::StepLimit, b, w, loopAround(program, uint32_t(p.pc)), lanes,
                isCanceled
                    ? launch.options.canceled
                    : "no end after " + std::to_string(launch.options.stepLimit) +
                          " instructions of one warp: an endless loop? (" +
                          (program.isOpenAcc ? "HONE_RUN_MAX_STEPS" : "--max-steps") + " raises the limit)");
          launch.stop = true;
          return Outcome::Done;
        }
      }
      if (w.paths.size() == 1) {
        if (w.paths[0]->state == Path::Done) {
          w.spare = std::move(w.paths[0]);
          w.paths.clear();
        }
      } else {
        w.paths.erase(std::remove_if(w.paths.begin(), w.paths.end(),
                                     [](const auto& p) { return p->state == Path::Done; }),
                      w.paths.end());
      }
      if (w.paths.size() > 0 && releaseWarpSyncs(w)) moved = true;
    }
    if (ran) {
      if (turn) return Outcome::TurnOver;
      if (!moved) return Outcome::Spinning;
      continue;
    }
    // Nobody can run: all are done, or all wait.
    bool atBarrier = false, atGrid = false, atSync = false;
    for (const Warp& w : b.warps)
      for (const auto& p : w.paths) {
        atBarrier |= p->state == Path::AtBarrier;
        atGrid |= p->state == Path::AtGrid;
        atSync |= p->state == Path::AtWarpSync;
      }
    if (!atBarrier && !atGrid && !atSync) {
      b.state = BlockRun::Done;
      return Outcome::Done;
    }
    if (atBarrier && !atGrid && !atSync) {
      releaseBarrier(b);
      if (launch.stop) return Outcome::Done;
      continue;
    }
    if (atGrid && !atBarrier && !atSync) {
      b.state = BlockRun::AtGrid;
      return Outcome::AtGrid;
    }
    bool released = false;
    for (Warp& w : b.warps) released |= releaseWarpSyncs(w);
    if (released) continue;
    deadlock(b);
    return Outcome::Done;
  }
}

void Executor::passGridBarrier(BlockRun& b) {
  ++b.generation;
  if (b.shadow) {
    b.shadow->blockBarrier();
    b.shadow->gridBarrier(b.generation);
  }
  for (Warp& w : b.warps) {
    for (const auto& p : w.paths)
      if (p->state == Path::AtGrid) {
        p->state = Path::Runnable;
        p->pc += 1;
      }
    joinPaths(w);
  }
  b.state = BlockRun::Running;
}

}  // namespace hone::sim
