// Values that loops inside of a loop leave in a variable.
#pragma once

#include "ir/Stmt.h"

namespace hone::acc {

/// The loops, outer ones first, in which alone an iteration of `loop` names the variable, where each
/// iteration of the innermost gives it a value before it reads it, and their numbers of iterations are the
/// same in all iterations of `loop`: all of these leave a value, or none does. Empty: it is not like that.
ir::StmtList loopsThatAssign(const ir::For& loop, const ir::Variable& var);

/// Whether each of them has an iteration; null: there are none of them.
ir::ExprPtr haveIterations(const ir::StmtList& loops);

}  // namespace hone::acc
