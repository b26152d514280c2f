// Arrays of the thread's own that are filled and stored as a whole: `*(uint4*)a_part = *(const uint4*)(a +
// i)`.
#pragma once

#include "ir/Stmt.h"

namespace hone::sim {

// The moves element by element, through a vector of the array's own type, as a compiler sees them that keeps
// the array in registers. Nothing then takes the array's address for them. Locations stay.
ir::StmtPtr withMovesByElement(const ir::StmtPtr& body);

}  // namespace hone::sim
