// A body in which variables are known numbers.
#pragma once

#include "ir/Substitute.h"

namespace hone::passes {

// The body with `numbers` (literals of the variables' types) in place of variables that it does not change.
// Integer arithmetic, choices and variables of the thread's own that are then numbers are worked out;
// arithmetic of floating-point numbers stays as it is.
ir::StmtPtr withConstants(const ir::StmtPtr& body, const ir::Substitution& numbers);

}  // namespace hone::passes
