// Conditions that hold where they stand are not tested again.
#pragma once

#include "ir/Stmt.h"

namespace hone::passes {

// Parts of conditions, of ifs and of ?:, that an if around them tests as well are left out. What is
// recognised: the same comparison of values that do not change.
ir::StmtPtr withoutImplied(const ir::StmtPtr& body);

}  // namespace hone::passes
