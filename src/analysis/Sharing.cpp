#include "analysis/Sharing.h"

#include <functional>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

namespace {

// Whole footprints are compared here, which costs more than asking whether two elements meet.
constexpr unsigned long budgetOfPairs = 100'000;

// Two instances of the same accesses that differ in one coordinate, which each of them has for its own.
class Pairing {
 public:
  using Coordinate = std::function<isl::pw_aff(const Point&)>;

  Pairing(const KernelModel& kernel, const std::vector<AccessId>& members, const Launch* launch)
      : model(kernel), accesses(members), sets(kernel, launch, budgetOfPairs) {}

  Coordinate coordinateOf(Scope scope, unsigned axis) {
    Relations& r = sets.relations;
    switch (scope) {
      case Scope::Thread: return [&r, axis](const Point& at) { return r.thread(axis, at); };
      case Scope::Block: return [&r, axis](const Point& at) { return r.block(axis, at); };
      case Scope::Warp: break;
    }
    return [&r](const Point& at) { return r.linearThread(at).scale_down(isl::val(r.ctx(), 32)).floor(); };
  }
  Coordinate counterOf(LoopId loop) {
    Relations& r = sets.relations;
    return [&r, loop](const Point& at) { return r.counter(loop, at); };
  }

  Shared ask(const Variation& own, const Coordinate& coordinate, int64_t unitStep) {
    Shared shared;
    const Access& first = model.accesses[accesses.front()];
    if (first.array.isNone()) {
      shared.reason = first.reason;
      return shared;
    }
    for (AccessId a : accesses)
      if (!sets.isKnown(a)) {
        const Access& access = model.accesses[a];
        shared.reason =
            access.reason.empty() ? "the address of " + access.handle + " is not understood" : access.reason;
        return shared;
      }
    Relations& r = sets.relations;
    Point one{"@a", own}, other{"@b", own};
    isl::set here, there;
    isl::pw_aff p, q;
    auto known = sets.budget.answer([&] {
      r.start();
      p = isl::pw_aff::param_on_domain(r.universe(), r.named("at@"));
      q = isl::pw_aff::param_on_domain(r.universe(), r.named("at@'"));
      here = touched(one, coordinate, "at@");
      there = touched(other, coordinate, "at@'");
      return true;
    });
    if (!known) {
      shared.reason = "too complex";
      return shared;
    }
    shared.exactness = r.exactness();
    shared.reason = r.reason();
    auto next = sets.budget.answer([&] {
      isl::set link = q.eq_set(p.add_constant(isl::val(r.ctx(), unitStep)));
      link = link.intersect(here.params()).intersect(there.params());
      isl::set a = here.intersect_params(link), b = there.intersect_params(link);
      if (a.is_disjoint(b)) return SharedPart::None;
      return a.is_equal(b) ? SharedPart::Full : SharedPart::Partial;
    });
    shared.next = next.value_or(SharedPart::Unknown);
    auto distances = sets.budget.answer([&] { return distancesOf(here, there, p, q); });
    if (distances) shared.distances = *distances;
    if (!next || !distances) shared.exactness = Exactness::Unknown, shared.reason = "too complex";
    return shared;
  }

 private:
  // Elements touched by the instances that have a coordinate, which becomes the parameter `name`.
  isl::set touched(const Point& at, const Coordinate& coordinate, const std::string& name) {
    Relations& r = sets.relations;
    isl::pw_aff p = isl::pw_aff::param_on_domain(r.universe(), r.named(name));
    isl::set s = sets.of(accesses, at).intersect_params(p.eq_set(coordinate(at)));
    return sets.forget(r.withRanges(s), at).coalesce();
  }

  Distances distancesOf(const isl::set& here, const isl::set& there, const isl::pw_aff& p,
                        const isl::pw_aff& q) {
    Relations& r = sets.relations;
    Distances d;
    d.isKnown = true;
    isl::pw_aff gap = q.sub(p);
    isl::set positive = gap.gt_set(r.number(0));
    // Pairs there are at all, and those that share something.
    isl::set pairs = here.params().intersect(there.params()).intersect(positive);
    isl::set meeting = here.intersect(there).params().intersect(positive);
    isl::set some = r.forgetAll(gap.as_set().intersect_params(meeting)).coalesce();
    if (some.is_empty()) return d;
    if (auto values = valuesOf(some, 0, 16)) {
      d.values = *values;
      d.low = values->front(), d.high = values->back();
    } else if (auto least = some.dim_min_val(0); least.is_int()) {
      d.low = least.num_si();
      if (auto most = some.dim_max_val(0); most.is_int()) d.high = most.num_si();
    }
    d.isEvery = pairs.is_subset(meeting);
    return d;
  }

  const KernelModel& model;
  const std::vector<AccessId>& accesses;
  ElementSets sets;
};

void fixLoops(const KernelModel& model, LoopId loop, Variation& own) {
  for (LoopId l = loop; l.isSome(); l = model.loops[l].parent) own.loops &= ~loopBit(l);
}

}  // namespace

const char* str(SharedPart part) {
  switch (part) {
    case SharedPart::None: return "none";
    case SharedPart::Partial: return "partial";
    case SharedPart::Full: return "full";
    case SharedPart::Unknown: return "unknown";
  }
  return "unknown";
}

std::string Distances::str() const {
  if (!isKnown) return "?";
  if (isNone()) return "none";
  if (isEvery) return "every";
  std::string text;
  for (int64_t v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
  if (!text.empty()) return text;
  return (low ? std::to_string(*low) : "?") + " … " + (high ? std::to_string(*high) : "?");
}

Shared sharing(const KernelModel& model, const std::vector<AccessId>& accesses, const SharingOf& question,
               const Launch* launch) {
  Shared none;
  none.reason = "no access";
  if (accesses.empty()) return none;
  Pairing pairing(model, accesses, launch);
  Variation own;
  switch (question.scope) {
    case Scope::Thread:
      own = loopsOnly();
      own.threadAxes = uint8_t(1 << question.axis), own.anyThread = true;
      break;
    case Scope::Warp: own = threadsAndLoops(); break;
    case Scope::Block:
      own = threadsAndLoops();
      own.blockAxes = uint8_t(1 << question.axis);
      break;
  }
  fixLoops(model, question.loop, own);
  return pairing.ask(own, pairing.coordinateOf(question.scope, question.axis), 1);
}

Shared reuse(const KernelModel& model, const std::vector<AccessId>& accesses, LoopId loop, Scope scope,
             const Launch* launch) {
  Shared none;
  none.reason = "no access";
  if (accesses.empty()) return none;
  Pairing pairing(model, accesses, launch);
  Variation own = scope == Scope::Thread ? loopsOnly() : threadsAndLoops();
  fixLoops(model, model.loops[loop].parent, own);
  int64_t step = 1;
  if (model.loops[loop].byDistance) step = model.loops[loop].step.constant().value_or(1);
  return pairing.ask(own, pairing.counterOf(loop), step);
}

Redundancy redundancy(const KernelModel& model, const Access& access) {
  Redundancy r;
  const Atoms& atoms = *model.atoms;
  Variation address = atoms.variation(access.address), guard = atoms.variation(access.guard);
  if (address.anyThread || access.writes()) return r;
  for (LoopId l : access.loops) {
    guard |= atoms.variation(model.loops[l].runs);
    // The counter's start may differ from thread to thread without the address saying so by name.
    if (address.loops & loopBit(l)) address |= atoms.variation(model.loops[l].first);
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (model.block[axis] > 1 && !(address.threadAxes >> axis & 1)) {
      r.axes |= uint8_t(1 << axis);
      r.copies *= model.block[axis];
      r.guardDepends |= (guard.threadAxes >> axis & 1) || guard.anyThread;
    }
  return r;
}

}  // namespace hone::analysis
