// Before: several short loops in a row, each of which asks whether it may take its wide form, the same for
// all threads of the block. After: one question for all of them, what of it never changes answered before the
// loop around them.
#pragma once

#include "passes/vector/VectorGroups.h"

namespace hone::passes {

// The body with both forms of such runs of statements. Groups that need not ask any more have no `allHold`;
// their loops are in the first form, and the second holds copies.
ir::StmtPtr chooseByBlock(const ir::Kernel& kernel, VectorGroups& groups);

}  // namespace hone::passes
