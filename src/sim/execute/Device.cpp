// Launches: attempts in parallel and in order, findings out.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "ir/Error.h"
#include "sim/execute/Executor.h"
#include "sim/execute/ScheduleBlocks.h"
#include "sim/execute/TimeLimit.h"
#include "sim/execute/WrittenBuffers.h"

namespace hone::sim {

namespace {

constexpr uint64_t bytesOfAccess = 128;  // of a warp, at most as a rule

// What the launch asks for and the machine or the kernel does not allow.
std::string launchProblem(const Program& program, const LaunchConfig& c) {
  const uint64_t threads = volume(c.block);
  if (threads == 0 || volume(c.grid) == 0) return "a launch needs at least one block of one thread";
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

}  // namespace

RunResult Device::run(const Program& original, const LaunchConfig& config, const RunOptions& options) {
  if (secondsLeft() <= 0) throw OutOfTime();
  if (const std::string problem = launchProblem(original, config); !problem.empty())
    throw Error(original.kernel + ": " + problem);
  RunResult result;
  memory.forgetFreed();
  std::vector<std::pair<Reg, uint64_t>> addresses;
  for (const GlobalVariable& g : original.globals) addresses.push_back({g.reg, globalVariable(g)});
  const uint64_t blocks = volume(config.grid);
  const unsigned jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  const bool isTogether = original.usesGridSync;
  const bool inOrder = isTogether || original.ordersBlocks || options.schedule.random || options.profiling ||
                       options.edgesOnly || jobs == 1 || blocks == 1;

  // What a launch takes from the heap cannot be taken again.
  const bool canRepeat =
      options.rerunInOrder && !options.profiling && !original.usesHeap && (!inOrder || options.stepOnRace);
  std::optional<Snapshot> before;
  bool marked = false, foretold = false, strayed = false;
  const auto attempt = [&](bool serial, bool inStep = false) {
    LaunchState launch(original, config, options, memory, textures);
    for (auto [reg, address] : addresses) launch.setUniform(reg, Scalar::U64, address);
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
    if (options.edgesOnly && serial && !isTogether) order = edgeBlocks(config.grid);
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
        result.completed = runProfiled(launch, order, std::max(1u, p.residentBlocks), *p.target);
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
    result.isOverWork = launch.isOverWork || launch.isOverBytes;
    // What it did until it was ended hangs on how its threads took turns.
    result.work = launch.isOverWork    ? options.mostWork
                  : launch.isOverBytes ? options.mostBytesMade / bytesOfAccess
                                       : launch.work.load();
    strayed = launch.stopOnStray && launch.strayWrite;
    if (strayed) return false;
    const bool conflict = launch.shadow && launch.shadow->foundBlockConflict();
    const bool again = !serial && options.rerunInOrder && !result.isOverWork &&
                       (conflict || !launch.findings.empty() || launch.stop);
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
