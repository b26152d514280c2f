// Loads that are the same for several replicas, done once for them.
#pragma once

#include "passes/edit/Names.h"
#include "passes/merge/ReplicaMasks.h"

namespace hone::passes {

struct LoadsOnce {
  ir::StmtPtr body;
  std::vector<std::string> arrays;  // what is loaded once, by name, in the order met
};

// A load in a statement that must be repeated along more axes than the load depends on becomes a variable of
// its own before it. Under a guard it is loaded where the guard holds for some of the replicas, 0 elsewhere:
// nothing is read that the original does not read. `along` names each axis in comments ("kPerX").
LoadsOnce loadOnce(const ir::StmtPtr& body, const Replicas& replicas, Names& names,
                   const std::array<ir::ConstantRole, 3>& along);

}  // namespace hone::passes
