// What becomes of a variable's value: whether statements may read what was there before them, and whether it
// is read behind a loop.
#pragma once

#include "ir/Stmt.h"

namespace hone::acc {

struct VariableUse {
  bool exposed = false;   ///< may read the value from before
  bool definite = false;  ///< gives the variable a value as a whole, whichever way is taken
};

VariableUse useOf(const ir::StmtPtr& s, const ir::Variable& var);
VariableUse useOf(const ir::StmtList& stmts, const ir::Variable& var);
/// Whether what `inner`, a statement somewhere in `root`, leaves in the variable may be read behind it.
bool isReadBehind(const ir::StmtPtr& root, const ir::Stmt& inner, const ir::Variable& var);
/// A break, continue or return in it that leaves it.
bool leavesEarly(const ir::StmtPtr& s);
/// A continue of the loop whose body it is.
bool continuesLoop(const ir::StmtPtr& body);

}  // namespace hone::acc
