// Nests of loops that one directive is for: collapse and tile.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

/// Every loop with `collapse` or `tile` that may run in parallel becomes one loop over all iterations of its
/// nest; where `staysNest` says so, the loops of the nest get directives of their own instead. Element loops
/// of tiles need no loops of their own: tiles only say which iterations are near each other.
void collapseAll(WorkRegion& work, const std::function<bool(const ir::StmtPtr&)>& staysNest);

}  // namespace hone::acc
