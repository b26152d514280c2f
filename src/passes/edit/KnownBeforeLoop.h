// Values of a loop's iterations as they are known before the first of them: by the loop's variable, and by
// what no iteration changes.
#pragma once

#include "affine/KernelModel.h"
#include "ir/Substitute.h"

namespace hone::passes {

class KnownBeforeLoop {
 public:
  // `inner`: variables of loops inside that values may name too.
  KnownBeforeLoop(const ir::Kernel& kernel, const ir::For& loop, std::set<const ir::Variable*> inner = {});

  // Whether each iteration comes to an access, once.
  bool isEachIteration(const affine::Access& access) const;
  // The place of an access; null: not known.
  ir::ExprPtr before(const affine::Access& access) const;
  // The value of an expression that stands in an iteration and reads nothing from memory; null: not known.
  ir::ExprPtr before(const ir::ExprPtr& e) const;
  // The same, if what it reads from memory does not change.
  ir::ExprPtr valueBefore(const ir::ExprPtr& e) const;
  // Variables of an iteration that are known, with their values.
  const ir::Substitution& known() const { return values; }
  // Whether iterations may give it different values that are not known.
  bool isUnknown(const ir::Variable* var) const;

 private:
  ir::StmtList statements;
  std::set<const ir::Variable*> counters;
  std::set<const ir::Variable*> unknown;
  ir::Substitution values;
};

}  // namespace hone::passes
