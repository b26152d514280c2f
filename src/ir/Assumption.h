// Statements that tell the compiler what it may assume (__builtin_assume). They compute nothing.
#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

StmtPtr assume(ExprPtr condition, SourceLoc loc = {});
// What a statement says, null where it says nothing of the kind.
ExprPtr assumed(const Stmt& s);

}  // namespace hone::ir
