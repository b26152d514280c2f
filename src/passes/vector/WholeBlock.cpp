#include "passes/vector/WholeBlock.h"

#include <algorithm>

#include "affine/Implied.h"
#include "affine/ToExpr.h"
#include "ir/Build.h"

namespace hone::passes {

using namespace ir;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;

namespace {

bool isSameCondition(const affine::Cond& a, const affine::Cond& b) {
  return a.kind == b.kind && (a.kind == CondKind::AtLeast0 || a.kind == CondKind::Zero) && a.value == b.value;
}

}  // namespace

std::optional<int64_t> WholeBlock::fewIterations(affine::LoopId at) const {
  const auto* around = as<For>(model.loops[at].stmt);
  const auto counts = around ? counted(*around) : std::nullopt;
  const auto first = counts ? constantValue(counts->begin) : std::nullopt,
             last = counts ? constantValue(counts->end) : std::nullopt,
             step = counts ? constantValue(counts->step) : std::nullopt;
  const bool isPlain = first == std::optional<int64_t>(0) && step == std::optional<int64_t>(1) && last &&
                       counts->compare == BinaryOp::Lt && counts->op == BinaryOp::Add;
  return isPlain && *last > 0 && *last <= mostVectorIterations ? last : std::nullopt;
}

bool WholeBlock::isOften() const {
  const std::vector<affine::LoopId>& loops = model.accesses[group.parts.front().accesses.front()].loops;
  return std::any_of(loops.begin(), loops.end(),
                     [&](affine::LoopId at) { return at != number && !fewIterations(at); });
}

std::optional<std::vector<ExprPtr>> WholeBlock::conditions() const {
  const std::vector<CondPtr> around = conditionsAround();
  std::vector<Poly> least;
  for (const LoopPart& part : group.parts)
    for (const affine::AccessId id : part.accesses) {
      const affine::Access& access = model.accesses[id];
      if (access.exactness != affine::Exactness::Exact) return std::nullopt;
      for (const CondPtr& cond : affine::conjuncts(access.guard)) {
        if (std::any_of(around.begin(), around.end(),
                        [&](const CondPtr& c) { return isSameCondition(*c, *cond); }))
          continue;
        if (cond->kind != CondKind::AtLeast0) return std::nullopt;
        auto value = leastInIterations(cond->value, number, group.iterations);
        for (const affine::LoopId at : access.loops)
          if (const auto iterations = fewIterations(at); value && at != number && iterations)
            value = leastInIterations(*value, at, *iterations);
        if (value) value = leastOfThreads(*value, around);
        if (!value) return std::nullopt;
        if (std::find(least.begin(), least.end(), *value) == least.end()) least.push_back(*value);
      }
    }
  affine::ToExpr to(model);
  std::vector<ExprPtr> made;
  for (const Poly& value : least) {
    auto one = to.of(affine::atLeast0(value));
    if (!one) return std::nullopt;
    made.push_back(*one);
  }
  return made;
}

std::vector<CondPtr> WholeBlock::conditionsAround() const {
  std::vector<CondPtr> around;
  for (const affine::Branch& branch : model.branches) {
    const auto* choice = as<If>(branch.stmt);
    bool isAround = false;
    if (choice)
      walkStmts(choice->then, [&](const Stmt& s) { isAround = isAround || &s == group.loop.get(); });
    if (!isAround) continue;
    for (const CondPtr& one : affine::conjuncts(branch.cond)) around.push_back(one);
  }
  return around;
}

std::optional<Poly> WholeBlock::leastInIterations(const Poly& p, affine::LoopId at,
                                                  int64_t iterations) const {
  const affine::AtomId counter = model.loops[at].counter;
  const Poly first = model.atoms->substitute(p, {{counter, Poly(0)}}),
             last = model.atoms->substitute(p, {{counter, Poly(iterations - 1)}});
  bool rises = true, falls = true;
  Poly before = first;
  for (int64_t iteration = 1; iteration < iterations; ++iteration) {
    const Poly now = model.atoms->substitute(p, {{counter, Poly(iteration)}});
    const auto step = (now - before).constant();
    if (!step) return std::nullopt;
    rises = rises && *step >= 0;
    falls = falls && *step <= 0;
    before = now;
  }
  return rises ? std::optional(first) : falls ? std::optional(last) : std::nullopt;
}

std::optional<Poly> WholeBlock::leastOfThreads(const Poly& p, const std::vector<CondPtr>& around) const {
  Poly same, differs;
  for (const auto& [monomial, factor] : p.terms()) {
    Poly term;
    term.add(monomial, factor);
    const affine::Variation v = model.atoms->variation(term);
    (v.threadAxes || v.anyThread ? differs : same).add(monomial, factor);
  }
  int64_t low = model.atoms->range(differs).low;
  // The threads that come here may be few: tid < 128.
  const auto atoms = differs.atoms();
  const auto factor = atoms.size() == 1 ? differs.coefficient(atoms.front()).constant() : std::nullopt;
  if (factor && *factor < 0 && (*model.atoms)[atoms.front()].kind == affine::AtomKind::Div) {
    const affine::Atom& quotient = (*model.atoms)[atoms.front()];
    const auto by = quotient.divisor.constant();
    for (const CondPtr& c : around) {
      const auto most = c->kind == CondKind::AtLeast0 ? (c->value + quotient.value).constant() : std::nullopt;
      if (most && by && *by > 0) low = std::max(low, *factor * affine::floorDiv(*most, *by));
    }
  }
  if (low == INT64_MIN) return std::nullopt;
  return same + Poly(low);
}

}  // namespace hone::passes
