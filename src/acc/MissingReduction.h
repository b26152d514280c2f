// Reductions that a loop needs and no clause names.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

/// Of a loop that is independent because the program says so: sums and the like that its iterations make
/// together, in a variable or in one element of an array. Those of a loop that is not spread are none.
std::vector<MissingReduction> missingReductions(const WorkRegion& work, const ir::StmtPtr& loop,
                                                LoopPlan plan);

}  // namespace hone::acc
