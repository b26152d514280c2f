// Atomic constructs to the platform's atomics.
#pragma once

#include "acc/Hazards.h"
#include "acc/WorkRegion.h"

namespace hone::acc {

/// The statements of an atomic construct's block, with the memory they change changed at once: an atomic
/// function where there is one for operator and type, else a loop of compare-and-swap. `isMemory` says which
/// variables other threads see; one of the thread's own needs no atomic.
ir::StmtList lowerAtomic(WorkRegion& work, const ir::StmtPtr& block, frontend::AccAtomicKind kind,
                         const IsMemory& isMemory);

}  // namespace hone::acc
