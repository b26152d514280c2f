// Trees written by hand: statements by which the threads of a block put one value each together, in shared
// memory or by shuffles, however they go about it.
#pragma once

#include "analysis/Facts.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/reduce/TreeRun.h"

namespace hone::passes {

// One value of each thread of the block, put together.
struct TreeTotal {
  ir::ExprPtr input;  // each thread's, worked out before the first statement
  Combine how = Combine::Add;
  const ir::Intrinsic* call = nullptr;
  ir::ExprPtr bound;  // the infinity that stays where all values are NaN; null: NaN does
  bool isExact() const { return input->type->isInteger() || (call && !call->traits.assumesNumbers); }
};

// A variable of the thread's own that holds a total behind the statements, in some threads or in all.
struct TreeResult {
  ir::VarPtr var;
  size_t total = 0;
  ThreadSet threads;
  bool isDeclared = false;  // by the statements
};

struct BlockTree {
  ir::StmtPtr list;  // the Block that the statements stand in
  size_t first = 0, count = 0;
  bool isInLoop = false;
  unsigned barriers = 0;  // of the block, that each thread comes to
  std::vector<TreeTotal> totals;
  std::vector<TreeResult> results;
  ir::StmtList kept;  // declarations that what follows needs
  std::set<const ir::Variable*> arrays;
  std::map<std::pair<const ir::Variable*, int64_t>, size_t> elements;  // that hold a total

  ir::StmtList statements() const;
  const ir::SourceLoc& loc() const { return ir::as<ir::Block>(list)->stmts[first]->loc; }
};

// Which trees are looked for.
struct TreeSearch {
  unsigned lanes = 0;     // neighbouring threads whose values become one; 0: all of the block
  bool takesAll = false;  // also those that wait no more often than they must, or not at all
};

// Trees of a kernel, which has no calls that touch memory, in the order of its text; `facts` are those of the
// kernel with this block. Refuses where there is none.
Result<std::vector<BlockTree>> blockTrees(const TreeKernel& kernel, analysis::Facts& facts, bool reassociate,
                                          const TreeSearch& search = {});

}  // namespace hone::passes
