// Turns the returns of a function body into assignments of a result, without a goto.
#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

bool containsReturn(const StmtPtr& s);

// The one value a body returns as its last act, when there is no other return; `found` says whether it has
// that form. A body without any return has it too, with a null value.
struct LastReturn {
  bool found = false;
  ExprPtr value;
};
LastReturn lastReturn(const StmtList& body);

// Returns end all paths they are on when what follows them is moved into the other branch.
bool hasTailReturns(const StmtList& body);

// Such a body with each return replaced by an assignment to `result` (null: nothing is returned).
StmtList assignTailReturns(const StmtList& body, const ExprPtr& result);

// Any body: wrapped into do { … } while (false), each return an assignment and a break. `returned` is the
// flag that a return inside a nested loop or switch sets, and must be declared false before when `needsFlag`
// says so.
bool needsFlag(const StmtList& body);
StmtPtr breakOnReturns(const StmtList& body, const ExprPtr& result, const ExprPtr& returned);

}  // namespace hone::ir
