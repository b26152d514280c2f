#include "passes/reduce/RowTests.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "passes/edit/Harmless.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

// What has the same value wherever its variables and the memory that it reads have; what one of its
// iterations stores to memory that it reads is asked for like everything else.
bool isPlain(const ExprPtr& e) {
  bool plain = true;
  walkExprs(e, [&](const Expr& one) {
    plain &= one.is<VarRef>() || one.is<IntLiteral>() || one.is<Binary>() || one.is<Cast>() ||
             one.is<Member>() || one.is<Coord>() || one.is<AddressOf>() || one.is<Subscript>();
    plain &= !one.type->isVolatile;
  });
  return plain;
}

bool holdsJump(const StmtPtr& s) {
  bool leaves = false;
  walkStmts(s, [&](const Stmt& one) { leaves |= one.is<Break>() || one.is<Continue>() || one.is<Return>(); });
  return leaves;
}

// Whether a part of a statement is not evaluated each time the statement is.
bool isUnderCondition(const StmtPtr& s, const Expr* wanted) {
  bool found = false;
  const auto lookIn = [&](const ExprPtr& e) {
    walkExprs(e, [&](const Expr& one) { found |= &one == wanted; });
  };
  walkExprs(s, [&](const Expr& one) {
    if (const auto* select = one.as<Select>()) lookIn(select->yes), lookIn(select->no);
    const auto* both = one.as<Binary>();
    if (both && (both->op == BinaryOp::LogicalAnd || both->op == BinaryOp::LogicalOr)) lookIn(both->rhs);
  });
  return found;
}

// Whether every iteration comes to the access.
bool isInEachIteration(const StmtPtr& body, const affine::Access& access) {
  for (const StmtPtr& s : stmtsOf(body)) {
    if (s == access.stmt) return !s->is<If>() && !isUnderCondition(s, access.place.get());
    if (s->is<Block>() && isInEachIteration(s, access)) return true;
    if (holdsJump(s)) return false;
  }
  return false;
}

class RowRange {
 public:
  RowRange(const ReductionLoop& ofLoop) : loop(ofLoop), set(assignedVariables(ofLoop.loop)) {
    for (const Variable* v : declaredVariables(loop.loop)) set.insert(v);
    set.insert(loop.count.var.get());
    if (loop.outer) set.insert(loop.outer.get());
  }

  struct Ends {
    ExprPtr low, high;
  };
  // `base[index]` or a member of it, where the index is the loop's variable, a value that stays as it is, or
  // both added up.
  std::optional<Ends> of(const affine::Access& access) const {
    if (access.loops.empty() || access.loops.back() != loop.index) return std::nullopt;
    ExprPtr place = access.place;
    while (const auto* member = as<Member>(place)) place = member->base;
    const auto* element = as<Subscript>(place);
    if (!element || element->indices.size() != 1 || !element->base->type->is(TypeKind::Pointer) ||
        !stays(element->base))
      return std::nullopt;
    const ExprPtr& index = element->indices[0];
    // What reads memory or may divide by zero can be worked out ahead only where the loop does so for
    // certain.
    if ((!isHarmless(element->base) || !isHarmless(index)) &&
        !isInEachIteration(as<For>(loop.loop)->body, access))
      return std::nullopt;
    if (stays(index)) {
      const ExprPtr at = behind(element->base, index);
      return Ends{at, behind(at, intLit(1))};
    }
    ExprPtr row = element->base;
    return takeOffset(index, row)
               ? std::optional(Ends{behind(row, loop.count.begin), behind(row, loop.count.end)})
               : std::nullopt;
  }

  // From the first iteration on one by one, up to a value that stays as it is.
  bool isPlainCount() const {
    const Counted& c = loop.count;
    return signedStep(c) == 1 && c.compare == BinaryOp::Lt && c.begin && stays(c.begin) && stays(c.end);
  }

 private:
  const ReductionLoop& loop;
  std::set<const Variable*> set;  // by iterations

  bool stays(const ExprPtr& e) const {
    const auto named = variablesOf(e);
    return isPlain(e) &&
           std::none_of(named.begin(), named.end(), [&](const Variable* v) { return set.contains(v); });
  }
  bool isCounter(const ExprPtr& e) const {
    const auto* var = as<VarRef>(e);
    return var && (var->var == loop.count.var || (loop.outer && var->var == loop.outer));
  }
  // Casts that keep every value.
  static ExprPtr withoutWidening(ExprPtr e) {
    while (const auto* cast = as<Cast>(e)) {
      const TypePtr &to = e->type, &from = cast->operand->type;
      const bool keeps =
          to->is(TypeKind::Int) && from->is(TypeKind::Int) &&
          (to->bits > from->bits || (to->bits == from->bits && to->isSigned == from->isSigned)) &&
          (to->isSigned || !from->isSigned);
      if (!keeps) break;
      e = cast->operand;
    }
    return e;
  }
  static ExprPtr behind(const ExprPtr& pointer, const ExprPtr& elements) {
    const auto zero = constantValue(elements);
    if (zero && *zero == 0) return pointer;
    return addressOf(subscript(pointer, {elements}), pointer->type->space);
  }
  // Moves `row` by what is added to the counter in an index, each on its own, so that no sum of them
  // overflows that the original does not have.
  bool takeOffset(const ExprPtr& index, ExprPtr& row) const {
    const ExprPtr e = withoutWidening(index);
    if (isCounter(e)) return true;
    // Of unsigned indices that are added up each may wrap around.
    const auto* sum = as<Binary>(e);
    if (!sum || !e->type->isSigned || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return false;
    const bool isSub = sum->op == BinaryOp::Sub;
    for (const auto& [counting, other] : {std::pair(sum->lhs, sum->rhs), std::pair(sum->rhs, sum->lhs)}) {
      const auto number = constantValue(other);
      if (stays(other) && other->type->isSigned && (!isSub || (number && counting == sum->lhs))) {
        if (!takeOffset(counting, row)) return false;
        row = behind(row, isSub ? intLit(-*number) : other);
        return true;
      }
      if (isSub) break;
    }
    return false;
  }
};

}  // namespace

ExprPtr apartBeforeLoop(const affine::KernelModel& model, const ReductionLoop& loop, affine::AccessId first,
                        affine::AccessId second) {
  const RowRange range(loop);
  if (!range.isPlainCount()) return nullptr;
  auto a = range.of(model.accesses[first]), b = range.of(model.accesses[second]);
  if (!a || !b) return nullptr;
  if (!sameType(*a->low->type->element, *b->low->type->element) || a->low->type->space != b->low->type->space)
    for (ExprPtr* one : {&a->low, &a->high, &b->low, &b->high}) *one = convert(*one, uint64(), true);
  const auto endsBefore = [](const ExprPtr& end, const ExprPtr& begin) {
    return makeExpr(boolType(), Binary{BinaryOp::Le, end, begin});
  };
  const ExprPtr apart = orElse(endsBefore(HONE_SEED(SplitRowTestTooShort, a->high, a->low), b->low),
                               endsBefore(b->high, a->low));
  // Where the loop has no iteration it comes to nothing of this.
  if (isHarmless(apart)) return apart;
  return andAlso(binary(BinaryOp::Lt, loop.count.begin, loop.count.end), apart);
}

}  // namespace hone::passes
