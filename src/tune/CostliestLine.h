// The source line that has the largest part in what limits a launch.
#pragma once

#include "sim/count/CountLines.h"
#include "sim/model/TimeModel.h"

namespace hone::tune {

struct CostliestLine {
  std::string file;
  unsigned line = 0;  // 0: the limit is none that lines have a part in
  double share = 0;   // of what all lines cost there
};

// `counters` are those of the whole grid.
CostliestLine costliestLine(const sim::Counters& counters, const sim::Program& program,
                            const target::Target& target, sim::Limiter limiter);

}  // namespace hone::tune
