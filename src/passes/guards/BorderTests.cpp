#include "passes/guards/BorderTests.h"

#include <algorithm>
#include <map>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "ir/Substitute.h"
#include "ir/TripCount.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

// A sum of values times numbers.
struct Sum {
  std::vector<std::pair<ExprPtr, int64_t>> terms;
  int64_t constant = 0;

  bool add(const ExprPtr& value, int64_t factor) {
    for (auto& [known, times] : terms)
      if (equal(known, value)) return !__builtin_add_overflow(times, factor, &times);
    terms.emplace_back(value, factor);
    return true;
  }
  bool add(const Sum& other, int64_t factor) {
    int64_t part = 0;
    if (__builtin_mul_overflow(other.constant, factor, &part) ||
        __builtin_add_overflow(constant, part, &constant))
      return false;
    return std::all_of(other.terms.begin(), other.terms.end(), [&](const auto& term) {
      int64_t times = 0;
      return !__builtin_mul_overflow(term.second, factor, &times) && add(term.first, times);
    });
  }
};

bool isWideInteger(const TypePtr& type) { return type->isInteger() && type->bits >= 32; }

// Sums and multiples of coordinates and numbers, loops' variables among them: without a sign and never below
// zero. That they fit is what the launch is tested for.
bool isOfCoordinates(const ExprPtr& e) {
  if (const auto number = constantValue(e)) return *number >= 0 && *number <= INT32_MAX;
  if (e->is<Coord>()) return true;
  if (const auto* cast = as<Cast>(e))
    return isWideInteger(e->type) && !cast->operand->type->isSigned && isWideInteger(cast->operand->type) &&
           e->type->bits >= cast->operand->type->bits && isOfCoordinates(cast->operand);
  const auto* b = as<Binary>(e);
  return b && isWideInteger(e->type) && !e->type->isSigned &&
         (b->op == BinaryOp::Add || b->op == BinaryOp::Mul) && isOfCoordinates(b->lhs) &&
         isOfCoordinates(b->rhs);
}

// Sums, differences and multiples are taken apart where they cannot wrap: signed ones, and those of
// coordinates. `iterations` takes variables of loops that are never negative to numbers.
std::optional<Sum> sumOf(const ExprPtr& e, const Substitution& iterations) {
  Sum out;
  if (const auto number = constantValue(e)) {
    if (!e->type->isSigned && (*number < 0 || *number > INT32_MAX)) return std::nullopt;
    out.constant = *number;
    return out;
  }
  const auto* cast = as<Cast>(e);
  if (cast && isWideInteger(e->type) && isWideInteger(cast->operand->type)) {
    const Type &to = *e->type, &from = *cast->operand->type;
    const bool isWider = from.isSigned && to.isSigned && to.bits >= from.bits;
    const auto* var = as<VarRef>(cast->operand);
    const bool isIteration = var && std::any_of(iterations.begin(), iterations.end(),
                                                [&](const auto& one) { return one.first == var->var; });
    if (isWider || isIteration || (!from.isSigned && isOfCoordinates(substituted(cast->operand, iterations))))
      return sumOf(cast->operand, iterations);
  }
  const auto* b = as<Binary>(e);
  if (b && isWideInteger(e->type) &&
      (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul) &&
      (e->type->isSigned || isOfCoordinates(substituted(e, iterations)))) {
    const auto l = sumOf(b->lhs, iterations), r = sumOf(b->rhs, iterations);
    if (!l || !r) return std::nullopt;
    bool fits = true;
    if (b->op != BinaryOp::Mul)
      fits = out.add(*l, 1) && out.add(*r, b->op == BinaryOp::Add ? 1 : -1);
    else if (l->terms.empty() || r->terms.empty())
      fits = l->terms.empty() ? out.add(*r, l->constant) : out.add(*l, r->constant);
    else
      fits = out.add(e, 1);
    if (!fits) return std::nullopt;
    std::erase_if(out.terms, [](const auto& term) { return term.second == 0; });
    return out;
  }
  if (!e->type->isInteger()) return std::nullopt;
  out.add(e, 1);
  return out;
}

BinaryOp opposite(BinaryOp op) {
  switch (op) {
    case BinaryOp::Lt: return BinaryOp::Ge;
    case BinaryOp::Le: return BinaryOp::Gt;
    case BinaryOp::Gt: return BinaryOp::Le;
    case BinaryOp::Ge: return BinaryOp::Lt;
    case BinaryOp::Eq: return BinaryOp::Ne;
    default: return BinaryOp::Eq;
  }
}

class Form : public Rewriter {
 public:
  Form(const StmtList& stmts, const std::set<const Variable*>& changing, const NamedConditions& conditions)
      : named(conditions), isChanging(changing) {
    for (const StmtPtr& s : stmts) {
      const auto assigned = assignedVariables(s), declared = declaredVariables(s);
      isChanging.insert(assigned.begin(), assigned.end());
      isInside.insert(declared.begin(), declared.end());
    }
    for (const StmtPtr& s : stmts) {
      const StmtList made = rewrite(s);
      out.stmts.insert(out.stmts.end(), made.begin(), made.end());
    }
    for (const Test& test : tests) out.entry.push_back(test.atEntry);
  }
  BorderForm out;

 private:
  struct Iterations {
    VarPtr var;
    int64_t least = 0, most = 0, count = 1;
  };
  struct Test {
    ExprPtr atEntry;
    Sum sum;  // not negative where it holds
  };

  ExprPtr rewrite(const ExprPtr& e) override {
    const auto* choice = e ? as<Select>(e) : nullptr;
    if (!choice) return Rewriter::rewrite(e);
    const ExprPtr cond = decided(choice->cond);
    if (isTrue(cond)) return rewrite(choice->yes);
    if (isFalse(cond)) return rewrite(choice->no);
    return makeExpr(e->type, Select{cond, rewrite(choice->yes), rewrite(choice->no)}, e->loc);
  }

  StmtList rewrite(const StmtPtr& s) override {
    if (const auto* d = as<Declare>(s); d && d->init && d->var->type->isInteger())
      if (const auto value = resolved(d->init)) values[d->var.get()] = *value;
    if (const auto* choice = as<If>(s)) {
      const ExprPtr cond = decided(choice->cond);
      if (isTrue(cond)) return unwrapped(rewriteBlock(choice->then));
      if (isFalse(cond)) return choice->otherwise ? unwrapped(rewriteBlock(choice->otherwise)) : StmtList{};
      const StmtPtr then = rewriteBlock(choice->then);
      return {
          makeStmt(If{cond, then, choice->otherwise ? rewriteBlock(choice->otherwise) : nullptr}, s->loc)};
    }
    const auto* loop = as<For>(s);
    const auto range = loop ? iterationsOf(*loop) : std::nullopt;
    if (!range) return Rewriter::rewrite(s);
    const Variable* var = counted(*loop)->var.get();
    iterations[var] = *range;
    times *= size_t(range->count);
    const StmtList made = Rewriter::rewrite(s);
    times /= size_t(range->count);
    iterations.erase(var);
    return made;
  }

  // The values of a variable that a loop declares, where they are numbers, one or more and few.
  std::optional<Iterations> iterationsOf(const For& loop) const {
    const auto c = counted(loop);
    if (!c || !c->declares || !c->begin || (c->op != BinaryOp::Add && c->op != BinaryOp::Sub))
      return std::nullopt;
    const auto step = constantValue(c->step);
    if (!step || *step <= 0 || *step > 1 << 20) return std::nullopt;
    const auto all = iterationValues(loop, *c, 1024);
    if (!all || all->empty()) return std::nullopt;
    const auto [least, most] = std::minmax(all->front(), all->back());
    return Iterations{c->var, least, most, static_cast<int64_t>(all->size())};
  }

  // A condition with the comparisons that are known not to matter away from the border replaced by what they
  // are there.
  ExprPtr decided(const ExprPtr& cond) {
    const auto* b = as<Binary>(cond);
    if (b && b->op == BinaryOp::LogicalAnd) {
      // Both sides, and the left one first, as it is evaluated.
      const ExprPtr l = decided(b->lhs), r = decided(b->rhs);
      if (isTrue(l)) return r;
      if (isTrue(r)) return l;
      if (isFalse(l) || isFalse(r)) return boolLit(false);
      return makeExpr(cond->type, Binary{b->op, l, r}, cond->loc);
    }
    if (b && isComparison(b->op)) return take({{cond, true}}) ? boolLit(true) : rewrite(cond);
    std::vector<std::pair<ExprPtr, bool>> parts;
    if (const auto* var = as<VarRef>(cond)) {
      const auto known = named.find(var->var.get());
      const bool isKnown = known != named.end() && gather(known->second, true, parts) && take(parts);
      return isKnown ? boolLit(true) : cond;
    }
    const auto* turned = as<Unary>(cond);
    if (b && b->op == BinaryOp::LogicalOr && gather(cond, false, parts) && take(parts)) return boolLit(false);
    if (turned && turned->op == UnaryOp::Not && gather(turned->operand, false, parts) && take(parts))
      return boolLit(true);
    return rewrite(cond);
  }

  // The comparisons that a condition is made of and what they must be for all of it to be `wanted`.
  static bool gather(const ExprPtr& cond, bool wanted, std::vector<std::pair<ExprPtr, bool>>& parts) {
    const auto* b = as<Binary>(cond);
    if (const auto* turned = as<Unary>(cond); turned && turned->op == UnaryOp::Not)
      return gather(turned->operand, !wanted, parts);
    if (b && b->op == (wanted ? BinaryOp::LogicalAnd : BinaryOp::LogicalOr))
      return gather(b->lhs, wanted, parts) && gather(b->rhs, wanted, parts);
    parts.emplace_back(cond, wanted);
    return b && isComparison(b->op);
  }

  bool take(const std::vector<std::pair<ExprPtr, bool>>& parts) {
    std::vector<Test> made;
    for (const auto& [cond, wanted] : parts) {
      auto test = testOf(cond, wanted);
      if (!test) return false;
      made.push_back(std::move(*test));
    }
    for (Test& test : made) keep(std::move(test));
    out.tests += times * parts.size();
    return true;
  }

  // Of tests that differ by a number the one that says more.
  void keep(Test test) {
    if (test.sum.terms.empty()) return;
    for (Test& known : tests) {
      Sum gap = known.sum;
      if (!gap.add(test.sum, -1)) continue;
      if (std::any_of(gap.terms.begin(), gap.terms.end(), [](const auto& term) { return term.second != 0; }))
        continue;
      if (gap.constant > 0) known = std::move(test);
      return;
    }
    tests.push_back(std::move(test));
  }

  std::optional<Test> testOf(const ExprPtr& cond, bool wanted) const {
    const auto* b = as<Binary>(cond);
    if (!isWideInteger(b->lhs->type)) return std::nullopt;
    const auto lhs = resolved(b->lhs), rhs = resolved(b->rhs);
    if (!lhs || !rhs) return std::nullopt;
    BinaryOp op = wanted ? b->op : opposite(b->op);
    if (op == BinaryOp::Eq) return std::nullopt;
    // Away from a number means above it, away from a size below.
    if (op == BinaryOp::Ne) op = constantValue(*rhs) ? BinaryOp::Gt : BinaryOp::Lt;
    const bool isAbove = op == BinaryOp::Gt || op == BinaryOp::Ge;
    Substitution never;  // below zero
    for (const auto& [var, range] : iterations)
      if (range.least >= 0) never.emplace_back(range.var, intLit(range.most, range.var->type));
    const auto left = sumOf(*lhs, never), right = sumOf(*rhs, never);
    if (!left || !right) return std::nullopt;
    Test test;
    if (!test.sum.add(isAbove ? *left : *right, 1) || !test.sum.add(isAbove ? *right : *left, -1))
      return std::nullopt;
    if (op == BinaryOp::Lt || op == BinaryOp::Gt) test.sum.constant -= 1;
    // Where it is least over the iterations of the loops around.
    Substitution worst;
    Sum atWorst;
    atWorst.constant = test.sum.constant;
    bool isOfThreads = false;
    for (const auto& [value, factor] : test.sum.terms) {
      if (factor == 0) continue;
      const auto* var = as<VarRef>(value);
      const auto loop = var ? iterations.find(var->var.get()) : iterations.end();
      if (loop == iterations.end()) {
        bool names = false;
        walkExprs(value, [&](const Expr& x) {
          const auto* r = x.as<VarRef>();
          names = names || (r && iterations.contains(r->var.get()));
          isOfThreads = isOfThreads || (r && r->var->storage == Storage::Local) ||
                        (x.is<Coord>() && (x.as<Coord>()->kind == CoordKind::ThreadIdx ||
                                           x.as<Coord>()->kind == CoordKind::BlockIdx ||
                                           x.as<Coord>()->kind == CoordKind::GlobalId));
        });
        if (names || !atWorst.add(value, factor)) return std::nullopt;
        continue;
      }
      const int64_t at = factor > 0
                             ? HONE_SEED(BorderTestsLastIteration, loop->second.least, loop->second.most)
                             : loop->second.most;
      int64_t part = 0;
      if (__builtin_mul_overflow(at, factor, &part) ||
          __builtin_add_overflow(atWorst.constant, part, &atWorst.constant))
        return std::nullopt;
      worst.emplace_back(var->var, intLit(at, var->var->type));
    }
    test.sum = std::move(atWorst);
    // What holds or fails by numbers alone, or by sizes, has nothing to do with a border.
    if (test.sum.terms.empty()) return test.sum.constant >= 0 ? std::optional(test) : std::nullopt;
    if (!isOfThreads) return std::nullopt;
    test.atEntry = written(op, simplified(substituted(*lhs, worst)), simplified(substituted(*rhs, worst)));
    return test;
  }

  // x - 1 >= 0 is x >= 1.
  static ExprPtr written(BinaryOp op, ExprPtr lhs, ExprPtr rhs) {
    const auto* sum = as<Binary>(lhs);
    const auto number = constantValue(rhs);
    if (sum && number && lhs->type->isSigned && (sum->op == BinaryOp::Add || sum->op == BinaryOp::Sub))
      if (const auto part = constantValue(sum->rhs);
          part && *part > -(1 << 20) && *part < 1 << 20 && *number > -(1 << 20) && *number < 1 << 20) {
        rhs = intLit(sum->op == BinaryOp::Add ? *number - *part : *number + *part, rhs->type);
        lhs = sum->lhs;
      }
    return makeExpr(boolType(), Binary{op, lhs, rhs});
  }

  // With variables declared inside by what they are; nothing where it could change, or needs memory or a
  // call.
  std::optional<ExprPtr> resolved(const ExprPtr& e) const {
    struct Put : Rewriter {
      const Form* owner = nullptr;
      bool fails = false;
      ExprPtr mapExpr(const ExprPtr& x) override {
        fails = fails || x->is<Subscript>() || x->is<Call>() || x->is<AddressOf>() || x->is<Member>() ||
                x->is<Swizzle>() || x->is<Select>();
        // The original may not come to a division by zero.
        const auto* b = as<Binary>(x);
        if (b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem))
          fails = fails || constantValue(b->rhs).value_or(0) == 0;
        const auto* var = as<VarRef>(x);
        if (!var) return x;
        const Variable* v = var->var.get();
        if (owner->iterations.contains(v)) return x;
        const auto known = owner->values.find(v);
        const bool isOther = v->storage != Storage::Local && v->storage != Storage::Param;
        if (owner->isChanging.contains(v) || isOther || v->space == Space::Shared)
          fails = true;
        else if (known != owner->values.end())
          return convert(known->second, x->type);
        else if (owner->isInside.contains(v))
          fails = true;
        return x;
      }
    } put;
    put.owner = this;
    const ExprPtr made = put.rewrite(e);
    return put.fails ? std::nullopt : std::optional(made);
  }

  const NamedConditions& named;
  std::set<const Variable*> isChanging, isInside;
  std::map<const Variable*, ExprPtr> values;
  std::map<const Variable*, Iterations> iterations;
  std::vector<Test> tests;
  size_t times = 1;
};

}  // namespace

BorderForm awayFromBorder(const StmtList& stmts, const std::set<const Variable*>& changing,
                          const NamedConditions& conditions) {
  return Form(stmts, changing, conditions).out;
}

}  // namespace hone::passes
