// Finding loops by their handles and putting statements in the place of others.
#pragma once

#include <span>

#include "ir/Handles.h"
#include "ir/Substitute.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

// The kernel with every statement a node of its own, so that a statement names one place: the same when it is
// like that already.
ir::KernelPtr withDistinctStatements(const ir::KernelPtr& kernel);

// The body with one statement replaced by others; it stands in a Block.
ir::StmtPtr replaceStmt(const ir::StmtPtr& body, const ir::StmtPtr& what, const ir::StmtList& by);
// The same for `count` neighbours of one Block, beginning with `first`.
ir::StmtPtr replaceRun(const ir::StmtPtr& body, const ir::StmtPtr& first, size_t count,
                       const ir::StmtList& by);
// The Block whose statement it is, and where; null when there is none.
struct Position {
  ir::StmtPtr block;
  size_t index = 0;
  const ir::StmtList& list() const { return block->as<ir::Block>()->stmts; }
};
Position positionOf(const ir::StmtPtr& body, const ir::StmtPtr& stmt);

// Variables that an expression names.
std::set<const ir::Variable*> variablesOf(const ir::ExprPtr& e);
// What must hold before a loop for it to have an iteration, worked out from its first values; null when that
// cannot be said there. True for do-while.
ir::ExprPtr firstIterationCondition(const ir::Stmt& loop);
const ir::StmtPtr& bodyOf(const ir::Stmt& loop);
bool isLoop(const ir::Stmt& s);
bool containsBarrier(const ir::StmtPtr& s);

// Whether a statement below leaves: by break or continue that belongs to `loop` itself (the body of one), by
// return.
struct Exits {
  bool breaks = false, continues = false, returns = false;
};
Exits exitsOf(const ir::StmtPtr& body);

// The number of a loop by its handle; where there is none the refusal lists those there are.
Result<size_t> findLoop(const std::vector<ir::LoopHandle>& loops, const std::string& handle);

}  // namespace hone::passes
