// One plan of several: which of them runs is decided by the size of the launch.
#pragma once

#include "ir/Plan.h"
#include "tune/SizeClasses.h"

namespace hone::tune {

struct Dispatch {
  ir::PlanPtr plan;
  std::map<size_t, std::string>
      names;  // of the classes, by variant: "small", "large"; those of the original have none
};

// `plans` are those of the tree's variants; that of variant 0 is the original's. Kernels are renamed after
// their class. Nothing is left to decide where the tree is one leaf.
Dispatch dispatchPlan(const SizeTree& tree, const std::vector<ir::PlanPtr>& plans);

}  // namespace hone::tune
