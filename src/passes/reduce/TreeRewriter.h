// Trees in a kernel replaced by shuffles, and what reads their arrays behind them by the totals.
#pragma once

#include "passes/edit/Names.h"
#include "passes/reduce/BlockTrees.h"

namespace hone::passes {

// Statements that stand for trees where one thread does the work of all: `total = value`, by which the
// values of the threads become one.
using TreeMarks = std::map<const ir::Stmt*, TreeTotal>;

class TreeRewriter {
 public:
  TreeRewriter(const TreeKernel& treeKernel, std::vector<BlockTree> blockTrees);

  // Leaves trees out of which more is used than their totals. Refuses where none is left.
  Obstacle check();
  const std::vector<BlockTree>& left() const { return trees; }
  // The body of a copy of the kernel, whose constants have the threads of a block.
  ir::StmtPtr rewritten(ir::Kernel& kernel);
  // The same with a mark in the place of each tree instead of its steps.
  ir::StmtPtr marked(ir::Kernel& kernel, TreeMarks& marks);

 private:
  class Uses;

  const TreeKernel& of;
  std::vector<BlockTree> trees;

  ir::StmtList written(const BlockTree& tree, const std::set<size_t>& used,
                       const std::set<const ir::Variable*>& behind, std::vector<ir::VarPtr>& totals,
                       Names& names, const ir::ExprPtr& thread, const ir::ExprPtr& threads,
                       ir::StmtList& shared, TreeMarks* marks) const;
  ir::StmtPtr rewritten(ir::Kernel& kernel, TreeMarks* marks);
};

}  // namespace hone::passes
