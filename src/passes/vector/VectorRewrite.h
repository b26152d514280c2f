// Puts wide accesses where groups of neighbouring ones stand.
#pragma once

#include "passes/vector/VectorGroups.h"

namespace hone::passes {

// The kernel of the facts' model with all groups done.
ir::KernelPtr withWideAccesses(const VectorFacts& facts, const VectorGroups& groups);

}  // namespace hone::passes
