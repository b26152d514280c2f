// Replicas that the original does not have, where its grid does not divide.
#pragma once

#include "passes/merge/ReplicaMasks.h"

namespace hone::passes {

// Asks of what differs between replicas whether they exist, each axis by itself; the first replica along each
// axis always does, so what does not differ goes unasked, barriers and the loops around them among it; with
// `asThreads`, where every replica does also what does not differ, all are asked before they write global
// memory. Null where that is not possible.
ir::StmtPtr askExistence(const ir::StmtPtr& body, const Replicas& replicas,
                         const std::array<ir::ExprPtr, 3>& exists, bool asThreads);

}  // namespace hone::passes
