#include "sim/count/CountLines.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/count/MemoryCost.h"

namespace hone::sim {

namespace {

class Gatherer {
 public:
  Gatherer(const Counters& c, const Program& p, const target::Target& t)
      : counters(c), program(p), target(t), weight(machineInstructions(p, t)) {
    for (const auto& [pc, m] : c.memory)
      if (writes(pc)) written += m.l2Sectors;
    perSecond = t.multiprocessors * t.clockGHz * 1e9;
  }

  void add(uint32_t pc, LineCount& out) const {
    const InstructionCount& i = counters.instructions[pc];
    const double machineCount = weight[pc];
    if (machineCount > 0) {
      const auto times = [&](uint64_t n) {
        return static_cast<uint64_t>(std::llround(static_cast<double>(n) * machineCount));
      };
      out.warps += times(i.warps);
      out.lanes += times(i.lanes);
      out.cost.issue += static_cast<double>(i.warps) * machineCount / target.issue / perSecond;
    }
    const auto found = counters.memory.find(pc);
    if (found == counters.memory.end()) return;
    const MemoryCount& m = found->second;
    const Op op = program.code[pc].op;
    (op == Op::Atomic ? out.atomics : op == Op::Store ? out.stores : out.loads).add(m);
    out.cost.shared += sharedCycles(m, target) / perSecond;
    if (target.l1KiB) out.cost.l1 += l1Cycles(m, target) / perSecond;
    if (target.l2GBs > 0) out.cost.l2 += l2Bytes(m, target) / (target.l2GBs * 1e9);
    double dram = dramBytes(m.dramSectors, m.dramVisits, target);
    if (writes(pc) && written) {
      const double share = static_cast<double>(m.l2Sectors) / static_cast<double>(written);
      out.dramWritten += static_cast<uint64_t>(
          std::llround(share * static_cast<double>(counters.writtenBackSectors + counters.dirtySectors)));
      dram += share * writtenBytes(counters, target);
    }
    out.cost.dram += dram / (target.reachedGBs * 1e9);
  }

  double machine(uint32_t pc) const { return weight[pc]; }

 private:
  const Counters& counters;
  const Program& program;
  const target::Target& target;
  std::vector<double> weight;  // machine instructions, by pc
  uint64_t written = 0;        // sectors that stores and atomics sent to the L2
  double perSecond;            // cycles of all multiprocessors

  bool writes(uint32_t pc) const {
    return program.code[pc].op == Op::Store || program.code[pc].op == Op::Atomic;
  }
};

}  // namespace

MemoryCount LineCount::memory() const {
  MemoryCount sum = loads;
  sum.add(stores);
  sum.add(atomics);
  return sum;
}

std::vector<LineCount> countLines(const Counters& counters, const Program& program,
                                  const target::Target& target) {
  const Gatherer gatherer(counters, program, target);
  std::map<std::pair<uint32_t, uint32_t>, LineCount> lines;
  for (uint32_t pc = 0; pc < counters.instructions.size(); ++pc) {
    const Location at = program.at(pc);
    if (!at.line || !counters.instructions[pc].warps) continue;
    LineCount& line = lines[{at.file, at.line}];
    line.file = program.file(at);
    line.line = at.line;
    gatherer.add(pc, line);
  }
  std::vector<LineCount> out;
  for (auto& [key, line] : lines) out.push_back(std::move(line));
  return out;
}

KernelCount countKernel(const Counters& counters, const Program& program, const target::Target& target) {
  const Gatherer gatherer(counters, program, target);
  KernelCount out;
  for (uint32_t pc = 0; pc < counters.instructions.size(); ++pc) {
    gatherer.add(pc, out.all);
    out.byClass[static_cast<size_t>(classOf(program, pc))] += static_cast<uint64_t>(
        std::llround(static_cast<double>(counters.instructions[pc].warps) * gatherer.machine(pc)));
  }
  return out;
}

}  // namespace hone::sim
