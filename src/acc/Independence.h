// Whether the iterations of a loop may run at once, where the source does not say so.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

struct Dependent {
  std::string why;  ///< what stands against it, naming the access; empty: they may
  /// Reductions that no clause names; they have to be made where the loop is spread.
  std::vector<frontend::AccReduction> reductions;
  /// Pairs of captured variables (numbers in AccRegion::captured): where these lead to memory of their own,
  /// nothing stands against it. Empty: something else does, or nothing at all.
  std::vector<std::pair<int, int>> ifApart;
};
Dependent whyDependent(const WorkRegion& work, const ir::StmtPtr& loop);

}  // namespace hone::acc
