#include "tune/CostliestLine.h"

namespace hone::tune {

namespace {

double costOf(const sim::LineCount& line, sim::Limiter limiter) {
  switch (limiter) {
    case sim::Limiter::Dram: return line.cost.dram;
    case sim::Limiter::L2: return line.cost.l2;
    case sim::Limiter::L1: return line.cost.l1;
    case sim::Limiter::SharedMemory: return line.cost.shared;
    case sim::Limiter::Issue: return line.cost.issue;
    case sim::Limiter::Atomics: return static_cast<double>(line.atomics.sectors + line.atomics.wavefronts);
    default: return 0;
  }
}

}  // namespace

CostliestLine costliestLine(const sim::Counters& counters, const sim::Program& program,
                            const target::Target& target, sim::Limiter limiter) {
  CostliestLine out;
  double all = 0, most = 0;
  for (const sim::LineCount& line : sim::countLines(counters, program, target)) {
    const double cost = costOf(line, limiter);
    all += cost;
    if (cost <= most) continue;
    most = cost;
    out.file = line.file;
    out.line = line.line;
  }
  out.share = all > 0 ? most / all : 0;
  return out;
}

}  // namespace hone::tune
