#include "PlanMutants.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "ir/Build.h"
#include "ir/Dump.h"
#include "ir/PlanWalk.h"
#include "ir/Walk.h"

namespace hone::test {

using namespace ir;

namespace {

enum class Kind : uint8_t { Comparison, Arithmetic, Logic, Number, Index, Test, Barrier, Step };
constexpr const char* kindNames[] = {"comparison", "arithmetic", "logic",   "number",
                                     "index",      "test",       "barrier", "step"};

struct Place {
  Kind kind;
  unsigned number;  // in the order of the walk
  unsigned way;
};

std::optional<BinaryOp> instead(BinaryOp op, unsigned way) {
  const auto one = [&](BinaryOp a, BinaryOp b) { return std::optional(way == 0 ? a : b); };
  switch (op) {
    case BinaryOp::Lt: return one(BinaryOp::Le, BinaryOp::Gt);
    case BinaryOp::Le: return one(BinaryOp::Lt, BinaryOp::Ge);
    case BinaryOp::Gt: return one(BinaryOp::Ge, BinaryOp::Lt);
    case BinaryOp::Ge: return one(BinaryOp::Gt, BinaryOp::Le);
    case BinaryOp::Eq: return one(BinaryOp::Ne, BinaryOp::Ne);
    case BinaryOp::Ne: return one(BinaryOp::Eq, BinaryOp::Eq);
    case BinaryOp::Add: return one(BinaryOp::Sub, BinaryOp::Sub);
    case BinaryOp::Sub: return one(BinaryOp::Add, BinaryOp::Add);
    case BinaryOp::Mul: return one(BinaryOp::Add, BinaryOp::Add);
    case BinaryOp::Div: return one(BinaryOp::Mul, BinaryOp::Mul);
    case BinaryOp::Rem: return one(BinaryOp::Div, BinaryOp::Div);
    case BinaryOp::LogicalAnd: return BinaryOp::LogicalOr;
    case BinaryOp::LogicalOr: return BinaryOp::LogicalAnd;
    default: return std::nullopt;
  }
}

// Counts the places where a change can be made and makes the one that is asked for.
class Changing : public Rewriter {
 public:
  explicit Changing(std::optional<Place> makeAt = std::nullopt) : wanted(makeAt) {}

  std::vector<Place> places;
  std::string change;

  PlanPtr of(const PlanPtr& plan) {
    auto copy = std::make_shared<Plan>(*plan);
    for (Step& step : copy->steps) {
      if (auto* choice = std::get_if<ChoiceStep>(&step)) {
        where = "before the launch";
        choice->cond = rewrite(choice->cond);
        choice->cond = test(choice->cond);
        choice->then = of(choice->then);
        choice->otherwise = of(choice->otherwise);
      } else if (auto* loop = std::get_if<LoopStep>(&step)) {
        where = "in the loop of launches";
        for (ExprPtr* part : {&loop->begin, &loop->cond, &loop->next}) *part = rewrite(*part);
        loop->body = of(loop->body);
      } else if (auto* launch = std::get_if<LaunchStep>(&step)) {
        if (launch->kernel == plan->original) continue;
        where = "at the launch";
        for (unsigned axis = 0; axis < 3; ++axis)
          if (!constantValue(launch->grid[axis])) launch->grid[axis] = rewrite(launch->grid[axis]);
        for (ExprPtr& arg : launch->args)
          if (!as<VarRef>(arg)) arg = rewrite(arg);
        launch->kernel = of(launch->kernel);
      }
    }
    return copy;
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* b = as<Binary>(e)) {
      const Kind kind = isComparison(b->op)           ? Kind::Comparison
                        : e->type->is(TypeKind::Bool) ? Kind::Logic
                                                      : Kind::Arithmetic;
      for (const unsigned way : {0u, 1u}) {
        const auto op = instead(b->op, way);
        if (!op || (way == 1 && op == instead(b->op, 0)) || e->type->isPointer()) break;
        if (isFloat(*e->type) && (*op == BinaryOp::Rem || b->op == BinaryOp::Rem)) break;
        if (isHere(kind, way)) return changed(e, makeExpr(e->type, Binary{*op, b->lhs, b->rhs}, e->loc));
      }
    }
    if (const auto* number = as<IntLiteral>(e); number && e->type->is(TypeKind::Int))
      for (const unsigned way : {0u, 1u}) {
        if (way == 1 && number->value < 2) break;
        if (!isHere(Kind::Number, way)) continue;
        return changed(e, intLit(static_cast<int64_t>(number->value) + (way ? -1 : 1), e->type));
      }
    if (const auto* s = as<Subscript>(e); s && s->indices.size() == 1)
      if (isHere(Kind::Index, 0)) {
        const ExprPtr& index = s->indices[0];
        return changed(
            e, makeExpr(e->type, Subscript{s->base, {binary(BinaryOp::Add, index, intLit(1, index->type))}},
                        e->loc));
      }
    return e;
  }

  StmtList mapStmt(const StmtPtr& s) override {
    if (const auto* barrier = as<Barrier>(s); barrier && isHere(Kind::Barrier, 0)) {
      change = fmt::format("barrier {}: gone", where);
      return {};
    }
    if (const auto* choice = as<If>(s)) {
      const ExprPtr cond = test(choice->cond);
      if (cond != choice->cond) return {makeStmt(If{cond, choice->then, choice->otherwise}, s->loc)};
    }
    if (const auto* a = as<Assign>(s); a && a->op && (*a->op == BinaryOp::Add || *a->op == BinaryOp::Sub) &&
                                       !a->place->type->isPointer() && isHere(Kind::Step, 0)) {
      const BinaryOp op = *a->op == BinaryOp::Add ? BinaryOp::Sub : BinaryOp::Add;
      change = fmt::format("step {}: of {} turned round", where, dump(a->place));
      return {makeStmt(Assign{a->place, op, a->value, false}, s->loc)};
    }
    return {s};
  }

 private:
  static bool isFloat(const Type& type) { return type.is(TypeKind::Float); }

  bool isHere(Kind kind, unsigned way) {
    const Place place{kind, static_cast<unsigned>(places.size()), way};
    places.push_back(place);
    return wanted && wanted->number == place.number;
  }

  ExprPtr changed(const ExprPtr& before, const ExprPtr& after) {
    change = fmt::format("{} {}: {} becomes {}", kindNames[static_cast<size_t>(wanted->kind)], where,
                         dump(before), dump(after));
    return after;
  }

  // One of the tests that && joins is dropped.
  ExprPtr test(const ExprPtr& cond) {
    const std::vector<ExprPtr> parts = conjuncts(cond);
    ExprPtr out = cond;
    for (size_t i = 0; i < parts.size(); ++i)
      if (isHere(Kind::Test, static_cast<unsigned>(i))) {
        ExprPtr rest;
        for (size_t k = 0; k < parts.size(); ++k)
          if (k != i) rest = andAlso(rest, parts[k]);
        change = fmt::format("test {}: {} is not asked for", where, dump(parts[i]));
        out = rest ? rest : boolLit(true);
      }
    return out;
  }

  KernelPtr of(const KernelPtr& kernel) {
    if (const auto known = made.find(kernel.get()); known != made.end()) return known->second;
    where = "in the kernel";
    auto copy = std::make_shared<Kernel>(*kernel);
    copy->body = rewriteBlock(kernel->body);
    return made[kernel.get()] = copy;
  }

  std::optional<Place> wanted;
  std::string where;
  std::map<const Kernel*, KernelPtr> made;
};

}  // namespace

std::vector<Mutant> mutantsOf(const PlanPtr& plan, unsigned count, std::mt19937_64& engine,
                              const std::string& only) {
  Changing all;
  all.of(plan);
  std::map<Kind, std::vector<Place>> byKind;
  for (const Place& place : all.places)
    if (only.empty() || only == kindNames[static_cast<size_t>(place.kind)])
      byKind[place.kind].push_back(place);
  std::vector<Mutant> out;
  // As many of each kind, as far as there are: numbers would leave no room for barriers.
  while (out.size() < count && !byKind.empty()) {
    auto at = byKind.begin();
    std::advance(at, engine() % byKind.size());
    std::vector<Place>& left = at->second;
    const size_t which = engine() % left.size();
    Changing changing(left[which]);
    left.erase(left.begin() + static_cast<ptrdiff_t>(which));
    if (left.empty()) byKind.erase(at);
    Mutant mutant{changing.of(plan), {}};
    mutant.change = changing.change;
    if (!mutant.change.empty()) out.push_back(std::move(mutant));
  }
  return out;
}

}  // namespace hone::test
