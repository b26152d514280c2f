#include "analysis/Barriers.h"

#include <algorithm>

#include "affine/Implied.h"

namespace hone::analysis {

using namespace affine;

namespace {

class BarriersOf {
 public:
  BarriersOf(const KernelModel& kernel, const Launch* launch) : model(kernel), conflicts(kernel, launch) {
    position.resize(model.accesses.size());
    barrierAt.resize(model.barriers.size());
    enter.resize(model.loops.size());
    leave.resize(model.loops.size());
    for (size_t e = 0; e < model.events.size(); ++e) {
      const Event& event = model.events[e];
      switch (event.kind) {
        case EventKind::Access: position[event.access] = int(e); break;
        case EventKind::Barrier: barrierAt[size_t(event.number)] = int(e); break;
        case EventKind::Enter: enter[event.loop] = int(e); break;
        case EventKind::Leave: leave[event.loop] = int(e); break;
        default: break;
      }
    }
  }

  BarrierFacts run(const std::function<bool(const Access&)>& isGone) {
    facts.barriers.resize(model.barriers.size());
    for (const AccessId i : model.accesses.ids())
      for (const AccessId j : model.accesses.ids()) {
        if (!canConflict(model, i, j)) continue;
        const Access &x = model.accesses[i], &y = model.accesses[j];
        if (isGone && (isGone(x) || isGone(y))) continue;
        if (x.array.isSome() && model.arrays[x.array].space == ir::Space::Private) continue;
        if (position[i] <= position[j]) look(i, j, LoopId::none(), Meeting::Any);
        for (LoopId l : conflicts.commonLoops(i, j))
          if (look(i, j, l, Meeting::Next))
            look(i, j, l, Meeting::Later);
          else if (mayBeLater(i, j, l))
            look(i, j, l, Meeting::Later);
      }
    judge();
    return std::move(facts);
  }

 private:
  bool mayBeLater(AccessId i, AccessId j, LoopId l) {
    if (model.accesses[i].array.isNone() || model.accesses[j].array.isNone()) return false;
    return conflicts.ask({i, j, l, Meeting::Later, Between::OneBlock}).answer != Answer::No;
  }

  bool look(AccessId i, AccessId j, LoopId carrier, Meeting::Gap gap) {
    const Access &x = model.accesses[i], &y = model.accesses[j];
    CrossThread pair;
    pair.from = i, pair.to = j;
    pair.kind = kindOf(x, y);
    pair.carrier = carrier;
    pair.isLater = gap == Meeting::Later;
    if (x.array.isNone() || y.array.isNone()) {
      pair.reason = x.array.isNone() ? x.reason : y.reason;
      pair.barriers = barriersBetween(pair, false);
    } else {
      Meets meets = conflicts.ask({i, j, carrier, gap, Between::OneBlock});
      if (meets.answer == Answer::No) return false;
      pair.isSure = meets.answer == Answer::Yes;
      pair.reason = meets.reason;
      pair.withinWarp = model.threads() <= 32 ||
                        conflicts.ask({i, j, carrier, gap, Between::TwoWarps}).answer == Answer::No;
      pair.barriers = barriersBetween(pair, pair.withinWarp);
    }
    facts.pairs.push_back(std::move(pair));
    return true;
  }

  std::vector<int> barriersBetween(const CrossThread& pair, bool warpWillDo) {
    std::vector<int> found;
    const Access &x = model.accesses[pair.from], &y = model.accesses[pair.to];
    bool isShared = x.array.isSome() && model.arrays[x.array].space == ir::Space::Shared;
    for (size_t b = 0; b < model.barriers.size(); ++b) {
      const BarrierPoint& barrier = model.barriers[b];
      if (barrier.scope == ir::SyncScope::Warp && !warpWillDo) continue;
      if (isShared ? !barrier.orderLocal : !barrier.orderGlobal) continue;
      int at = barrierAt[b];
      bool isBetween = false;
      if (pair.carrier.isNone()) {
        isBetween = at > position[pair.from] && at < position[pair.to] && isPassed(barrier, x, y) &&
                    (implies(x.guard, barrier.guard, LoopId::none()) ||
                     implies(y.guard, barrier.guard, LoopId::none()));
      } else {
        LoopId l = pair.carrier;
        if (at <= enter[l] || at >= leave[l]) continue;
        // After the one in its iteration, before the other in its iteration, or in a whole iteration between.
        isBetween |= at > position[pair.from] && isPassed(barrier, x, x) &&
                     implies(x.guard, barrier.guard, LoopId::none());
        isBetween |= at < position[pair.to] && isPassed(barrier, y, y) &&
                     implies(y.guard, barrier.guard, LoopId::none());
        if (pair.isLater) {
          const std::vector<LoopId> upTo = loopsUpTo(l);
          bool passed = std::all_of(barrier.loops.begin(), barrier.loops.end(), [&](LoopId k) {
            return std::find(upTo.begin(), upTo.end(), k) != upTo.end() || conflicts.runsOnce(k);
          });
          isBetween |= passed && (implies(x.guard, barrier.guard, l) || implies(y.guard, barrier.guard, l));
        }
      }
      if (isBetween) found.push_back(int(b));
    }
    return found;
  }

  std::vector<LoopId> loopsUpTo(LoopId l) const {
    std::vector<LoopId> list;
    for (; l.isSome(); l = model.loops[l].parent) list.push_back(l);
    return list;
  }

  // Every loop around the barrier is around one of the two, or has an iteration for sure.
  bool isPassed(const BarrierPoint& barrier, const Access& x, const Access& y) {
    return std::all_of(barrier.loops.begin(), barrier.loops.end(), [&](LoopId l) {
      auto has = [&](const Access& a) {
        return std::find(a.loops.begin(), a.loops.end(), l) != a.loops.end();
      };
      return has(x) || has(y) || conflicts.runsOnce(l);
    });
  }

  // Part by part. With a loop, parts must not change with its iterations.
  bool implies(const CondPtr& guard, const CondPtr& barrier, LoopId loop) const {
    std::vector<CondPtr> given = conjuncts(guard);
    for (const CondPtr& part : conjuncts(barrier)) {
      bool isGiven =
          std::any_of(given.begin(), given.end(), [&](const CondPtr& g) { return sameCond(g, part); });
      if (!isGiven) return false;
      if (loop.isSome() && (model.atoms->variation(part).loops & loopBit(loop))) return false;
    }
    return true;
  }

  void judge() {
    for (size_t p = 0; p < facts.pairs.size(); ++p) {
      const CrossThread& pair = facts.pairs[p];
      if (pair.barriers.empty()) facts.missing.push_back(int(p));
      for (int b : pair.barriers) facts.barriers[b].orders.push_back(int(p));
      if (pair.barriers.size() == 1) {
        BarrierUse& use = facts.barriers[pair.barriers.front()];
        if (!use.isNeeded) use.why = facts.str(model, pair);
        use.isNeeded = true;
      }
    }
    for (size_t b = 0; b < model.barriers.size(); ++b) {
      BarrierUse& use = facts.barriers[b];
      Divergence d = divergenceAt(model, model.barriers[b].loops, model.barriers[b].guard);
      use.isUniform = !d.isDivergent;
      if (d.isDivergent) use.why = d.reason;
      std::vector<int> more = facts.removable;
      more.push_back(int(b));
      if (facts.mayRemove(more)) facts.removable = more;
    }
  }

  const KernelModel& model;
  Conflicts conflicts;
  // Where among the events each of them stands.
  ById<AccessId, int> position;
  std::vector<int> barrierAt;
  ById<LoopId, int> enter, leave;
  BarrierFacts facts;
};

std::string placeOf(const Access& a) {
  return a.loc.valid() ? "line " + std::to_string(a.loc.line) : a.handle;
}

}  // namespace

bool BarrierFacts::mayRemove(const std::vector<int>& which) const {
  return std::none_of(pairs.begin(), pairs.end(), [&](const CrossThread& pair) {
    return !pair.barriers.empty() && std::all_of(pair.barriers.begin(), pair.barriers.end(), [&](int b) {
      return std::find(which.begin(), which.end(), b) != which.end();
    });
  });
}

std::string BarrierFacts::str(const KernelModel& model, const CrossThread& pair) const {
  const Access &x = model.accesses[pair.from], &y = model.accesses[pair.to];
  auto verb = [](const Access& a) {
    return a.reads() && a.writes() ? "update" : a.writes() ? "write" : "read";
  };
  std::string name = x.array.isSome() ? model.arrays[x.array].name : "memory that is not known";
  std::string text = std::string(verb(x)) + " of " + name + " (" + placeOf(x) + ") before " + verb(y) + " (" +
                     placeOf(y) + ")";
  if (pair.carrier.isSome()) {
    const Loop& loop = model.loops[pair.carrier];
    std::string loopName = loop.var ? loop.var->name : loop.handle;
    text += pair.isLater ? " in a later iteration of " + loopName : " in the next iteration of " + loopName;
  }
  if (!pair.isSure) text += ", perhaps";
  return text;
}

BarrierFacts barriers(const KernelModel& model, const Launch* launch,
                      const std::function<bool(const Access&)>& isGone) {
  return BarriersOf(model, launch).run(isGone);
}

Divergence divergenceAt(const KernelModel& model, const std::vector<LoopId>& loops, const CondPtr& guard) {
  const Atoms& atoms = *model.atoms;
  auto differs = [&](Variation v) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (model.block[axis] == 1) v.threadAxes &= uint8_t(~(1 << axis));
    return model.threads() > 1 && !v.isUniform();
  };
  for (const CondPtr& part : conjuncts(guard))
    if (differs(atoms.variation(part)))
      return {true, "the condition " + atoms.str(part) + " differs between threads"};
  for (LoopId l : loops) {
    const Loop& loop = model.loops[l];
    if (loop.exactness == Exactness::Unknown) return {true, loop.inexact};
    if (loop.runs && differs(atoms.variation(loop.runs)))
      return {true, "the iterations of the loop at line " +
                        std::to_string(loop.stmt ? loop.stmt->loc.line : 0) + " differ between threads"};
  }
  return {};
}

}  // namespace hone::analysis
