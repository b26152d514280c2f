#include "tune/EstimatePlan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "device/WalkPlan.h"
#include "ir/Build.h"
#include "ir/Error.h"
#include "ir/HostIteration.h"
#include "ir/Walk.h"
#include "passes/host/PlanEdit.h"
#include "sim/model/ArraysInRegisters.h"
#include "sim/model/EstimateRegisters.h"

namespace hone::tune {

using namespace ir;

namespace {

// Instructions of warps that one estimate may take: a tenth of a second or so.
constexpr double instructionsPerEstimate = 400'000;
constexpr double mostInstructionsPerEstimate = 10 * instructionsPerEstimate;
constexpr uint64_t fewestBlocks = 4;
// Of estimates at sizes besides the one that recipes are looked for at.
constexpr double effortBesides = 0.25;
// A grid of which an estimate can run less than this shows more of itself when its loops are shorter.
constexpr double smallestFraction = 0.02;
constexpr int64_t shortestLoop = 256, shortestLoopWithPartitions = 1024;
// Instructions of a warp of the original, and of one that does the work of many of its threads.
constexpr uint64_t mostProbeSteps = 25'000, mostStepsOfVariant = 500'000;
// Of all warps that are looked at together: a few seconds.
constexpr uint64_t mostWorkOfEstimate = 32'000'000;
constexpr int64_t smallestSize = 64;
constexpr const char* runsTooLong = "a thread of it runs for too long here";
// Longer arrays have no end in estimates: a sample of the blocks touches little of them.
constexpr uint64_t mostElementsWithEnd = 1 << 20;

// As many as there is time for, where one takes `each` instructions; few of those that do the work of many,
// so long as neighbours can be seen to share.
uint64_t blocksToRun(double each, double effort) {
  const auto affordable = [&](double instructions) {
    return static_cast<uint64_t>(effort * instructions / each);
  };
  return std::max({affordable(instructionsPerEstimate),
                   std::min(fewestBlocks, affordable(mostInstructionsPerEstimate)), uint64_t(1)});
}

double instructionsOf(const sim::Counters& counters) {
  double all = 0;
  for (const sim::InstructionCount& count : counters.instructions) all += static_cast<double>(count.warps);
  return all;
}

double instructionsOfBlock(const sim::Counters& counters) {
  return std::max(1.0,
                  instructionsOf(counters) / static_cast<double>(std::max<uint64_t>(1, counters.blocks)));
}

// What a plan does with a launch, with nothing run.
class UnrunSteps : public device::PlanSteps {
 public:
  uint64_t makeBuffer(const ir::Variable&, uint64_t, uint64_t) override { return uint64_t{1} << 60; }
  bool launch(const device::ConcreteLaunch&) override { return true; }
};

}  // namespace

const LaunchEstimate* PlanEstimate::longest() const {
  const auto found =
      std::ranges::max_element(launches, {}, [](const LaunchEstimate& one) { return one.time.seconds; });
  return found == launches.end() ? nullptr : &*found;
}

namespace {

// Those of the sizes that loops run up to.
std::vector<std::string> loopSizes(const device::CaseMaker& maker, const std::vector<std::string>& sizes) {
  std::vector<std::string> loops;
  for (const std::string& name : sizes)
    if (boundsLoop(*maker.facts().inlined, name)) loops.push_back(name);
  return loops;
}

// Where loops that run up to this parameter begin: at another one, or at zero.
int64_t beginOfLoops(const device::CaseMaker& maker, const device::Case& c, const std::string& name) {
  int64_t most = 0;
  walkStmts(maker.facts().inlined->body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    const auto count = loop ? counted(*loop) : std::nullopt;
    const VarPtr end = count ? rootVariable(withoutCasts(count->end)) : nullptr;
    if (!end || end->name != name || !count->begin) return;
    const VarPtr begin = rootVariable(withoutCasts(count->begin));
    const auto found = begin ? c.numbers.find(begin->name) : c.numbers.end();
    if (found != c.numbers.end()) most = std::max(most, found->second.value.asWhole());
  });
  return most;
}

// Halves what loops have to do up to those of the sizes for which no less than `least` is left. False: none
// is.
bool halve(device::CaseWish& wish, const device::CaseMaker& maker, const device::Case& c,
           const std::vector<std::string>& names, int64_t least) {
  bool changed = false;
  for (const std::string& name : names) {
    const int64_t begin = beginOfLoops(maker, c, name), rest = c.numbers.at(name).value.asWhole() - begin;
    if (rest < 2 * least) continue;
    wish.sizes[name] = begin + rest / 2;
    changed = true;
  }
  return changed;
}

}  // namespace

bool PlanEstimator::boundsThreads(const device::CaseMaker& maker, const std::string& name) const {
  bool found = false;
  walkStmts(maker.facts().inlined->body, [&](const Stmt& s) {
    const auto* branch = s.as<If>();
    if (branch)
      walkExprs(branch->cond, [&](const Expr& e) {
        const auto* var = e.as<VarRef>();
        found = found || (var && var->var->name == name);
      });
  });
  if (found || isSharedOut(maker.facts(), name)) return true;
  device::CaseWish other = wish;
  other.sizes[name] = std::max<int64_t>(1, c.numbers.at(name).value.asWhole() / 2);
  return maker.make(other).grid != c.grid;
}

PlanEstimator::PlanEstimator(const device::CaseMaker& maker, const PlanPtr& plan,
                             const target::Target& target, double share)
    : machine(target), original(plan), wish(sizesToRank(maker)), effort(share) {
  findCase(maker);
}

PlanEstimator::PlanEstimator(const device::CaseMaker& maker, const PlanPtr& plan,
                             const target::Target& target, const std::map<std::string, int64_t>& sizes,
                             device::HostText::Turn turn)
    : machine(target), original(plan), wish(sizesToRank(maker)), effort(effortBesides) {
  wish.turn = turn;
  for (const auto& [name, size] : sizes) {
    wish.sizes[name] = size;
    asked.insert(name);
  }
  findCase(maker);
}

PlanEstimator::PlanEstimator(const device::CaseMaker& maker, const PlanPtr& plan,
                             const target::Target& target, const std::map<std::string, int64_t>& sizes,
                             double share)
    : machine(target), original(plan), wish(sizesToRank(maker)), effort(share) {
  for (const auto& [name, size] : sizes) wish.sizes[name] = size;
  findCase(maker);
}

void PlanEstimator::findCase(const device::CaseMaker& maker) {
  // Lengths are not looked for: arrays have no end here.
  device::DataOptions options;
  options.run.checkRaces = options.run.checkUninitialized = false;
  options.run.print = [](const std::string&) {};
  sim::Profiling few;
  few.target = &machine;
  few.options.caches = false;
  few.options.sampleBlocks = fewestBlocks;
  options.run.profiling = &few;
  options.probeSteps = mostProbeSteps;
  options.onlyLengths = true;
  const std::vector<std::string> loops = loopSizes(maker, maker.freeSizes());
  bool wasCutShort = false;
  const device::CaseWish whole = wish;
  device::Programs originals;
  std::vector<std::string> ofLoops = loops;
  if (loops.empty())
    for (const std::string& name : maker.freeSizes())
      if (maker.facts().ofLoops.contains(name)) ofLoops.push_back(name);
  // Threads that run for long are shown with less to do: what an iteration costs stays the same. Sizes that
  // the user gave come last.
  const auto shorten = [&] {
    return halve(wish, maker, c, ofLoops, smallestSize) ||
           halve(wish, maker, c, loopSizes(maker, maker.sizeNames()), smallestSize);
  };
  for (;;) {
    c = maker.make(wish);
    std::erase_if(c.lengths, [](const auto& length) { return length.second > mostElementsWithEnd; });
    data = device::prepareData(c, *original, originals, options);
    const double wholeGrid = instructionsOfBlock(few.counters) * double(c.grid[0]) * c.grid[1] * c.grid[2];
    workSpent += static_cast<double>(data.work);
    wasCutShort |= data.isCutShort;
    if (data.isCutShort) {
      if (shorten()) continue;
    } else if (wholeGrid * smallestFraction > instructionsPerEstimate) {
      std::vector<std::string> loopsOnly;
      for (const std::string& name : loops)
        if (!boundsThreads(maker, name)) loopsOnly.push_back(name);
      if (halve(wish, maker, c, loopsOnly, machine.partitions ? shortestLoopWithPartitions : shortestLoop))
        continue;
    }
    setUp();
    ofOriginal.reset();
    // Few of the blocks were looked at; others may run for longer, such as the first ones of a triangle.
    if (wasCutShort && of(original).problem.starts_with(runsTooLong) && shorten()) continue;
    break;
  }
  const std::vector<std::string> notGiven = maker.freeSizes();
  for (const auto& [name, size] : wish.sizes)
    if (std::find(notGiven.begin(), notGiven.end(), name) == notGiven.end() && !device::axisOfBlocks(name))
      shortened[name] = size;
  isGiven = shortened.empty();
  findMeant(maker, whole);
  for (const std::string& name : loops) isGiven &= c.numbers.at(name).origin != device::Origin::Guess;
}

void PlanEstimator::findMeant(const device::CaseMaker& maker, const device::CaseWish& whole) {
  const device::Case before = maker.make(whole);
  device::CaseWish real = wish;
  bool differs = false;
  for (const auto& [name, size] : wish.sizes) {
    const auto number = before.numbers.find(name);
    if (number == before.numbers.end() || number->second.value.asWhole() == size) continue;
    if (!asked.contains(name) && (number->second.origin == device::Origin::Guess || number->second.isByGuess))
      continue;
    differs = true;
    if (const auto wished = whole.sizes.find(name); wished != whole.sizes.end())
      real.sizes[name] = wished->second;
    else
      real.sizes.erase(name);
  }
  if (differs) meant = maker.make(real);
}

void PlanEstimator::setUp() {
  isChangedInPlace = std::any_of(c.facts->arrays.begin(), c.facts->arrays.end(), [](const auto& array) {
    return array.second.isRead && array.second.isWritten;
  });
  memory = std::make_unique<device::CaseMemory>(c, data);
  memory->allocateElastic();
}

PlanEstimator::PlanEstimator(const PlanEstimator& other)
    : machine(other.machine),
      original(other.original),
      c(other.c),
      data(other.data),
      shortened(other.shortened),
      asked(other.asked),
      meant(other.meant),
      isGiven(other.isGiven),
      wish(other.wish),
      effort(other.effort) {}

PlanEstimator::PlanEstimator(const PlanEstimator& other, const std::string& name, int64_t value)
    : machine(other.machine), original(other.original), c(other.c), data(other.data) {
  c.numbers.at(name).value = device::wholeNumber(value);
  setUp();
}

PlanEstimator* PlanEstimator::atFirstIteration() {
  const auto& iteration = original->original->iteration;
  const auto value = iteration && iteration->first ? constantValue(iteration->first) : std::nullopt;
  if (!value) return nullptr;
  const std::string& name = iteration->counter->name;
  const auto now = c.numbers.find(name);
  if (now == c.numbers.end() || now->second.value.asWhole() == *value) return nullptr;
  if (!firstIteration) firstIteration.reset(new PlanEstimator(*this, name, *value));
  return firstIteration.get();
}

double PlanEstimator::ofOneIteration(const PlanPtr& plan, device::Programs& programs,
                                     const PlanEstimate& call, uint64_t ofLoop) {
  const uint64_t calls = ofLoop / call.iterations, left = ofLoop % call.iterations;
  if (calls == 0) return call.seconds / call.iterations;
  double seconds = double(calls) * call.seconds;
  // What threads touch may lie otherwise in the first iterations.
  uint64_t ignored = 0;
  if (PlanEstimator* begin = atFirstIteration())
    if (const PlanEstimate first = begin->ofCall(plan, programs, ignored);
        first.isKnown() && first.iterations == call.iterations)
      seconds += first.seconds - call.seconds;
  if (left > 0) {
    seconds += double(left) * of(original).seconds;
  }
  return seconds / double(ofLoop);
}

void PlanEstimator::release() {
  memory.reset();
  firstIteration.reset();
}

PlanEstimate PlanEstimator::of(const PlanPtr& plan) {
  if (plan != original) return estimated(plan);
  if (!ofOriginal) ofOriginal = estimated(plan);
  return *ofOriginal;
}

PlanEstimate PlanEstimator::withRegisters(const PlanPtr& plan, unsigned times) {
  registerTimes = times;
  PlanEstimate out = estimated(plan);
  registerTimes = 1;
  return out;
}

bool PlanEstimator::fallsBackAt(const PlanPtr& plan, const device::Case& at) const {
  // Where arrays lie does not matter: far apart.
  constexpr unsigned bitsOfArray = 44;
  UnrunSteps steps;
  device::PlanLaunch launch;
  launch.grid = at.grid;
  launch.block = at.block;
  launch.dynamicShared = data.dynamicShared;
  launch.cooperative = at.cooperative;
  launch.arguments = device::argumentBytes(at, data, [&](const device::ArrayData& array) {
    return static_cast<uint64_t>(&array - data.arrays.data() + 1) << bitsOfArray;
  });
  try {
    return device::walkPlan(*plan, launch, steps).fellBack;
  } catch (const Error&) {
    return false;
  }
}

PlanEstimate PlanEstimator::estimated(const PlanPtr& plan) {
  // What one estimate stored must not decide what the next one does.
  if (!memory || isChangedInPlace) setUp();
  uint64_t doubtful = 0;
  const PlanPtr compiled = ir::mapLaunches(plan, [&](const LaunchStep& launch) -> Step {
    LaunchStep one = launch;
    one.kernel = sim::arraysInRegisters(launch.kernel, machine.compiler, &doubtful);
    return one;
  });
  // What threads keep in memory costs little while the L1 holds it, and many times as much where a variant
  // has more of it, or more that passes by.
  if (plan != original && doubtful > 0) {
    PlanEstimate unknown;
    unknown.problem =
        "compilers may leave loops of it whole that subscript arrays of a thread's own, and keep these in "
        "memory";
    return unknown;
  }
  // Byte code of these kernels, which nobody asks for again.
  device::Programs programs;
  uint64_t ofLoop = 0;
  PlanEstimate out = ofCall(compiled, programs, ofLoop, plan == original);
  out.doubtfulBytes = doubtful;
  if (meant && plan != original) out.missesMeant = fallsBackAt(plan, *meant);
  if (out.iterations > 1 && out.isKnown()) out.seconds = ofOneIteration(compiled, programs, out, ofLoop);
  return out;
}

PlanEstimate PlanEstimator::ofCall(const PlanPtr& plan, device::Programs& programs, uint64_t& ofLoop,
                                   bool isOriginal) {
  PlanEstimate out;
  std::map<std::string, unsigned> blocksAtATime;  // that are asked for, by kernel
  for (const LaunchStep* launch : ir::launchesOf(*plan))
    if (const Kernel& kernel = *launch->kernel; kernel.launchBounds && kernel.launchBounds->minBlocks > 0)
      blocksAtATime[kernel.qualifiedName.empty() ? kernel.name : kernel.qualifiedName] =
          static_cast<unsigned>(kernel.launchBounds->minBlocks);
  std::set<std::string> alignedShared;
  for (const LaunchStep* launch : ir::launchesOf(*plan))
    walkStmts(launch->kernel->body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      if (d && d->var->space == ir::Space::Shared && d->var->alignment >= 16)
        alignedShared.insert(d->var->name);
    });
  const auto held = [&](const sim::Program& program) {
    const auto asked = blocksAtATime.find(program.kernel);
    return asked == blocksAtATime.end() ? 1u : asked->second;
  };
  sim::Profiling profiling;
  target::Occupancy occupancy;
  unsigned registers = 0, wanted = 0;
  uint64_t shared = 0;
  // A block of each launch alone tells how many can be afforded: passes change what a block costs by large
  // factors, up and down.
  bool isFirstLook = true, isEnough = true;
  std::vector<double> costs;
  size_t next = 0;
  device::LaunchHooks hooks;
  hooks.before = [&](const sim::Program& program, const sim::LaunchConfig& config, sim::RunOptions& options) {
    shared = program.staticShared + config.dynamicShared;
    const unsigned threads = config.block[0] * config.block[1] * config.block[2];
    // Kernels are printed with the size of their block, and some with how many of them are to fit: compilers
    // keep to the registers that this leaves a thread.
    wanted = sim::registersWanted(program, machine);
    // What compilers then keep in memory makes it slower by far more than estimates say (docs/time-model.md).
    if (!isOriginal && wanted > machine.registersPerThread + machine.compiler.spareRegisters)
      throw Error(fmt::format("a thread of it would need {} registers; {} has {} for each", wanted,
                              machine.name, machine.registersPerThread),
                  1);
    const unsigned step = machine.compiler.registerStep;
    registers =
        std::min({wanted * registerTimes, machine.registersPerThread,
                  std::max(machine.compiler.leastRegisters,
                           machine.registersPerBlock / std::max(1u, threads * held(program)) / step * step)});
    occupancy = target::occupancyOf(machine, {threads, registers, static_cast<unsigned>(shared)});
    if (!occupancy.blocks)
      throw Error(
          fmt::format(
              "a block of {} threads with {} registers each and {} bytes of shared memory does not fit {}",
              threads, registers, shared, machine.name),
          1);
    profiling = sim::Profiling();
    profiling.target = &machine;
    profiling.options.sampleBlocks = isFirstLook           ? 1
                                     : next < costs.size() ? blocksToRun(costs[next++], effort)
                                                           : fewestBlocks;
    profiling.residentBlocks = occupancy.blocks;
    const unsigned own = machine.sharedPerMultiprocessor - machine.sharedPerBlockOptIn;
    profiling.options.sharedInUse = shared ? (shared + own) * occupancy.blocks : 0;
    options.profiling = &profiling;
  };
  hooks.after = [&](const sim::Program& program, const sim::LaunchConfig& config) {
    if (isFirstLook) {
      costs.push_back(instructionsOfBlock(profiling.counters));
      isEnough &= blocksToRun(costs.back(), effort) == 1;
      if (!isEnough) return;
    }
    LaunchEstimate one;
    one.kernel = program.kernel;
    one.grid = config.grid;
    one.block = config.block;
    one.registers = registers;
    one.sharedBytes = shared;
    one.occupancy = occupancy;
    const sim::Counters whole = sim::wholeGrid(profiling.counters);
    one.memory = whole.total();
    one.barriers = whole.barriers;
    one.touches = one.memory.globalRequests() > 0;
    one.time = sim::estimateTime(whole, program, machine, occupancy, alignedShared);
    if (isOriginal) one.costliest = costliestLine(whole, program, machine, one.time.limiter);
    // Values for which no register is left live in memory: what works on them loads and stores besides.
    const unsigned spare = machine.compiler.spareRegisters;
    if (held(program) > 1 && wanted > registers + spare)
      one.time.seconds *= 1 + static_cast<double>(wanted - registers - spare) / registers;
    out.seconds += one.time.seconds;
    out.launches.push_back(std::move(one));
  };
  sim::RunOptions options;
  options.checkRaces = options.checkUninitialized = false;
  options.rerunInOrder = false;
  options.print = [](const std::string&) {};
  options.jobs = 1;
  options.stepLimit = mostStepsOfVariant;
  options.mostWork = mostWorkOfEstimate;
  const auto look = [&] {
    const device::PlanResult result = memory->run(*plan, programs, options, hooks);
    out.fellBack = result.fellBack;
    out.iterations = result.iterations;
    ofLoop = result.ofLoop;
    for (const sim::Finding& finding : result.findings)
      if (finding.kind == sim::FindingKind::StepLimit) out.problem = runsTooLong + c.howToShorten();
    if (result.isOverWork) out.problem = runsTooLong + c.howToShorten();
    workSpent += static_cast<double>(result.work);
  };
  try {
    // Blocks that wait for each other are run all at once in any case.
    const std::vector<const LaunchStep*> launches = ir::launchesOf(*plan);
    if (std::none_of(launches.begin(), launches.end(),
                     [&](const LaunchStep* launch) { return programs.of(launch->kernel).usesGridSync; }))
      look();
    // Where no more than that block can be afforded it has told everything.
    if (out.isKnown() && (costs.empty() || !isEnough)) {
      isFirstLook = false;
      out.seconds = 0;
      out.launches.clear();
      look();
    }
  } catch (const Error& error) {
    out.problem = error.what();
  }
  if (out.isKnown() && out.launches.empty()) out.problem = "it makes no launch";
  return out;
}

}  // namespace hone::tune
