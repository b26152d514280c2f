#include "passes/spread/IndependentIterations.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/Conflicts.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

bool holds(const StmtPtr& s, const StmtPtr& what) {
  bool found = false;
  if (s) walkStmts(s, [&](const Stmt& one) { found |= &one == what.get(); });
  return found;
}

Obstacle effectAround(const StmtPtr& s) {
  switch (effectOf(s)) {
    case Effect::None:
    case Effect::TakesAddress: return std::nullopt;
    case Effect::Stores: return Refusal{"something is stored outside of the loop", s->loc};
    case Effect::Other: break;
  }
  return Refusal{"threads do more than compute outside of the loop", s->loc};
}

void addOnce(ExprPtr& all, const ExprPtr& test) {
  const std::vector<ExprPtr> known = conjuncts(all);
  if (std::none_of(known.begin(), known.end(), [&](const ExprPtr& e) { return equal(e, test); }))
    all = andAlso(all, test);
}

}  // namespace

Obstacle obstacleAround(const StmtPtr& body, const StmtPtr& loop) {
  for (const StmtPtr& s : stmtsOf(body)) {
    if (s == loop) continue;
    Obstacle no;
    if (!holds(s, loop)) {
      no = effectAround(s);
    } else if (s->is<Block>()) {
      no = obstacleAround(s, loop);
    } else if (const auto* choice = as<If>(s)) {
      const bool isThen = holds(choice->then, loop);
      const StmtPtr& other = isThen ? choice->otherwise : choice->then;
      if (other) no = effectAround(other);
      if (!no) no = obstacleAround(isThen ? choice->then : choice->otherwise, loop);
    } else {
      no = Refusal{"the loop stands inside another one", loop->loc};
    }
    if (no) return no;
  }
  return std::nullopt;
}

IndependentIterations::IndependentIterations(const LaunchStep& step, const affine::KernelModel& kernelModel,
                                             const PassContext& context, affine::LoopId ofLoop)
    : launch(step),
      model(kernelModel),
      index(ofLoop),
      loop(kernelModel.loops[ofLoop]),
      apart(step, kernelModel, context) {}

Obstacle IndependentIterations::decide(const std::set<unsigned>& relyOn) {
  needed = relyOn;
  std::set<const Stmt*> ofBody;
  walkStmts(bodyOf(*loop.stmt), [&](const Stmt& s) { ofBody.insert(&s); });
  std::vector<affine::AccessId> stores;
  for (const affine::AccessId i : model.accesses.ids()) {
    const affine::Access& a = model.accesses[i];
    if (a.writes() && !isOwn(a) && ofBody.contains(a.stmt.get())) stores.push_back(i);
  }
  if (stores.empty()) return Refusal{fmt::format("{} stores nothing", loop.handle), loop.stmt->loc};
  for (const affine::AccessId i : model.accesses.ids()) {
    const affine::Access& a = model.accesses[i];
    if (isOwn(a) || a.mode == AccessMode::Address) continue;
    const bool isInside = ofBody.contains(a.stmt.get());
    for (const affine::AccessId s : stores) {
      const affine::Access& store = model.accesses[s];
      if (a.array.isNone() || store.array.isNone())
        return Refusal{fmt::format("{} touches memory that is not known, and stores", loop.handle),
                       (a.array.isNone() ? a : store).loc};
      Obstacle no;
      if (a.array != store.array)
        no = HONE_SEED(SpreadApartNotRequired, apart.requireApart(a.array, store.array), std::nullopt);
      else if (!isInside)
        no = Refusal{fmt::format("{} is read outside of {}, which stores to it", model.arrays[a.array].name,
                                 loop.handle)};
      else if (!a.writes() || i >= s)
        no = meets(s, i);
      if (no) return Refusal{no->reason, a.loc};
    }
  }
  const auto holds = testsFor(launch, model, needed);
  if (!holds) return holds.refusal();
  tests = andAlso(andAlso(tests, *holds), apart.condition());
  return std::nullopt;
}

bool IndependentIterations::isOwn(const affine::Access& a) const {
  return a.array.isSome() && model.arrays[a.array].space == Space::Private;
}

bool IndependentIterations::isInner(affine::LoopId other) const {
  for (affine::LoopId at = model.loops[other].parent; at.isSome(); at = model.loops[at].parent)
    if (at == index) return true;
  return false;
}

Obstacle IndependentIterations::meets(affine::AccessId store, affine::AccessId other) {
  const affine::Access &a = model.accesses[store], &b = model.accesses[other];
  auto need = [&](const std::vector<unsigned>& more) { needed.insert(more.begin(), more.end()); };
  need(a.requirements), need(b.requirements);
  if (HONE_SEED(SpreadCarriedIgnored, false, true)) return std::nullopt;
  const bool areKnown = a.isResolved() && b.isResolved();
  if (areKnown && liesApart(a, b)) return std::nullopt;
  analysis::Conflicts conflicts(model);
  const auto neverMeet = [&](affine::AccessId x, affine::AccessId y) {
    return conflicts.ask({x, y, index, analysis::Meeting::Any, analysis::Between::OneThread}).answer ==
           analysis::Answer::No;
  };
  if (areKnown && neverMeet(store, other) && (store == other || neverMeet(other, store))) {
    need(a.guardRequirements), need(b.guardRequirements);
    return std::nullopt;
  }
  return Refusal{fmt::format("iterations of {} may touch what others of them store to {}", loop.handle,
                             model.arrays[a.array].name)};
}

std::optional<IndependentIterations::Bounds> IndependentIterations::withinIteration(
    const affine::Access& a) const {
  const affine::Atoms& atoms = *model.atoms;
  const Poly rest = a.address.without(loop.counter);
  if (atoms.variation(rest).loops & affine::loopBit(index)) return std::nullopt;
  Bounds out{rest, rest};
  for (Poly* bound : {&out.low, &out.high}) {
    // Inner loops first: their ends may depend on those outside.
    for (auto l = model.loops.size(); l-- > 0;) {
      const affine::LoopId inner(l);
      const affine::Loop& one = model.loops[inner];
      if (!(atoms.variation(*bound).loops & affine::loopBit(inner))) continue;
      const Poly factor = bound->coefficient(one.counter);
      const affine::Range sign = atoms.range(factor);
      if (!isInner(inner) || !one.values.empty() || !one.runs ||
          one.runs->kind != affine::CondKind::AtLeast0 || !atoms.isLaunchUniform(factor) ||
          (sign.low < 0 && sign.high > 0))
        return std::nullopt;
      const Poly left = one.runs->value.without(one.counter), fall = one.runs->value.coefficient(one.counter);
      Poly most = left;
      if (fall != Poly(-1)) {
        const auto number = left.constant(), by = fall.constant();
        if (!number || !by || *by >= 0) return std::nullopt;
        most = Poly(affine::floorDiv(*number, -*by));
      }
      const bool isLeast = (bound == &out.low) == (sign.low >= 0);
      *bound = bound->without(one.counter) + (isLeast ? Poly(0) : factor * most);
    }
    if (atoms.variation(*bound).loops) return std::nullopt;
  }
  return out;
}

bool IndependentIterations::liesApart(const affine::Access& a, const affine::Access& b) {
  const affine::Atoms& atoms = *model.atoms;
  Poly stride = a.address.coefficient(loop.counter);
  if (stride.isZero() || stride != b.address.coefficient(loop.counter) || stride.mentions(loop.counter) ||
      !atoms.isLaunchUniform(stride))
    return false;
  const auto& terms = stride.terms();
  if (std::all_of(terms.begin(), terms.end(), [](const auto& term) { return term.second < 0; }))
    stride = -stride;
  const auto ofA = withinIteration(a), ofB = withinIteration(b);
  if (!ofA || !ofB) return false;
  ExprPtr all;
  std::vector<Poly> distances{stride - (ofA->high + Poly(int64_t(a.bytes)) - ofB->low)};
  if (&a != &b) {
    distances.push_back(stride - (ofB->high + Poly(int64_t(b.bytes)) - ofA->low));
    distances.push_back(stride - Poly(1));
  }
  for (const Poly& left : distances) {
    if (!atoms.isLaunchUniform(left)) return false;
    if (atoms.range(left).low >= 0) continue;
    if (left.constant()) return false;
    const ExprPtr test = hostCondition(launch, model, affine::atLeast0(left));
    if (!test || isFalse(test)) return false;
    addOnce(all, test);
  }
  for (const ExprPtr& test : conjuncts(HONE_SEED(SpreadStrideUnchecked, all, ExprPtr())))
    addOnce(tests, test);
  return true;
}

}  // namespace hone::passes
