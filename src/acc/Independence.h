// Whether the iterations of a loop may run at once, where the source does not say so.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

/// Empty: they may. Else what stands against it, naming the access.
std::string whyDependent(const WorkRegion& work, const ir::StmtPtr& loop);

}  // namespace hone::acc
