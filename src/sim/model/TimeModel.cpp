#include "sim/model/TimeModel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "ir/CountOf.h"
#include "sim/count/InstructionClass.h"
#include "sim/count/MemoryCost.h"
#include "sim/model/RedundantLoads.h"

namespace hone::sim {

namespace {

// What is left to be done where loads are left out, or come together with their neighbours. Caches serve what
// is left out; their misses stay.
Counters withoutLoadsAtHand(Counters counters, const std::vector<double>& shares) {
  for (auto& [pc, m] : counters.memory) {
    const double share = shares[pc];
    if (share == 1) continue;
    for (uint64_t* count : {&m.requests, &m.sharedRequests, &m.constantRequests, &m.sectors, &m.lines,
                            &m.wavefronts, &m.minimumWavefronts})
      *count = static_cast<uint64_t>(static_cast<double>(*count) * share);
  }
  return counters;
}

struct Model {
  std::vector<double> shares;  // of loads, by pc
  const Counters counters;
  const Program& program;
  const target::Target& target;
  const target::Occupancy& occupancy;
  MemoryCount total;
  std::vector<double> weight;    // machine instructions, by pc
  std::vector<double> together;  // iterations of loops, by pc
  double busy = 1;               // multiprocessors that work, on average until the last one is done
  double cyclesPerSecond;
  TimeEstimate out;

  Model(const Counters& c, const Program& p, const target::Target& t, const target::Occupancy& o,
        const std::set<std::string>& alignedShared)
      : shares(loadShares(p, alignedShared)),
        counters(withoutLoadsAtHand(c, shares)),
        program(p),
        target(t),
        occupancy(o),
        total(counters.total()),
        weight(machineInstructions(p, t)),
        together(iterationsTogether(p, t)),
        cyclesPerSecond(t.clockGHz * 1e9) {
    for (uint32_t pc = 0; pc < weight.size(); ++pc) weight[pc] *= shares[pc];
    // The multiprocessor with the most blocks is the last to finish.
    const double blocks = static_cast<double>(std::max<uint64_t>(1, c.blocks));
    busy = blocks / std::ceil(blocks / t.multiprocessors);
  }

  void term(Limiter limiter, double seconds, std::string why) {
    out.terms.push_back({limiter, seconds, std::move(why)});
  }
  // Cycles of all multiprocessors together.
  double seconds(double cycles) const { return cycles / busy / cyclesPerSecond; }

  void dram() {
    double cost = writtenBytes(counters, target), queued = cost;
    for (const auto& [pc, m] : counters.memory) {
      const double one = dramBytes(m.dramSectors, m.dramVisits, target);
      cost += one;
      // How evenly the first iterations of an access use the partitions holds for all of them.
      queued += m.partitionEven
                    ? one * static_cast<double>(m.partitionBusiest) / static_cast<double>(m.partitionEven)
                    : one;
    }
    const double camping = cost > 0 ? queued / cost : 1;
    const double bytes = 32 * static_cast<double>(total.dramSectors + counters.writtenBackSectors +
                                                  counters.filledSectors + counters.dirtySectors);
    std::string why = fmt::format("{:.1f} MB at {:.0f} GB/s", bytes / 1e6, target.reachedGBs);
    if (cost > 1.2 * bytes) why += fmt::format(", scattered: costs as much as {:.1f} MB", cost / 1e6);
    if (camping > 1.2) why += fmt::format(", partitions used {:.1f} times unevenly", camping);
    term(Limiter::Dram, cost * camping / (target.reachedGBs * 1e9), std::move(why));
  }

  void l2() {
    if (target.l2GBs <= 0) return;
    const double bytes = static_cast<double>(total.l2Sectors) * 32, cost = l2Bytes(total, target);
    std::string why = fmt::format("{:.1f} MB at {:.0f} GB/s", bytes / 1e6, target.l2GBs);
    if (cost > 1.2 * bytes)
      why += fmt::format(", sectors written in part among them: costs as much as {:.1f} MB", cost / 1e6);
    term(Limiter::L2, cost / (target.l2GBs * 1e9), std::move(why));
  }

  void l1() {
    if (!target.l1KiB) return;
    const double requests = static_cast<double>(total.globalRequests() + total.localRequests);
    double cycles = 0;
    for (const auto& [pc, m] : counters.memory) cycles += l1Cycles(m, target);
    term(Limiter::L1, seconds(cycles),
         fmt::format("{:.0f} requests of {:.1f} lines", requests,
                     requests > 0 ? static_cast<double>(total.lines) / requests : 0.0));
  }

  void sharedMemory() {
    if (!total.wavefronts) return;
    term(Limiter::SharedMemory, seconds(sharedCycles(total, target)),
         fmt::format("{} passes through the banks, {:.2f} for each that is needed", total.wavefronts,
                     static_cast<double>(total.wavefronts) /
                         static_cast<double>(std::max<uint64_t>(1, total.minimumWavefronts))));
  }

  void issue() {
    std::array<double, instructionClasses> byClass{};
    double all = 0;
    for (uint32_t pc = 0; pc < counters.instructions.size(); ++pc) {
      const double times = static_cast<double>(counters.instructions[pc].warps), n = times * weight[pc];
      const Op op = program.code[pc].op;
      const bool isMemory = op == Op::Load || op == Op::Store || op == Op::Atomic;
      byClass[static_cast<size_t>(classOf(program, pc))] += isMemory ? std::min(n, times) : n;
      // What is more than the access itself computes its address.
      if (isMemory) byClass[static_cast<size_t>(InstructionClass::Integer)] += std::max(0.0, n - times);
      all += n;
    }
    auto of = [&](InstructionClass c) { return byClass[static_cast<size_t>(c)]; };
    const double lanes = target.warpSize;
    const double memory =
        of(InstructionClass::Global) + of(InstructionClass::Shared) + of(InstructionClass::Local);
    const struct {
      const char* name;
      double cycles;
      bool isArithmetic = false;
    } pipes[] = {
        {"of all kinds", all / target.issue},
        {"32-bit float most", of(InstructionClass::Fp32) * lanes / target.lanesPerMultiprocessor, true},
        {"64-bit float most", of(InstructionClass::Fp64) * lanes / target.fp64Lanes, true},
        {"integer most", of(InstructionClass::Integer) * lanes / target.intLanes},
        {"special function most", of(InstructionClass::Special) * lanes / target.specialLanes, true},
        {"load and store most", memory * lanes / target.loadStoreLanes}};
    const auto* worst = std::max_element(std::begin(pipes), std::end(pipes),
                                         [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
    term(Limiter::Issue, seconds(worst->cycles),
         fmt::format("{:.0f} warp instructions, {}", all, worst->name));
    // With work for all multiprocessors.
    for (const auto& pipe : pipes)
      if (pipe.isArithmetic)
        out.arithmeticSeconds =
            std::max(out.arithmeticSeconds, pipe.cycles / target.multiprocessors / cyclesPerSecond);
  }

  void blockStart() {
    const double warps = static_cast<double>(counters.warps);
    term(Limiter::BlockStart, seconds(warps * target.warpStartCycles),
         fmt::format("{:.0f} warps, {} cycles each", warps, target.warpStartCycles));
  }

  void atomics() {
    if (!counters.busiestAtomics) return;
    const double passes = static_cast<double>(counters.busiestAtomics);
    term(Limiter::Atomics, passes * target.atomicNs * 1e-9,
         fmt::format("{:.0f} passes over the same {} bytes", passes, target.atomicBytes));
  }

  // Cycles until a value loaded by this instruction arrives, on average.
  double latencyOf(const MemoryCount& m) const {
    if (m.sharedRequests * 2 > m.requests) {
      const double passes = static_cast<double>(m.wavefronts) / static_cast<double>(m.requests);
      return target.sharedCycles +
             (passes - 1) * std::max(1.0, target.banks * target.bankBytes / target.sharedBytesPerCycle);
    }
    if (m.constantRequests * 2 > m.requests) return target.l1Cycles;
    if (!target.l2EffectiveKiB) return target.dramCycles;
    const double requests = static_cast<double>(m.requests);
    return target.l1Cycles +
           static_cast<double>(m.waitsForL2) / requests * (target.l2Cycles - target.l1Cycles) +
           static_cast<double>(m.waitsForDram) / requests * (target.dramCycles - target.l2Cycles);
  }

  // How long one warp takes by itself: its instructions one after another, and the latency of loads. Loads
  // that do not need each other's values are started together; a warp waits when an address or a condition
  // needs one, at a barrier and at the end of each iteration of a loop.
  double warpCycles() const {
    if (!counters.warps) return 0;
    const double warps = static_cast<double>(counters.warps);
    double cycles = 0;
    std::vector<std::pair<double, double>> underWay;  // latency of each load, and how often it was made
    std::set<Reg> onTheWay;                           // registers whose value waits for a load
    bool isUsed = false;                              // whether something was computed from one of them
    // Of loads started together the slowest counts, and the others as far as they were made more often.
    // All warps of a block wait at a barrier for a load that some of them made.
    const double warpsOfBlock = warps / static_cast<double>(std::max<uint64_t>(1, counters.blocks));
    auto wait = [&](double iterations = 1, double barriers = 0) {
      std::sort(underWay.rbegin(), underWay.rend());
      double covered = 0;
      for (const auto& [latency, made] : underWay) {
        const double often = std::max(made, std::min(barriers, made * warpsOfBlock));
        cycles += latency * std::max(0.0, often - covered) / warps / iterations;
        covered = std::max(covered, often);
      }
      onTheWay.clear();
      underWay.clear();
      isUsed = false;
    };
    unsigned depth = 0;
    std::vector<bool> jumps;  // choices around: whether they are made by jumps
    for (uint32_t pc = 0; pc < counters.instructions.size(); ++pc) {
      const Instr& i = program.code[pc];
      const double times = static_cast<double>(counters.instructions[pc].warps);
      cycles += times * weight[pc] / warps * issueGap();
      depth += i.op == Op::Loop;
      depth -= i.op == Op::LoopEnd && depth;
      // A choice waits for its truth value; straight code has something else to do meanwhile.
      if (depth && i.op >= Op::Eq32 && i.op <= Op::LeF64)
        cycles +=
            times * weight[pc] / warps * target.scheduling.comparisonLatencies * target.arithmeticCycles;
      // Loads move up to the start of a stretch of code without jumps, not beyond: what uses one in this
      // stretch waits at its end.
      if (i.op == Op::If) jumps.push_back(isJump(pc));
      if ((i.op == Op::If || i.op == Op::Else || i.op == Op::EndIf) && isUsed && !jumps.empty() &&
          jumps.back())
        wait();
      if (i.op == Op::EndIf && !jumps.empty()) jumps.pop_back();
      if (i.op == Op::If && weight[pc] == 0 && !onTheWay.empty() && onTheWay.contains(i.a))
        if (const auto end = endOfComputation(pc)) {
          // Made by predicates: what it sets waits as well, the warp does not.
          for (uint32_t at = pc + 1; at < *end; ++at)
            if (program.code[at].dst != noReg) onTheWay.insert(program.code[at].dst);
          continue;
        }
      const bool isMemory = i.op == Op::Load || i.op == Op::Store || i.op == Op::Atomic;
      const bool needsOne =
          !onTheWay.empty() && (onTheWay.contains(i.a) || onTheWay.contains(i.b) ||
                                (!isMemory && onTheWay.contains(i.c)) || usesInCall(i, onTheWay));
      // What is stored must have arrived before a later load, which may be of the same place; shared memory
      // is another matter.
      const bool storesOne = i.op == Op::Store && i.space != MemorySpace::Shared && onTheWay.contains(i.dst);
      if (storesOne) wait();
      isUsed = isUsed || usesInCall(i, onTheWay) || (i.op == Op::Store && onTheWay.contains(i.dst));
      if (i.op >= Op::If || (isMemory && needsOne)) {
        const bool isCheap =
            i.op == Op::EndIf || i.op == Op::Else || i.op == Op::ContinueJoin || i.op == Op::WarpSync;
        if (!onTheWay.empty() && !isCheap &&
            (needsOne || i.op == Op::LoopBack || i.op == Op::LoopEnd || i.op == Op::BlockBarrier))
          wait(i.op == Op::LoopBack && !needsOne ? together[pc] : 1, i.op == Op::BlockBarrier ? times : 0);
        if (i.op == Op::BlockBarrier) cycles += times / warps * target.sharedCycles;
      }
      if (i.op == Op::Load || i.op == Op::Atomic) {
        const auto found = counters.memory.find(pc);
        if (found == counters.memory.end() || !found->second.requests) continue;
        for (unsigned r = 0; r < i.count * registerUnits(i.type); ++r)
          onTheWay.insert(static_cast<Reg>(i.dst + r));
        underWay.emplace_back(latencyOf(found->second), static_cast<double>(found->second.requests));
      } else if (i.dst != noReg && !isMemory) {
        if (needsOne) {
          onTheWay.insert(i.dst);
          isUsed = isUsed || weight[pc] > 0;
        } else
          onTheWay.erase(i.dst);
      }
    }
    wait();
    return cycles;
  }

  // Whether a choice is made by a jump: predicates serve where little is to be done, and on one side only.
  bool isJump(uint32_t pc) const {
    double work = 0;
    bool loads = false, isOther = false;
    unsigned inside = 0;
    for (uint32_t at = pc + 1; at < program.code.size(); ++at) {
      const Op op = program.code[at].op;
      if (op == Op::EndIf && inside-- == 0) return false;
      if (op == Op::If) ++inside;
      if (op == Op::Else && inside == 0) isOther = true;
      const bool isMemory = op == Op::Load || op == Op::Store || op == Op::Atomic;
      if (isMemory && isOther && loads) return true;
      loads = loads || isMemory;
      work += op == Op::If ? 0 : weight[at];
      const bool isControl = op >= Op::Loop && op < Op::MarkUnset && op != Op::WarpSync;
      if (work > target.compiler.predicatedInstructions || isControl) return true;
    }
    return false;
  }

  // Where a choice without accesses to memory ends; nothing for others.
  std::optional<uint32_t> endOfComputation(uint32_t pc) const {
    for (uint32_t at = pc + 1; at < program.code.size(); ++at) {
      const Op op = program.code[at].op;
      if (op == Op::EndIf) return at;
      if (op >= Op::Lea) return std::nullopt;
    }
    return std::nullopt;
  }

  bool usesInCall(const Instr& i, const std::set<Reg>& pending) const {
    if (i.op != Op::CallPure && i.op != Op::Exchange && i.op != Op::CallMachine) return false;
    const auto& args = program.calls[static_cast<size_t>(i.imm)].args;
    return std::any_of(args.begin(), args.end(), [&](Reg r) { return pending.contains(r); });
  }

  // A block makes room only when its last warp is done: the more warps, the longer the others' places stay
  // empty.
  double drainSeconds() const {
    if (!counters.blocks || out.waves <= 1) return 0;
    const double warpsOfBlock = static_cast<double>(counters.warps) / static_cast<double>(counters.blocks);
    const target::SchedulingModel& model = target.scheduling;
    return out.waves * model.drainShare * target.dramCycles *
           std::max(0.0, std::log2(warpsOfBlock / model.drainWarps)) / cyclesPerSecond;
  }

  // Cycles from one instruction of a warp to the next, on average.
  double issueGap() const {
    const double share = target.scheduling.dependentShare;
    return target.arithmeticCycles * share + (1 - share);
  }

  void latency() {
    const double resident = std::max(1u, occupancy.blocks);
    const double perWave = target.multiprocessors * resident;
    const double blocks = static_cast<double>(std::max<uint64_t>(1, counters.blocks));
    out.waves = blocks / perWave;
    // The last wave takes as long as a full one.
    const double waves = out.waves > target.scheduling.wholeWaves ? out.waves : std::ceil(out.waves);
    const double cycles = warpCycles();
    const bool isPartial =
        blocks < target.multiprocessors || (out.waves < 1 && occupancy.share > 0.25 && out.waves < 0.5);
    term(isPartial ? Limiter::TooFewBlocks : Limiter::Latency, waves * cycles / cyclesPerSecond,
         fmt::format("{:.1f} waves of {:.0f} cycles, {} at a time", waves, cycles,
                     ir::countOf(static_cast<uint64_t>(std::min(blocks, perWave)), "block")));
    // Full waves hold what occupancy allows; the last one, or the only one, what is left.
    const double lastShare = out.waves - std::floor(out.waves);
    const double wavesBegun = std::max(1.0, std::ceil(out.waves));
    out.achievedOccupancy = occupancy.share * (std::floor(out.waves) + lastShare) / wavesBegun;
  }
};

}  // namespace

const char* str(Limiter limiter) {
  switch (limiter) {
    case Limiter::Dram: return "DRAM";
    case Limiter::L2: return "L2";
    case Limiter::L1: return "L1";
    case Limiter::SharedMemory: return "shared memory";
    case Limiter::Issue: return "issue";
    case Limiter::Atomics: return "atomics";
    case Limiter::Latency: return "latency";
    case Limiter::TooFewBlocks: return "too few blocks";
    case Limiter::BlockStart: return "starting blocks";
    case Limiter::Launch: break;
  }
  return "launch";
}

TimeEstimate estimateTime(const Counters& counters, const Program& program, const target::Target& target,
                          const target::Occupancy& occupancy, const std::set<std::string>& alignedShared) {
  Model model(counters, program, target, occupancy, alignedShared);
  model.dram();
  model.l2();
  model.l1();
  model.sharedMemory();
  model.issue();
  model.blockStart();
  model.atomics();
  model.latency();
  model.term(Limiter::Launch, target.launchUs * 1e-6, "an empty kernel");
  TimeEstimate& out = model.out;
  std::sort(out.terms.begin(), out.terms.end(),
            [](const TimeTerm& a, const TimeTerm& b) { return a.seconds > b.seconds; });
  // Terms overlap, but not perfectly: those near the limit add something.
  double cubes = 0;
  for (const TimeTerm& t : out.terms)
    if (t.limiter != Limiter::Launch) cubes += t.seconds * t.seconds * t.seconds;
  out.seconds = std::cbrt(cubes) + model.drainSeconds() + target.launchUs * 1e-6;
  out.limiter = out.terms.front().limiter;
  return out;
}

}  // namespace hone::sim
