#include "acc/MissingReduction.h"

#include <algorithm>

#include "acc/ImplicitReduction.h"
#include "acc/LoopCount.h"
#include "acc/Privatize.h"
#include "acc/ReductionValues.h"
#include "emit/Emit.h"
#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::acc {

using namespace ir;

namespace {

using Variables = std::set<const Variable*>;

Variables reducedByClauses(const WorkRegion& work) {
  Variables known = work.ofConstruct;
  for (const auto& [stmt, one] : work.notes.loops)
    for (const frontend::AccReduction& reduction : one.asked.reductions) known.insert(reduction.var.get());
  return known;
}

Variables namedByAtomics(const WorkRegion& work) {
  Variables known;
  for (const StmtPtr& one : work.notes.kept)
    if (work.notes.atomics.contains(one.get()))
      walkExprs(one, [&](const Expr& e) {
        if (const auto* name = e.as<VarRef>()) known.insert(name->var.get());
      });
  return known;
}

// += and the like, and x = x + … of a number.
std::optional<BinaryOp> operatorOf(const Assign& n) {
  if (!n.place->type->isArithmetic()) return std::nullopt;
  if (n.op) return n.op;
  const auto* sum = as<Binary>(withoutCasts(n.value));
  if (!sum) return std::nullopt;
  const bool isFirst = equal(withoutCasts(sum->lhs), n.place),
             isSecond = equal(withoutCasts(sum->rhs), n.place) && sum->op != BinaryOp::Sub;
  return isFirst || isSecond ? std::optional(sum->op) : std::nullopt;
}

const char* clauseOperator(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: return "+";
    case BinaryOp::Mul: return "*";
    case BinaryOp::BitAnd: return "&";
    case BinaryOp::BitOr: return "|";
    case BinaryOp::BitXor: return "^";
    default: return nullptr;
  }
}

// Elements that every iteration of the loop updates, whatever its number.
class SharedElements {
 public:
  SharedElements(const WorkRegion& theWork, const StmtPtr& theLoop, const LoopPlan& plan,
                 const Variables& named)
      : work(theWork), loop(*as<For>(theLoop)), known(named) {
    own = declaredVariables(loop.body);
    for (const VarPtr& one : plan.asked.privates) own.insert(one.get());
    changed = assignedVariables(loop.body);
    changed.insert(own.begin(), own.end());
    if (const auto count = loopCount(loop)) changed.insert(count->var.get());
  }

  std::vector<MissingReduction> find() {
    look(loop.body);
    return std::move(found);
  }

 private:
  // What a condition may leave to one of the iterations is passed over.
  void look(const StmtPtr& s) {
    if (work.notes.atomics.contains(s.get())) return;
    if (const auto* assignment = as<Assign>(s)) update(*assignment);
    if (const auto* inner = as<For>(s))
      look(inner->body);
    else if (const auto* list = as<Block>(s))
      for (const StmtPtr& one : list->stmts) look(one);
  }

  void update(const Assign& n) {
    const auto* element = as<Subscript>(n.place);
    const auto op = element ? operatorOf(n) : std::nullopt;
    const VarPtr root = element ? rootVariable(n.place) : nullptr;
    if (!op || !clauseOperator(*op) || !root || known.contains(root.get()) || own.contains(root.get()) ||
        changesWithLoop(*element))
      return;
    const std::string what = emit::emitExpr(n.place, Language::Cuda);
    const auto isSame = [&](const MissingReduction& one) { return one.what == what; };
    if (std::none_of(found.begin(), found.end(), isSame))
      found.push_back({root, what,
                       "its iterations write " + what + " together; a variable with reduction(" +
                           clauseOperator(*op) + ":…) has to take its place there"});
  }

  // An array that is assigned is the same one all the same, a pointer is not.
  bool changesWithLoop(const Subscript& element) const {
    const auto* base = as<VarRef>(element.base);
    bool is = !base || (base->var->type->isPointer() && changed.contains(base->var.get()));
    for (const ExprPtr& index : element.indices)
      walkExprs(index, [&](const Expr& e) {
        if (const auto* var = e.as<VarRef>()) is |= changed.contains(var->var.get());
        is |= e.is<Subscript>() || e.is<Call>();
      });
    return is;
  }

  const WorkRegion& work;
  const For& loop;
  const Variables& known;
  Variables own, changed;
  std::vector<MissingReduction> found;
};

}  // namespace

std::vector<MissingReduction> missingReductions(const WorkRegion& work, const StmtPtr& loop, LoopPlan plan) {
  const Variables reduced = reducedByClauses(work), atomic = namedByAtomics(work);
  plan.inner = Inner::Lanes;  // as if it were spread
  std::vector<MissingReduction> result;
  for (const VarPtr& var : assignedInside(work, loop, plan).shared) {
    if (reduced.contains(var.get()) || atomic.contains(var.get()) || var->type->is(TypeKind::Array)) continue;
    if (const auto op = implicitReduction(*as<For>(loop), *var)) {
      const std::string clause = "reduction(" + std::string(str(*op)) + ":" + var->name + ")";
      result.push_back(
          {var, var->name,
           "its iterations write " + var->name + " together, for which " + clause + " is missing"});
    }
  }
  for (MissingReduction& one : SharedElements(work, loop, plan, reduced).find())
    result.push_back(std::move(one));
  return result;
}

}  // namespace hone::acc
