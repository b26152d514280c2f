// Statements that compute what nothing uses.
#pragma once

#include <set>

#include "ir/Walk.h"

namespace hone::passes {

// Variables of the thread's own whose values nothing reads but themselves.
std::set<const ir::Variable*> deadVariables(const ir::StmtPtr& body);

// The body without dead variables, other than those of `forward-stores`, without what computes them, and
// without ifs and counted loops that are then empty. Nothing with an effect goes.
ir::StmtPtr withoutDeadCode(const ir::StmtPtr& body, const std::set<const ir::Variable*>& keep);

}  // namespace hone::passes
