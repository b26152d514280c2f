// Whether what a block reads of an array in an iteration of a loop was written in that iteration.
#pragma once

#include "affine/KernelModel.h"

namespace hone::analysis {

struct IterationCoverage {
  bool isCovered = false;  // proved: every element that one of `reads` touches in an iteration, one of
                           // `writes` touches in the same iteration
  std::string reason;      // why not, or why it is not known
};

// The accesses name one array and stand inside the loop; the order within an iteration is not looked at.
IterationCoverage coveredInIteration(const affine::KernelModel& model,
                                     const std::vector<affine::AccessId>& reads,
                                     const std::vector<affine::AccessId>& writes, affine::LoopId loop);

}  // namespace hone::analysis
