// Statements of a kernel that are of no use in blocks for none of whose threads a mask holds.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "affine/KernelModel.h"

namespace hone::passes {

// Conditions over the block, each of which will do; empty: none is known.
using IdleConditions = std::vector<affine::CondPtr>;

class IdleWork {
 public:
  // Every statement of the model's kernel is a node of its own, none is a return. With `keptLoop` answers are
  // for single iterations of this loop, and may depend on its counter.
  explicit IdleWork(const affine::KernelModel& model, affine::LoopId keptLoop = {});

  // Where blocks may leave out statements that are the last of the kernel; nothing: they are of no use
  // anywhere.
  std::optional<IdleConditions> toLeaveBefore(const ir::StmtList& stmts);
  // Where they may leave out a statement behind which the kernel goes on: nobody looks at what it works out.
  // Of the body of the kept loop: in an iteration and in all that follow it.
  std::optional<IdleConditions> toLeaveOut(const ir::StmtPtr& s);
  // Whether their threads go through a loop or meet in the statement all the same.
  bool isDoneAnyway(const ir::StmtPtr& s, const IdleConditions& where);

  // Of the model: what the last answers rely on.
  const std::set<unsigned>& requirements() const { return needed; }

 private:
  IdleConditions whereNever(const affine::CondPtr& cond) const;
  IdleConditions inBranch(const ir::StmtPtr& choice, bool otherwise, const IdleConditions& around);
  IdleConditions inLoop(const ir::StmtPtr& loop, const IdleConditions& around);
  bool relyOnGuardsIn(const ir::StmtPtr& s);
  void narrow(const IdleConditions& by);
  void effects(const ir::StmtPtr& s, const IdleConditions& around, bool inLoopOfIt);
  void effectsOfAccesses(const ir::StmtPtr& s, const IdleConditions& around);
  void effectsOfCalls(const ir::StmtPtr& s, const IdleConditions& around);
  void worksOut(const ir::Variable* var, const IdleConditions& unless);
  void reads(const ir::StmtPtr& s, const IdleConditions& around);

  const affine::KernelModel& model;
  const affine::LoopId kept;
  std::map<const ir::Stmt*, affine::CondPtr> branches;
  std::map<const ir::Stmt*, affine::LoopId> loops;
  std::map<const ir::Stmt*, std::vector<affine::AccessId>> accessesOf;
  std::set<unsigned> needed;
  std::optional<IdleConditions> all;  // for what was met so far; nothing: nothing was
  // What statements that are left out give values to, and where they would not.
  std::map<const ir::Variable*, IdleConditions> workedOut;
  const ir::Stmt* leftOut = nullptr;
};

}  // namespace hone::passes
