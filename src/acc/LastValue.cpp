#include "acc/LastValue.h"

#include "acc/LoopCount.h"
#include "acc/Notes.h"
#include "acc/VariableUse.h"
#include "ir/Build.h"
#include "ir/Walk.h"

namespace hone::acc {

using namespace ir;

namespace {

// A number made of values that do not change.
bool isFixed(const ExprPtr& e, const std::set<const Variable*>& changed) {
  bool is = true;
  walkExprs(e, [&](const Expr& one) {
    if (const auto* var = one.as<VarRef>())
      is &= !changed.contains(var->var.get());
    else
      is &= !one.is<Subscript>() && !one.is<Call>();
  });
  return is;
}

// The statement of a loop's body that alone names the variable; null: there are several, or it may be passed.
StmtPtr onlyNaming(const StmtPtr& body, const Variable& var) {
  StmtPtr only;
  for (const StmtPtr& s : meantOf(body)) {
    if (leavesEarly(s)) return nullptr;
    if (!mentions(s, &var)) continue;
    if (only) return nullptr;
    only = s;
  }
  return only;
}

}  // namespace

StmtList loopsThatAssign(const For& loop, const Variable& var) {
  std::set<const Variable*> changed = assignedVariables(loop.body);
  changed.merge(declaredVariables(loop.body));
  if (const auto count = loopCount(loop)) changed.insert(count->var.get());
  StmtList result;
  for (StmtPtr body = loop.body;;) {
    const StmtPtr only = onlyNaming(body, var);
    const auto* inner = only ? as<For>(only) : nullptr;
    const auto count = inner ? loopCount(*inner) : std::nullopt;
    if (!count) return {};
    for (const ExprPtr& e : {count->begin, count->end, count->step})
      if (!isFixed(e, changed)) return {};
    result.push_back(only);
    const VariableUse use = useOf(inner->body, var);
    if (use.exposed) return {};
    if (use.definite) return result;
    body = inner->body;
  }
}

ExprPtr haveIterations(const StmtList& loops) {
  ExprPtr all;
  for (const StmtPtr& loop : loops) {
    const ExprPtr trips = tripsOf(*loopCount(*as<For>(loop)));
    ExprPtr has = binary(BinaryOp::Gt, trips, intLit(0, trips->type));
    all = all ? binary(BinaryOp::LogicalAnd, all, has) : has;
  }
  return all;
}

}  // namespace hone::acc
