// Whether what a block reads of an array in a round of a loop was written in that round.
#pragma once

#include "affine/KernelModel.h"

namespace hone::analysis {

struct RoundCoverage {
  bool isCovered = false;  // proved: every element that one of `reads` touches in a round, one of `writes`
                           // touches in the same round
  std::string reason;      // why not, or why it is not known
};

// The accesses name one array and stand inside the loop; the order within a round is not looked at.
RoundCoverage coveredInRound(const affine::KernelModel& model, const std::vector<int>& reads,
                             const std::vector<int>& writes, int loop);

}  // namespace hone::analysis
