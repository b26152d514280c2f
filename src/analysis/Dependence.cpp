#include "analysis/Dependence.h"

#include <algorithm>

namespace hone::analysis {

using namespace affine;

const char* str(DependenceKind kind) {
  switch (kind) {
    case DependenceKind::Flow: return "flow";
    case DependenceKind::Anti: return "anti";
    case DependenceKind::Output: return "output";
  }
  return "flow";
}

DependenceKind kindOf(const Access& from, const Access& to) {
  if (!to.writes()) return DependenceKind::Flow;
  return from.writes() ? DependenceKind::Output : DependenceKind::Anti;
}

bool canConflict(const KernelModel& model, AccessId first, AccessId second) {
  const Access &x = model.accesses[first], &y = model.accesses[second];
  if (!x.writes() && !y.writes()) return false;
  if (x.atomic && y.atomic) return false;
  if (x.array.isSome() && y.array.isSome()) return x.array == y.array;
  auto isOwn = [&](const Access& a) {
    return a.array.isSome() && model.arrays[a.array].space == ir::Space::Private;
  };
  return !isOwn(x) && !isOwn(y);
}

std::vector<Dependence> dependences(const KernelModel& model, Between between, const Launch* launch) {
  std::vector<Dependence> list;
  Conflicts conflicts(model, launch);
  ById<AccessId, int> position(model.accesses.size());
  for (size_t e = 0; e < model.events.size(); ++e)
    if (model.events[e].kind == EventKind::Access) position[model.events[e].access] = int(e);
  auto add = [&](const Meeting& m) {
    const Access &x = model.accesses[m.first], &y = model.accesses[m.second];
    Dependence d;
    d.from = m.first, d.to = m.second;
    d.kind = kindOf(x, y);
    d.carrier = m.carrier;
    if (x.array.isNone() || y.array.isNone()) {
      const Access& unknown = x.array.isNone() ? x : y;
      d.reason = unknown.reason.empty() ? "which memory " + unknown.handle + " touches is not known"
                                        : unknown.reason;
      list.push_back(std::move(d));
      return;
    }
    Meets meets = conflicts.ask(m, true);
    if (meets.answer == Answer::No) return;
    d.isSure = meets.answer == Answer::Yes;
    d.reason = meets.reason;
    d.distances = meets.distances;
    list.push_back(std::move(d));
  };
  for (const AccessId i : model.accesses.ids())
    for (const AccessId j : model.accesses.ids()) {
      if (!canConflict(model, i, j)) continue;
      const Access& x = model.accesses[i];
      bool isPrivate = x.array.isSome() && model.arrays[x.array].space == ir::Space::Private;
      if (between != Between::OneThread && isPrivate) continue;
      bool isShared = x.array.isSome() && model.arrays[x.array].space == ir::Space::Shared;
      if (between == Between::TwoBlocks) {
        if (!isShared && position[i] <= position[j]) add({i, j, LoopId::none(), Meeting::Any, between});
        continue;
      }
      // An access that reads and writes at once is in order with itself.
      if (position[i] < position[j] || (i == j && between != Between::OneThread))
        add({i, j, LoopId::none(), Meeting::Any, between});
      for (LoopId l : conflicts.commonLoops(i, j)) add({i, j, l, Meeting::Any, between});
    }
  return list;
}

bool isParallel(const std::vector<Dependence>& ofOneThread, LoopId loop) {
  return std::none_of(ofOneThread.begin(), ofOneThread.end(),
                      [&](const Dependence& d) { return d.carrier == loop; });
}

bool mayExchange(const std::vector<Dependence>& ofOneThread, AccessId first, AccessId second) {
  return std::none_of(ofOneThread.begin(), ofOneThread.end(), [&](const Dependence& d) {
    return d.carrier.isNone() && ((d.from == first && d.to == second) || (d.from == second && d.to == first));
  });
}

}  // namespace hone::analysis
