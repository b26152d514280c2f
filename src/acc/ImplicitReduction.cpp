#include "acc/ImplicitReduction.h"

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::acc {

using namespace ir;
using frontend::AccReductionOp;

namespace {

class ReductionFinder {
 public:
  explicit ReductionFinder(const Variable& theVar) : var(theVar) {}
  std::optional<AccReductionOp> op;
  bool isOther = false;  // an update that is none of a reduction
  size_t mentions = 0;   // of the variable in updates

  void look(const StmtPtr& s) {
    if (const auto* condition = as<If>(s); condition && extremeByIf(*condition)) return;
    if (const auto* assignment = as<Assign>(s); assignment && names(assignment->place)) update(*assignment);
    forEachChild(*s, [&](const StmtPtr& child) { look(child); });
  }

 private:
  bool names(const ExprPtr& e) const {
    const auto* ref = as<VarRef>(withoutCasts(e));
    return ref && ref->var.get() == &var;
  }

  void note(AccReductionOp found, size_t count) {
    if (op && *op != found) isOther = true;
    op = found;
    mentions += count;
  }

  static std::optional<AccReductionOp> operatorOf(BinaryOp what) {
    switch (what) {
      case BinaryOp::Add:
      case BinaryOp::Sub: return AccReductionOp::Add;
      case BinaryOp::Mul: return AccReductionOp::Mul;
      case BinaryOp::BitAnd: return AccReductionOp::BitAnd;
      case BinaryOp::BitOr: return AccReductionOp::BitOr;
      case BinaryOp::BitXor: return AccReductionOp::BitXor;
      default: return std::nullopt;
    }
  }

  void update(const Assign& n) {
    if (n.op) {
      const auto found = operatorOf(*n.op);
      if (found && sameType(n.value->type, usualArithmetic(var.type, var.type))) return note(*found, 1);
      isOther = true;
      return;
    }
    const ExprPtr value = withoutCasts(n.value);
    if (const auto* node = as<Binary>(value);
        node && sameType(value->type, usualArithmetic(var.type, var.type))) {
      const auto found = operatorOf(node->op);
      if (found && (names(node->lhs) || (names(node->rhs) && node->op != BinaryOp::Sub)))
        return note(*found, 2);
    }
    if (const auto* choice = as<Select>(value))
      if (const auto found = extreme(choice->cond, choice->yes, choice->no)) return note(*found, 3);
    if (const auto* call = as<Call>(value);
        call && call->intrinsic && call->args.size() == 2 && (names(call->args[0]) || names(call->args[1]))) {
      const std::string_view id = call->intrinsic->id;
      if (id == "max" || id == "fmax") return note(AccReductionOp::Max, 2);
      if (id == "min" || id == "fmin") return note(AccReductionOp::Min, 2);
    }
    isOther = true;
  }

  // cond ? yes : no, one of which is the variable and both of which are compared.
  std::optional<AccReductionOp> extreme(const ExprPtr& cond, const ExprPtr& yes, const ExprPtr& no) const {
    const auto* compare = as<Binary>(cond);
    if (!compare || names(yes) == names(no)) return std::nullopt;
    const bool lessTest = compare->op == BinaryOp::Lt || compare->op == BinaryOp::Le;
    if (!lessTest && compare->op != BinaryOp::Gt && compare->op != BinaryOp::Ge) return std::nullopt;
    const bool straight = equal(compare->lhs, yes) && equal(compare->rhs, no),
               turned = equal(compare->lhs, no) && equal(compare->rhs, yes);
    if (!straight && !turned) return std::nullopt;
    return lessTest == straight ? AccReductionOp::Min : AccReductionOp::Max;
  }

  // if (x > var) var = x;
  bool extremeByIf(const If& n) {
    const StmtList stmts = meantOf(n.then);
    const auto* assignment = stmts.size() == 1 ? as<Assign>(stmts.front()) : nullptr;
    if (n.otherwise || !assignment || assignment->op || !names(assignment->place)) return false;
    const auto found = extreme(n.cond, assignment->value, assignment->place);
    if (found) note(*found, 2);
    return found.has_value();
  }

  const Variable& var;
};

}  // namespace

std::optional<AccReductionOp> implicitReduction(const For& loop, const Variable& var) {
  if (!var.type->isArithmetic() || var.isVolatile) return std::nullopt;
  ReductionFinder finder(var);
  finder.look(loop.body);
  if (finder.isOther || !finder.op) return std::nullopt;
  size_t all = countMentions(loop.body, &var) + (loop.cond ? countMentions(loop.cond, &var) : 0);
  for (const StmtList* head : {&loop.init, &loop.step})
    for (const StmtPtr& s : *head) all += countMentions(s, &var);
  return all == finder.mentions ? finder.op : std::nullopt;
}

}  // namespace hone::acc
