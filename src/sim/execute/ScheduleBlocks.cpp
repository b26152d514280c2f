#include "sim/execute/ScheduleBlocks.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <set>
#include <thread>

namespace hone::sim {

namespace {

void flush(BlockRun& b, const RunOptions& options) {
  if (b.printed.empty()) return;
  if (options.print)
    options.print(b.printed);
  else
    std::fwrite(b.printed.data(), 1, b.printed.size(), stdout);
  b.printed.clear();
}

// Of blocks in flight whose memory accesses are counted. A kernel with more registers than instructions that
// a warp comes to would take any amount for the blocks of a whole machine.
constexpr size_t mostBytesInFlight = size_t(64) << 20;

void countSteps(LaunchState& launch, const BlockRun& b) {
  uint64_t steps = 0;
  for (const Warp& w : b.warps) steps += w.steps;
  launch.instructions += steps;
}

}  // namespace

bool runInOrder(LaunchState& launch, const std::vector<uint64_t>& order, bool inStep) {
  Executor executor(launch);
  executor.random.seed(launch.options.schedule.seed * 7919 + 17);
  std::vector<std::unique_ptr<BlockRun>> waiting, spare;
  size_t next = 0;
  const auto obtain = [&] {
    if (spare.empty()) return executor.makeBlock();
    auto b = std::move(spare.back());
    spare.pop_back();
    return b;
  };
  while (next < order.size() || !waiting.empty()) {
    bool progress = false;
    for (size_t k = 0; k < waiting.size();) {
      const auto outcome = executor.run(*waiting[k]);
      if (launch.stop) return false;
      if (outcome == Executor::Outcome::Done) {
        flush(*waiting[k], launch.options);
        countSteps(launch, *waiting[k]);
        spare.push_back(std::move(waiting[k]));
        waiting.erase(waiting.begin() + long(k));
        progress = true;
      } else {
        ++k;
      }
    }
    if (next < order.size() && (waiting.empty() || !progress)) {
      auto b = obtain();
      executor.start(*b, order[next++]);
      auto outcome = executor.run(*b, inStep ? 1 : 0);
      while (outcome == Executor::Outcome::TurnOver && !launch.stop) outcome = executor.run(*b, 1);
      if (launch.stop) return false;
      if (outcome == Executor::Outcome::Done) {
        flush(*b, launch.options);
        countSteps(launch, *b);
        spare.push_back(std::move(b));
      } else {
        waiting.push_back(std::move(b));
      }
    }
  }
  return true;
}

bool runTogether(LaunchState& launch, const std::vector<uint64_t>& order) {
  Executor executor(launch);
  executor.random.seed(launch.options.schedule.seed * 7919 + 17);
  std::vector<std::unique_ptr<BlockRun>> blocks;
  for (uint64_t linear : order) {
    blocks.push_back(executor.makeBlock());
    executor.start(*blocks.back(), linear);
  }
  for (;;) {
    bool allDone = true, anyRunning = false, anyAtGrid = false;
    for (auto& b : blocks) {
      if (b->state == BlockRun::Running) executor.run(*b);
      if (launch.stop) return false;
      flush(*b, launch.options);
      allDone &= b->state == BlockRun::Done;
      anyRunning |= b->state == BlockRun::Running;
      anyAtGrid |= b->state == BlockRun::AtGrid;
    }
    if (allDone) break;
    if (!anyRunning && anyAtGrid)
      for (auto& b : blocks)
        if (b->state == BlockRun::AtGrid) executor.passGridBarrier(*b);
  }
  for (auto& b : blocks) countSteps(launch, *b);
  return true;
}

bool runParallel(LaunchState& launch, uint64_t blocks, unsigned jobs) {
  std::atomic<uint64_t> next{0};
  const uint64_t chunk = std::max<uint64_t>(1, std::min<uint64_t>(64, blocks / (uint64_t(jobs) * 8)));
  const auto work = [&] {
    Executor executor(launch);
    auto b = executor.makeBlock();
    for (;;) {
      const uint64_t first = next.fetch_add(chunk);
      if (first >= blocks || launch.stop) return;
      for (uint64_t linear = first; linear < std::min(blocks, first + chunk) && !launch.stop; ++linear) {
        executor.start(*b, linear);
        for (Executor::Outcome outcome = Executor::Outcome::Spinning;
             outcome != Executor::Outcome::Done && !launch.stop;)
          outcome = executor.run(*b);
        countSteps(launch, *b);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned k = 1; k < jobs; ++k) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  return !launch.stop;
}

size_t blocksInFlight(const LaunchState& launch, size_t blocks, unsigned resident, unsigned multiprocessors) {
  return std::min({blocks, size_t(multiprocessors) * resident,
                   std::max<size_t>(1, mostBytesInFlight / launch.blockBytes())});
}

bool runProfiled(LaunchState& launch, const std::vector<uint64_t>& order, unsigned resident,
                 const target::Target& target) {
  Executor executor(launch);
  const unsigned multiprocessors = std::max(1u, target.multiprocessors);
  std::vector<std::unique_ptr<BlockRun>> inFlight;
  size_t next = 0;
  // Only as many multiprocessors as there are blocks to fill; each holds `resident` blocks and takes the next
  // when one ends.
  const size_t slots = blocksInFlight(launch, order.size(), resident, multiprocessors);
  const auto begin = [&](BlockRun& b, unsigned sm) {
    executor.start(b, order[next]);
    b.sm = sm;
    launch.profiler->startBlock(sm, order[next], launch.warpsPerBlock);
    ++next;
  };
  for (size_t k = 0; k < slots; ++k) {
    inFlight.push_back(executor.makeBlock());
    begin(*inFlight.back(), unsigned(k % multiprocessors));
  }
  while (!inFlight.empty()) {
    for (size_t k = 0; k < inFlight.size();) {
      const auto outcome = executor.run(*inFlight[k], target.scheduling.turnInstructions);
      if (launch.stop) return false;
      if (outcome != Executor::Outcome::Done) {
        ++k;
        continue;
      }
      flush(*inFlight[k], launch.options);
      countSteps(launch, *inFlight[k]);
      if (next < order.size()) {
        begin(*inFlight[k], inFlight[k]->sm);
        ++k;
      } else {
        inFlight.erase(inFlight.begin() + long(k));
      }
    }
  }
  return true;
}

std::vector<uint64_t> edgeBlocks(const std::array<uint32_t, 3>& grid) {
  const auto along = [&](unsigned axis) {
    const uint32_t last = grid[axis] - 1;
    return std::set<uint64_t>{0, last / 2, last};
  };
  std::vector<uint64_t> order;
  for (const uint64_t z : along(2))
    for (const uint64_t y : along(1))
      for (const uint64_t x : along(0)) order.push_back((z * grid[1] + y) * grid[0] + x);
  return order;
}

std::vector<uint64_t> sampledBlocks(uint64_t blocks, const ProfileOptions& options, bool hasPartitions) {
  std::vector<uint64_t> order;
  if (options.exact || blocks <= options.sampleBlocks) {
    order.resize(blocks);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  // Runs of neighbouring blocks, so that sharing between neighbours is seen, each from the middle of its part
  // of the grid: edges are often special. Few neighbours would lie in one partition of the memory, where
  // there are partitions.
  constexpr uint64_t neighbours = 4;
  const uint64_t pieces =
      std::clamp<uint64_t>(hasPartitions ? options.sampleBlocks : options.sampleBlocks / neighbours, 1, 4);
  const uint64_t each = std::max<uint64_t>(1, options.sampleBlocks / pieces);
  for (uint64_t p = 0; p < pieces; ++p) {
    const uint64_t first = blocks / pieces * p + (blocks / pieces - each) / 2;
    for (uint64_t k = 0; k < each; ++k) order.push_back(first + k);
  }
  return order;
}

}  // namespace hone::sim
