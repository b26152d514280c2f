#include "passes/reduce/RowLoops.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/Conflicts.h"
#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/host/HostConditions.h"
#include "passes/reduce/RowTests.h"

namespace hone::passes {

using namespace ir;

namespace {

std::set<const Stmt*> statementsIn(const StmtPtr& s) {
  std::set<const Stmt*> out;
  walkStmts(s, [&](const Stmt& one) { out.insert(&one); });
  return out;
}

// What a statement does beyond computing values and storing them.
bool doesMoreThanStore(const StmtPtr& s) {
  bool more = false;
  walkStmts(s, [&](const Stmt& one) {
    more |= prints(one) || one.is<Assert>() || one.is<Fence>() || one.is<Barrier>() || one.is<Return>();
  });
  walkExprs(s, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    more |= call && !isPure(*call) && !writesMemory(*call);
  });
  return more;
}

}  // namespace

bool holdsLoop(const StmtPtr& s) {
  bool holds = false;
  walkStmts(s, [&](const Stmt& one) { holds |= isLoop(one); });
  return holds;
}

RowLoops::RowLoops(const LaunchStep& step, const affine::KernelModel& kernelModel, const PassContext& context,
                   int64_t waysOfLoop)
    : launch(step), model(kernelModel), ways(waysOfLoop), apart(step, kernelModel, context) {
  known.allParameters = context.assumeNoalias;
}

Obstacle RowLoops::decide() {
  // Accesses are found by the statements that they stand in.
  if (model.kernel->body != launch.kernel->body) return unexpected("call of a function that touches memory");
  if (Obstacle no = visit(launch.kernel->body, false)) return no;
  if (order.empty()) return Refusal{"it has no loop"};
  const auto holds = testsFor(launch, model, needed);
  if (!holds) return holds.refusal();
  for (const ReductionKernel* one : order) tests = andAlso(tests, one->iterationsLimit);
  tests = andAlso(andAlso(tests, *holds), apart.condition());
  return std::nullopt;
}

Obstacle RowLoops::visit(const StmtPtr& body, bool isFollowed) {
  const StmtList list = stmtsOf(body);
  for (size_t i = 0; i < list.size(); ++i) {
    const StmtPtr& s = list[i];
    const bool goesOn =
        isFollowed || std::any_of(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end(), holdsLoop);
    const auto* choice = as<If>(s);
    Obstacle no;
    if (isLoop(*s)) {
      no = visitLoop(s, {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i)});
    } else if (choice && holdsLoop(s)) {
      no = visit(choice->then, goesOn);
      if (!no && choice->otherwise) no = visit(choice->otherwise, goesOn);
    } else if (s->is<Block>()) {
      no = visit(s, goesOn);
    } else {
      no = visitOther(s, goesOn);
    }
    if (no) return no;
  }
  return std::nullopt;
}

Obstacle RowLoops::visitLoop(const StmtPtr& loop, const StmtList& before) {
  const auto ids = model.loops.ids();
  const auto at =
      std::find_if(ids.begin(), ids.end(), [&](affine::LoopId l) { return model.loops[l].stmt == loop; });
  if (at == ids.end()) return unexpected("loop that its model does not know", loop->loc);
  // A loop that reads nothing that others could share, all threads do.
  const auto touches = workOf(loop, RowWork::By::All).accesses;
  const bool isOwnWork = !hasEffect(loop) && std::all_of(touches.begin(), touches.end(),
                                                         [&](auto a) { return isOwn(model.accesses[a]); });
  const auto found = loopWithStores(model, *at);
  if (!found) return isOwnWork ? std::nullopt : Obstacle(found.refusal());
  if (isOwnWork && found->sums.empty()) return std::nullopt;
  auto one = countedLoop(launch, model, *found, ways);
  if (!one) return isOwnWork ? std::nullopt : Obstacle(one.refusal());
  if (doesMoreThanStore(loop))
    return Refusal{fmt::format("iterations of {} do more than compute and store", found->handle), loop->loc};
  if (Obstacle no = meets(*found)) return no;
  one->before = before;
  order.push_back(&(byLoop[loop.get()] = *std::move(one)));
  return std::nullopt;
}

Obstacle RowLoops::visitOther(const StmtPtr& s, bool isFollowed) const {
  if (doesMoreThanStore(s)) return Refusal{"threads do more than compute and store around the loops", s->loc};
  if (effectOf(s) != Effect::Stores || !isFollowed) return std::nullopt;
  // One thread stores; what all of them go on with must not be its own.
  const auto declared = declaredVariables(s);
  for (const Variable* v : assignedVariables(s))
    if (v->space == Space::Private && v->storage != Storage::Global && !declared.contains(v))
      return Refusal{fmt::format("what stores to memory between the loops sets {} too", v->name), s->loc};
  if (const auto* d = as<Declare>(s))
    return Refusal{fmt::format("what stores to memory between the loops sets {} too", d->var->name), s->loc};
  return std::nullopt;
}

bool RowLoops::isOwn(const affine::Access& a) const {
  return a.array.isSome() && model.arrays[a.array].space == Space::Private;
}

Obstacle RowLoops::meets(const ReductionLoop& loop) {
  const std::vector<affine::AccessId> inside = workOf(loop.loop, RowWork::By::Dealt).accesses;
  for (const affine::AccessId w : inside) {
    const affine::Access& write = model.accesses[w];
    if (!write.writes() || isOwn(write)) continue;
    for (const affine::AccessId other : inside) {
      const affine::Access& a = model.accesses[other];
      if (isOwn(a) || (a.writes() && other < w)) continue;
      const bool isSame = a.array == write.array && (a.array.isSome() || other == w);
      Obstacle no = isSame ? meets(loop, w, other) : setApart(loop, w, other);
      if (no) return no;
    }
  }
  return std::nullopt;
}

Obstacle RowLoops::meets(const ReductionLoop& loop, affine::AccessId first, affine::AccessId second) {
  const affine::Access &a = model.accesses[first], &b = model.accesses[second];
  auto need = [&](const std::vector<unsigned>& more) { needed.insert(more.begin(), more.end()); };
  need(a.requirements), need(b.requirements);
  if (meetInSameIteration(a, loop.index, b, loop.index)) return std::nullopt;
  const std::string& name = model.arrays[a.array].name;
  auto isIn = [&](const affine::Access& one) {
    return std::find(one.loops.begin(), one.loops.end(), loop.index) != one.loops.end();
  };
  const bool moves = model.atoms->variation(a.address).loops & affine::loopBit(loop.index);
  if (!moves && first == second)
    return Refusal{
        fmt::format("{} stores to {} in the same place each time; put promote before it where that is a sum",
                    loop.handle, name),
        a.loc};
  analysis::Conflicts conflicts(model);
  const auto apartIn = [&](affine::AccessId x, affine::AccessId y) {
    return conflicts.ask({x, y, loop.index, analysis::Meeting::Any, analysis::Between::OneThread}).answer ==
           analysis::Answer::No;
  };
  const bool areKnown = isIn(a) && isIn(b) && a.isResolved() && b.isResolved();
  if (HONE_SEED(SplitRowCarriedIgnored, false, true) ||
      (areKnown && apartIn(first, second) && (first == second || apartIn(second, first)))) {
    need(a.guardRequirements), need(b.guardRequirements);
    return std::nullopt;
  }
  return Refusal{fmt::format("iterations of {} may touch what others of them store to {}", loop.handle, name),
                 a.loc};
}

Obstacle RowLoops::setApart(const ReductionLoop& loop, affine::AccessId first, affine::AccessId second) {
  const affine::Access &a = model.accesses[first], &b = model.accesses[second];
  if (HONE_SEED(SplitRowApartNotRequired, false, true)) return std::nullopt;
  Obstacle no;
  if (a.array.isNone() || b.array.isNone())
    no = Refusal{fmt::format("{} touches memory that is not known, and stores", loop.handle),
                 (a.array.isNone() ? a : b).loc};
  else
    no = apart.requireApart(a.array, b.array);
  if (!no) {
    areApart.insert(std::minmax(a.array, b.array));
    return std::nullopt;
  }
  // Threads of the row that wait for the one that walks it alone have no part of a sum.
  const ExprPtr test = loop.sums.empty() ? apartBeforeLoop(model, loop, first, second) : nullptr;
  if (!test) return Refusal{no->reason, a.array.isNone() ? a.loc : b.array.isNone() ? b.loc : a.loc};
  ExprPtr& all = rowTests[loop.loop.get()];
  const std::vector<ExprPtr> known = all ? conjuncts(all) : std::vector<ExprPtr>{};
  if (std::none_of(known.begin(), known.end(), [&](const ExprPtr& e) { return equal(e, test); }))
    all = andAlso(all, test);
  return std::nullopt;
}

ExprPtr RowLoops::testOf(const StmtPtr& loop) const {
  const auto at = rowTests.find(loop.get());
  return at == rowTests.end() ? nullptr : at->second;
}

bool RowLoops::meetInSameIteration(const affine::Access& a, affine::LoopId ofA, const affine::Access& b,
                                   affine::LoopId ofB) const {
  const affine::Loop &x = model.loops[ofA], &y = model.loops[ofB];
  auto isIn = [](const affine::Access& one, affine::LoopId l) {
    return std::find(one.loops.begin(), one.loops.end(), l) != one.loops.end();
  };
  auto isCounted = [](const affine::Loop& l) { return !l.byDistance && l.values.empty(); };
  if (!isCounted(x) || !isCounted(y) || !isIn(a, ofA) || !isIn(b, ofB)) return false;
  const auto stride = a.address.coefficient(x.counter).constant(),
             other = b.address.coefficient(y.counter).constant();
  if (!stride || !other || *stride != *other || *stride > INT32_MAX || *stride < -INT32_MAX) return false;
  const affine::Poly ofRow = a.address.without(x.counter), offset = ofRow - b.address.without(y.counter);
  // Nothing else may move: neither the counter inside of other values nor loops further in.
  if (model.atoms->variation(ofRow).loops || model.atoms->variation(offset).loops) return false;
  for (const affine::Access* one : {&a, &b})
    for (const unsigned r : one->requirements)
      if (!needed.contains(r)) return false;
  const auto distance = HONE_SEED(SplitRowOffsetIgnored, offset.constant(), std::optional<int64_t>(0));
  if (!distance) return false;
  const int64_t bytes = std::max(a.bytes, b.bytes);
  return std::abs(*distance) <= INT32_MAX && std::abs(*distance) + bytes <= std::abs(*stride);
}

const ReductionKernel* RowLoops::dealt(const StmtPtr& loop) const {
  const auto at = byLoop.find(loop.get());
  return at == byLoop.end() ? nullptr : &at->second;
}

bool RowLoops::holdsDealt(const StmtPtr& s) const {
  bool holds = false;
  walkStmts(s, [&](const Stmt& one) { holds |= byLoop.contains(&one); });
  return holds;
}

const ReductionKernel* RowLoops::inexact() const {
  const auto at =
      std::find_if(order.begin(), order.end(), [](const ReductionKernel* k) { return k->loop.inexact(); });
  return at == order.end() ? nullptr : *at;
}

RowWork RowLoops::workOf(const StmtPtr& s, RowWork::By by) const {
  RowWork out{by, {}, {}};
  const auto inside = statementsIn(s);
  for (const affine::AccessId a : model.accesses.ids())
    if (inside.contains(model.accesses[a].stmt.get()) && model.accesses[a].mode != AccessMode::Address)
      out.accesses.push_back(a);
  // One that a thread may walk alone leaves open which thread does which iteration.
  if (const ReductionKernel* one = dealt(s); one && !testOf(s)) out.loop = one->loop.index;
  return out;
}

RowWork RowLoops::conditionOf(const StmtPtr& choice) const {
  RowWork out;
  for (const affine::AccessId a : model.accesses.ids())
    if (model.accesses[a].stmt == choice && model.accesses[a].mode != AccessMode::Address)
      out.accesses.push_back(a);
  return out;
}

bool RowLoops::mustWait(const RowWork& first, const RowWork& second) const {
  if (first.by == RowWork::By::First && second.by == RowWork::By::First) return false;
  auto conflict = [&](const affine::Access& a, const affine::Access& b) {
    if ((!a.writes() && !b.writes() && !a.atomic && !b.atomic) || isOwn(a) || isOwn(b)) return false;
    if (a.array.isNone() || b.array.isNone()) return true;
    if (a.array != b.array) {
      const auto pair = std::minmax(a.array, b.array);
      if (areApart.contains(pair)) return false;
      const auto overlap = analysis::aliasing(model, pair.first, pair.second, known).overlap;
      return overlap != analysis::Overlap::Never && overlap != analysis::Overlap::Harmless;
    }
    return first.loop.isNone() || second.loop.isNone() || !meetInSameIteration(a, first.loop, b, second.loop);
  };
  return std::any_of(first.accesses.begin(), first.accesses.end(), [&](affine::AccessId a) {
    return std::any_of(second.accesses.begin(), second.accesses.end(),
                       [&](affine::AccessId b) { return conflict(model.accesses[a], model.accesses[b]); });
  });
}

}  // namespace hone::passes
