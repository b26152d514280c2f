// Conditions that differ between replicas, moved to where they are needed, so that loops and barriers are the
// same for all of them.
#pragma once

#include "passes/edit/Names.h"
#include "passes/merge/ReplicaValues.h"

namespace hone::passes {

// Before: `if (x < w) { …; for (…) …; … }`. After: the loop outside, what touches memory or outer variables
// guarded by itself; where no barrier is inside and that can be said, all of it under the condition that some
// replica has work. Replicas that stay threads (`asThreads`) gain by it only where a barrier is inside.
ir::StmtPtr splitGuards(const ir::StmtPtr& body, const Replicas& replicas, Names& names,
                        bool asThreads = false);

// Drops guards around arithmetic on variables that nobody reads where the guard does not hold.
ir::StmtPtr dropGuards(const ir::StmtPtr& body, const Replicas& replicas);

}  // namespace hone::passes
