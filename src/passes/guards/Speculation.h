// What threads of a block may do for which a guard does not hold: nothing that they, or others, could notice.
#pragma once

#include <set>

#include "passes/edit/Harmless.h"
#include "passes/guards/GuardSinker.h"
#include "passes/guards/SinkGuards.h"

namespace hone::passes {

class Speculation {
 public:
  Speculation(const ir::Kernel& kernel, const SinkOptions& options);

  // Every thread may work it out: no memory but what is readable anyway, nothing that traps, no variable
  // without a value.
  bool isFree(const ir::ExprPtr& value, const GuardedRegion& region) const;
  bool isFree(const ir::StmtPtr& s, const GuardedRegion& region) const;
  // Whether threads for which the guard does not hold begin and end the loop with the others.
  bool isSameForAll(const ir::For& loop, const GuardedRegion& region) const;
  // Whether a value is made of what may be older in these threads than in the others.
  bool readsStale(const ir::ExprPtr& e, const GuardedRegion& region) const;

  size_t refsTo(const ir::Variable* var) const;  // in the whole kernel
  bool isPointedTo(const ir::Variable* var) const { return pointedTo.contains(var); }

  // Arrays of which each thread that does the statement sets what others that do it set, whatever it holds.
  static void setArrays(const ir::StmtPtr& s, std::set<const ir::Variable*>& into);
  // What a loop's header reads when the loop begins and at each of its iterations.
  static std::set<const ir::Variable*> readByHeader(const ir::For& loop);

 private:
  bool isConfined(const ir::VarPtr& var, const GuardedRegion& region) const;
  bool mayLoad(const ir::ExprPtr& place, const GuardedRegion& region) const;
  HarmlessRules rules(const GuardedRegion& region) const;
  bool areFree(const ir::StmtList& list, GuardedRegion region) const;

  const SinkOptions& options;
  RefCounts references;
  std::set<const ir::Variable*> pointedTo;
};

}  // namespace hone::passes
