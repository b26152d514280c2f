#include "passes/launch/IdAxes.h"

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

std::optional<Extent> IdAxes::extentOf(size_t axis) const {
  const std::optional<Extent> end = axis + 1 < steps.size() ? std::optional(steps[axis + 1]) : whole;
  return end ? quotient(*end, steps[axis]) : std::nullopt;
}

ExprPtr IdAxes::of(const Digit& digit) const {
  // The id counts by `digit.over` from one value of the digit to the next, and by `end` until it begins anew.
  std::optional<Extent> end;
  if (digit.below) {
    end = product(digit.over, *digit.below);
    if (!end) return nullptr;
  }
  if (whole && (!end || quotient(*end, *whole))) end = whole;
  ExprPtr sum;
  for (size_t axis = steps.size(); axis-- > 0;) {
    const Extent& low = steps[axis];
    const std::optional<Extent> high = axis + 1 < steps.size() ? std::optional(steps[axis + 1]) : whole;
    Extent from = low;
    if (!quotient(low, digit.over)) {
      if (!quotient(digit.over, low)) return nullptr;
      from = digit.over;
    }
    std::optional<Extent> to = high;
    if (end && (!high || quotient(*high, *end)))
      to = end;
    else if (end && !quotient(*end, *high))
      return nullptr;
    if (to && quotient(from, *to)) continue;  // nothing of it lies along this axis
    if (to && !quotient(*to, from)) return nullptr;
    ExprPtr part = ref(ids[axis]);
    if (const Extent below = *quotient(from, low); !below.isOne()) part = over(part, written(below, type));
    if (to && !(high && *to == *high))
      part =
          HONE_SEED(UnflattenRemainderForgotten, remainder(part, written(*quotient(*to, from), type)), part);
    if (const Extent weight = *quotient(from, digit.over); !weight.isOne())
      part = times(part, written(weight, type));
    sum = sum ? plus(sum, part) : part;
  }
  return sum ? convert(sum, type) : intLit(0, type);
}

namespace {

class ToAxes : public Rewriter {
 public:
  // Variables that are none of `keep` and hold the id along an axis are left out.
  ToAxes(const FlatIds& flatIds, const IdAxes& along, const std::set<const Variable*>& kept)
      : flat(flatIds), axes(along), keep(kept) {}

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    const ExprPtr inner = withoutIdCasts(e);
    if (const auto* var = as<VarRef>(e); var && !keep.contains(var->var.get())) {
      const auto digit = flat.digitOf(e);
      const ExprPtr made = digit ? axes.of(*digit) : nullptr;
      if (as<VarRef>(made)) return convert(made, e->type);
    }
    if (const auto digit = as<VarRef>(inner) ? std::nullopt : flat.digitOf(e))
      if (const ExprPtr made = axes.of(*digit)) return convert(made, e->type);
    if (axes.whole && e->type->is(TypeKind::Bool))
      if (const ExprPtr bound = flat.boundIn(e)) {
        const auto extent = flat.extentOf(bound);
        if (extent && *extent == *axes.whole) return boolLit(true);
      }
    return Rewriter::rewrite(e);
  }

  StmtList rewrite(const StmtPtr& s) override {
    const auto* d = as<Declare>(s);
    for (const VarPtr& id : axes.ids)
      if (d && d->var == id) return {};
    return Rewriter::rewrite(s);
  }

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* choice = as<If>(s);
    if (!choice || choice->otherwise) return {s};
    ExprPtr left;
    bool isShorter = isTrue(choice->cond);
    for (const ExprPtr& part : partsOf(choice->cond))
      if (isTrue(part))
        isShorter = true;
      else
        left = andAlso(left, part);
    if (!isShorter) return {s};
    if (!left) return as<Block>(choice->then)->stmts;
    return {makeStmt(If{left, choice->then, nullptr}, s->loc)};
  }

 private:
  const FlatIds& flat;
  const IdAxes& axes;
  const std::set<const Variable*>& keep;

  static std::vector<ExprPtr> partsOf(const ExprPtr& cond) {
    const auto* both = as<Binary>(cond);
    if (!both || both->op != BinaryOp::LogicalAnd) return {cond};
    std::vector<ExprPtr> parts = partsOf(both->lhs);
    const std::vector<ExprPtr> more = partsOf(both->rhs);
    parts.insert(parts.end(), more.begin(), more.end());
    return parts;
  }
};

uint64_t costOf(const Expr& e) {
  const auto* b = e.as<Binary>();
  if (!b || !e.type->is(TypeKind::Int)) return 0;
  const auto by = constantValue(b->rhs);
  if (b->op == BinaryOp::Shr || b->op == BinaryOp::BitAnd) return by ? 1 : 0;
  if (b->op != BinaryOp::Div && b->op != BinaryOp::Rem) return 0;
  if (!by) return e.type->bits > 32 ? 80 : 40;
  return *by > 0 && (*by & (*by - 1)) == 0 ? 2 : 8;
}

uint64_t costOf(const Stmt& s, unsigned weight) {
  constexpr unsigned iterations = 8;  // of a loop, where nobody can say
  const bool isLoop = s.is<For>() || s.is<While>() || s.is<DoWhile>();
  const unsigned inside = isLoop && weight < 4096 ? weight * iterations : weight;
  uint64_t all = 0;
  forEachExpr(s, [&](const ExprPtr& e) { walkExprs(e, [&](const Expr& x) { all += costOf(x) * inside; }); });
  forEachChild(s, [&](const StmtPtr& child) { all += costOf(*child, inside); });
  return all;
}

}  // namespace

uint64_t divisionCost(const StmtPtr& body) { return costOf(*body, 1); }

StmtPtr withAxes(const StmtPtr& body, const FlatIds& flat, IdAxes& axes,
                 const std::set<const Variable*>& mayName) {
  // The user's names for the axes, where they are declared as that alone and of the ids' type.
  std::vector<bool> isNamed(axes.ids.size());
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || !d->init || !mayName.contains(d->var.get()) || d->var->isConstexpr ||
        !sameType(d->var->type, axes.type))
      return;
    const auto digit = flat.digitOf(ref(d->var)) ? flat.digitOf(d->init) : std::nullopt;
    const ExprPtr made = digit ? axes.of(*digit) : nullptr;
    const auto* var = as<VarRef>(made);
    for (size_t axis = 0; var && axis < axes.ids.size(); ++axis)
      if (!isNamed[axis] && var->var == axes.ids[axis]) {
        axes.ids[axis] = d->var;
        isNamed[axis] = true;
        break;
      }
  });
  return withoutDeadCode(ToAxes(flat, axes, mayName).rewriteBlock(body), deadVariables(body));
}

}  // namespace hone::passes
