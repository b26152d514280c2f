// Launches: arguments into registers, blocks over host threads, findings out.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "ir/Error.h"
#include "sim/execute/Executor.h"
#include "sim/execute/WrittenBuffers.h"
#include "sim/functions/HalfFloat.h"

namespace hone::sim {

namespace {

void broadcast(std::vector<uint8_t>& bank, Reg reg, Scalar type, uint64_t bits) {
  uint8_t* at = bank.data() + size_t(reg & ~uniformBank) * warpLanes * 4;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (isWide(type))
      std::memcpy(at + l * 8, &bits, 8);
    else
      std::memcpy(at + l * 4, &bits, 4);
  }
}

// A scalar of the argument block as a register holds it.
uint64_t registerBits(Scalar type, const uint8_t* from) {
  const auto as = [&](auto v) {
    std::memcpy(&v, from, sizeof v);
    return v;
  };
  switch (type) {
    case Scalar::Bool: return as(uint8_t{}) != 0;
    case Scalar::I8: return uint32_t(int32_t(as(int8_t{})));
    case Scalar::U8: return as(uint8_t{});
    case Scalar::I16: return uint32_t(int32_t(as(int16_t{})));
    case Scalar::U16: return as(uint16_t{});
    case Scalar::F16: return std::bit_cast<uint32_t>(halfFromMemory(as(uint16_t{})));
    case Scalar::BF16: return uint32_t(as(uint16_t{})) << 16;
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32: return as(uint32_t{});
    default: return as(uint64_t{});
  }
}

uint64_t threadsOf(const std::array<uint32_t, 3>& v) { return uint64_t(v[0]) * v[1] * v[2]; }

// What the launch asks for and the machine or the kernel does not allow.
std::string launchProblem(const Program& program, const LaunchConfig& c) {
  const uint64_t threads = threadsOf(c.block);
  if (threads == 0 || threadsOf(c.grid) == 0) return "a launch needs at least one block of one thread";
  if (threads > 65536)
    return fmt::format("a block of {} threads; more than 65536 are not supported", threads);
  if (program.requiredBlock[0] && program.requiredBlock != c.block)
    return fmt::format("the kernel requires blocks of {}x{}x{} threads, not {}x{}x{}",
                       program.requiredBlock[0], program.requiredBlock[1], program.requiredBlock[2],
                       c.block[0], c.block[1], c.block[2]);
  if (c.arguments.size() != program.argumentBytes)
    return fmt::format("{} bytes of arguments for a kernel that takes {}", c.arguments.size(),
                       program.argumentBytes);
  return "";
}

}  // namespace

LaunchState::LaunchState(const Program& p, const LaunchConfig& c, const RunOptions& o, Memory& m,
                         const Textures& t)
    : program(p),
      config(c),
      options(o),
      memory(m),
      textures(t),
      shape{c.grid, c.block},
      findings(program, shape) {
  threadsPerBlock = uint32_t(threadsOf(c.block));
  warpsPerBlock = (threadsPerBlock + warpLanes - 1) / warpLanes;
  for (unsigned axis = 0; axis < 3; ++axis) {
    threadIndex[axis].resize(size_t(warpsPerBlock) * warpLanes);
    for (uint32_t n = 0; n < threadIndex[axis].size(); ++n)
      threadIndex[axis][n] = axis == 0   ? n % c.block[0]
                             : axis == 1 ? n / c.block[0] % c.block[1]
                                         : n / c.block[0] / c.block[1];
  }
  uniforms.resize(size_t(p.uniformUnits + 2) * warpLanes * 4);
  for (const Constant& k : p.constants) broadcast(uniforms, k.reg, k.type, k.bits);
  for (auto [what, reg] : p.uniforms) {
    const int at = int(what);
    uint32_t v = 0;
    if (at <= int(Uniform::BlockDimZ))
      v = c.block[size_t(at)];
    else if (at <= int(Uniform::GridDimZ))
      v = c.grid[size_t(at - 3)];
    else if (at <= int(Uniform::OffsetZ))
      v = uint32_t(c.globalOffset[size_t(at - 6)]);
    else if (what == Uniform::WorkDim)
      v = c.workDim;
    else
      v = c.dynamicShared;
    broadcast(uniforms, reg, Scalar::U32, v);
  }
  // Shared memory: what is declared, then CUDA's dynamic part, then OpenCL's __local arguments, each aligned
  // for any type.
  shared = p.shared;
  uint32_t top = p.staticShared;
  for (SharedVariable& s : shared)
    if (s.parameter < 0 && s.size == 0) s.size = c.dynamicShared;
  top += c.dynamicShared;
  for (SharedVariable& s : shared) {
    if (s.parameter < 0) continue;
    const Parameter& param = p.parameters[size_t(s.parameter)];
    uint64_t bytes = 0;
    std::memcpy(&bytes, c.arguments.data() + param.offset, std::min<size_t>(8, param.size));
    top = (top + 127) / 128 * 128;
    s.offset = top;
    s.size = uint32_t(bytes);
    top += s.size;
    broadcast(uniforms, param.leaves[0].reg, Scalar::U64, sharedWindow | s.offset);
  }
  sharedBytes = top;
  for (size_t k = 0; k < p.parameters.size(); ++k) {
    const Parameter& param = p.parameters[k];
    parameterBuffers.push_back(nullptr);
    if (param.isSharedPointer) continue;
    for (const Parameter::Leaf& leaf : param.leaves)
      broadcast(uniforms, leaf.reg, leaf.type,
                registerBits(leaf.type, c.arguments.data() + param.offset + leaf.offset));
    if (param.isPointer) {
      uint64_t address = 0;
      std::memcpy(&address, c.arguments.data() + param.offset, 8);
      if (address) parameterBuffers.back() = m.find(address);
    }
  }
  for (const CallSite& site : p.calls) {
    pure.push_back(findPureFunction(site.function, site.argTypes, site.resultTypes));
    exchanges.push_back(findExchange(site.function, site.argTypes, site.resultTypes));
  }
  if (o.target) {
    const double capability = std::atof(o.target->computeCapability.c_str());
    warpRaces = capability == 0 || capability >= 7.0;
  }
  if (o.checkRaces || o.checkUninitialized)
    shadow = std::make_unique<Shadow>(p, shape, ShadowOptions{o.checkRaces, o.checkUninitialized, warpRaces},
                                      findings, shared);
}

Device::Device() = default;
Device::~Device() = default;

uint64_t Device::globalVariable(const GlobalVariable& v) {
  auto it = globals.find(v.key);
  if (it != globals.end()) return it->second.first;
  const uint64_t base = memory.allocate(v.size, v.name, v.elementBytes, true, v.align);
  if (!v.init.empty()) std::memcpy(memory.host(base), v.init.data(), std::min<size_t>(v.init.size(), v.size));
  memory.at(base)->readOnly = v.isConstant;
  globals[v.key] = {base, v};
  return base;
}

void Device::placeGlobal(const GlobalVariable& v, uint64_t address) { globals[v.key] = {address, v}; }

void Device::resetGlobals() {
  for (auto& [name, entry] : globals) {
    uint8_t* at = memory.host(entry.first);
    std::memset(at, 0, entry.second.size);
    if (!entry.second.init.empty())
      std::memcpy(at, entry.second.init.data(),
                  std::min<size_t>(entry.second.init.size(), entry.second.size));
  }
}

void setArgument(const Program& program, LaunchConfig& launch, unsigned index, const void* bytes,
                 size_t size) {
  const Parameter& p = program.parameters.at(index);
  if (size != p.size)
    throw Error(
        fmt::format("argument '{}' of {} has {} bytes, not {}", p.name, program.kernel, p.size, size));
  launch.arguments.resize(program.argumentBytes);
  std::memcpy(launch.arguments.data() + p.offset, bytes, size);
}

namespace {

// Copies of every buffer a launch may change, to run it again from the start.
struct Snapshot {
  struct Entry {
    Buffer* buffer;
    std::vector<uint8_t> bytes, initialized;
  };
  std::vector<Entry> entries;
  explicit Snapshot(const Memory& memory) {
    for (const auto& [base, b] : memory.buffers()) {
      if (b->readOnly || b->elastic || !b->mayChange) continue;
      Entry e{b.get(), {b->data, b->data + b->size}, {}};
      if (b->initialized) e.initialized.assign(b->initialized.get(), b->initialized.get() + b->size / 8 + 1);
      entries.push_back(std::move(e));
    }
  }
  void restore() const {
    for (const Entry& e : entries) {
      std::memcpy(e.buffer->data, e.bytes.data(), e.bytes.size());
      if (!e.initialized.empty())
        std::memcpy(e.buffer->initialized.get(), e.initialized.data(), e.initialized.size());
    }
  }
};

// Tells buffers whether the launch may change them; false when all may be.
bool markChanging(const Memory& memory, const LaunchState& launch, bool copies) {
  const WrittenPointers written =
      launch.shadow || copies ? findWritten(launch.program) : WrittenPointers{};  // else nobody asks
  const auto markAll = [&](bool value) {
    for (const auto& [base, b] : memory.buffers()) b->mayChange = value;
  };
  markAll(!written.known);
  if (!written.known) return false;
  for (Reg r : written.sources) {
    uint64_t address;
    std::memcpy(&address, launch.uniforms.data() + size_t(r & ~uniformBank) * warpLanes * 4, 8);
    if (address == 0) continue;
    if (Buffer* b = memory.find(address)) {
      b->mayChange = true;
    } else if ((address & windowMask) != sharedWindow) {
      markAll(true);
      return false;
    }
  }
  return true;
}

void flush(BlockRun& b, const RunOptions& options) {
  if (b.printed.empty()) return;
  if (options.print)
    options.print(b.printed);
  else
    std::fwrite(b.printed.data(), 1, b.printed.size(), stdout);
  b.printed.clear();
}

void countSteps(LaunchState& launch, const BlockRun& b) {
  uint64_t steps = 0;
  for (const Warp& w : b.warps) steps += w.steps;
  launch.instructions += steps;
}

// All blocks in a given order on this thread. A block that makes no headway waits while the next ones run
// beside it.
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

// A cooperative launch: every block is in flight, and all meet at each grid barrier.
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

// Blocks spread over the target's multiprocessors, `resident` of them taking turns on each, as the counters
// should see them.
bool runProfiled(LaunchState& launch, const std::vector<uint64_t>& order, unsigned resident,
                 unsigned multiprocessors) {
  Executor executor(launch);
  constexpr uint64_t turn = 24;  // instructions of a warp before the next one
  std::vector<std::unique_ptr<BlockRun>> inFlight;
  size_t next = 0;
  // Only as many multiprocessors as there are blocks to fill; each holds `resident` blocks and takes the next
  // when one ends.
  const size_t slots = std::min<size_t>(order.size(), size_t(multiprocessors) * resident);
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
      const auto outcome = executor.run(*inFlight[k], turn);
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

// The blocks a profile looks at: all, or whole waves spread over the grid.
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

}  // namespace

RunResult Device::run(const Program& original, const LaunchConfig& config, const RunOptions& options) {
  if (const std::string problem = launchProblem(original, config); !problem.empty())
    throw Error(original.kernel + ": " + problem);
  RunResult result;
  std::vector<std::pair<Reg, uint64_t>> addresses;
  for (const GlobalVariable& g : original.globals) addresses.push_back({g.reg, globalVariable(g)});
  const uint64_t blocks = threadsOf(config.grid);
  const unsigned jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  const bool isTogether = original.usesGridSync;
  const bool inOrder = isTogether || original.ordersBlocks || options.schedule.random || options.profiling ||
                       jobs == 1 || blocks == 1;

  const bool canRepeat = options.rerunInOrder && !options.profiling && (!inOrder || options.stepOnRace);
  std::optional<Snapshot> before;
  bool marked = false, foretold = false, strayed = false;
  const auto attempt = [&](bool serial, bool inStep = false) {
    LaunchState launch(original, config, options, memory, textures);
    for (auto [reg, address] : addresses) broadcast(launch.uniforms, reg, Scalar::U64, address);
    if (!marked) {
      marked = true;
      foretold = markChanging(memory, launch, canRepeat);
      if (canRepeat) before.emplace(memory);
    }
    launch.stopOnStray = foretold && canRepeat && original.formats.empty();  // nothing is printed twice
    if (serial && launch.shadow) launch.shadow->withoutLocks();
    if (options.target) {
      const target::Target& t = *options.target;
      const Findings::Side start{0, {0, 0}, 0, false, false};
      if (launch.sharedBytes > t.sharedPerBlockOptIn)
        launch.findings.add(FindingKind::SharedTooLarge, FindingClass::Error, start, nullptr, nullptr,
                            fmt::format("a block needs {} bytes of shared memory; {} has {}",
                                        launch.sharedBytes, t.title, t.sharedPerBlockOptIn));
      if (launch.threadsPerBlock > t.threadsPerBlock)
        launch.findings.add(FindingKind::BlockTooLarge, FindingClass::Error, start, nullptr, nullptr,
                            fmt::format("a block of {} threads; {} takes {}", launch.threadsPerBlock, t.title,
                                        t.threadsPerBlock));
    }
    std::vector<uint64_t> order(serial && !options.profiling ? blocks : 0);
    std::iota(order.begin(), order.end(), 0);
    if (options.schedule.random) {
      std::mt19937_64 random(options.schedule.seed);
      std::shuffle(order.begin(), order.end(), random);
    }
    if (options.profiling) {
      Profiling& p = *options.profiling;
      order = isTogether ? [&] {
        std::vector<uint64_t> all(blocks);
        std::iota(all.begin(), all.end(), 0);
        return all;
      }()
                         : sampledBlocks(blocks, p.options, p.target->partitions != 0);
      launch.profiler = std::make_unique<Profiler>(original, *p.target, launch.shape, p.options);
      if (isTogether) {
        for (uint64_t k : order)
          launch.profiler->startBlock(unsigned(k % p.target->multiprocessors), k, launch.warpsPerBlock);
        result.completed = runTogether(launch, order);
      } else {
        result.completed = runProfiled(launch, order, std::max(1u, p.residentBlocks),
                                       std::max(1u, p.target->multiprocessors));
      }
      p.counters = launch.profiler->finish();
    } else if (isTogether) {
      result.completed = runTogether(launch, order);
    } else if (serial) {
      result.completed = runInOrder(launch, order, inStep);
    } else {
      result.completed = runParallel(launch, blocks, unsigned(std::min<uint64_t>(jobs, blocks)));
    }
    result.warpInstructions = launch.instructions;
    strayed = launch.stopOnStray && launch.strayWrite;
    if (strayed) return false;
    const bool conflict = launch.shadow && launch.shadow->foundBlockConflict();
    const bool again =
        !serial && options.rerunInOrder && (conflict || !launch.findings.empty() || launch.stop);
    if (!again && !inStep) result.findings = launch.findings.take();
    return again;
  };
  const auto racesInBlock = [&] {
    constexpr uint64_t tooLong = 20'000'000;  // instructions: in step they take several times as long
    if (!options.stepOnRace || result.warpInstructions > tooLong || options.schedule.random || isTogether)
      return false;
    for (const Finding& f : result.findings)
      if (f.kind == FindingKind::Race && !f.betweenBlocks && f.space == "global") return true;
    return false;
  };
  // In parallel first; where the outcome could depend on the order of blocks, again in order.
  bool again = attempt(inOrder);
  if (strayed) {  // a pointer left its buffer for one that was not to change
    before->restore();
    for (const auto& [base, b] : memory.buffers()) b->mayChange = true;
    foretold = false;
    before.emplace(memory);
    again = attempt(inOrder);
  }
  if (again && before) {
    before->restore();
    attempt(true);
  }
  if (before && racesInBlock()) {
    before->restore();
    attempt(true, true);
  }
  return result;
}

}  // namespace hone::sim
