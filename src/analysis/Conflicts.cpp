#include "analysis/Conflicts.h"

#include <algorithm>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

struct Conflicts::Inside {
  Inside(const KernelModel& kernel, const Launch* launch) : model(kernel), sets(kernel, launch) {}
  const KernelModel& model;
  ElementSets sets;
  std::map<LoopId, bool> atLeastOnce;
  // Pairs grow with the square of the accesses: past this many the rest is not known.
  static constexpr unsigned most = 200;
  unsigned asked = 0;

  // Iterations from `one` to `other` of the carrier, as far as its counter tells: the set where the gap is as
  // asked for.
  isl::set gapOf(const Loop& loop, LoopId carrier, Meeting::Gap gap, const Point& one, const Point& other) {
    Relations& r = sets.relations;
    isl::pw_aff p = r.counter(carrier, one), q = r.counter(carrier, other);
    if (!loop.values.empty()) {
      isl::set s = isl::set::empty(isl::space::unit(r.ctx()));
      for (size_t i = 0; i < loop.values.size(); ++i)
        for (size_t j = i + 1; j < loop.values.size(); ++j) {
          if (gap == Meeting::Next && j != i + 1) continue;
          if (gap == Meeting::Later && j == i + 1) continue;
          s = s.unite(p.eq_set(r.number(loop.values[i])).intersect(q.eq_set(r.number(loop.values[j]))));
        }
      return s;
    }
    isl::pw_aff difference = q.sub(p);
    int64_t step = 1;
    if (loop.byDistance) {
      auto n = r.numberOf(loop.step);
      if (!n || *n == 0) {
        Range range = model.atoms->range(loop.step);
        if (range.low >= 0) return difference.gt_set(r.number(0));
        if (range.high <= 0) return difference.lt_set(r.number(0));
        return difference.ne_set(r.number(0));
      }
      step = *n;
    }
    isl::pw_aff next = r.number(step);
    if (gap == Meeting::Next) return difference.eq_set(next);
    bool up = step > 0;
    if (gap == Meeting::Any) return up ? difference.ge_set(next) : difference.le_set(next);
    return up ? difference.gt_set(next) : difference.lt_set(next);
  }

  isl::set who(Between between, const Point& one, const Point& other) {
    Relations& r = sets.relations;
    isl::val lanes(r.ctx(), 32);
    switch (between) {
      case Between::OneThread: return r.universe();
      case Between::TwoBlocks: {
        isl::set differ = isl::set::empty(isl::space::unit(r.ctx()));
        for (unsigned axis = 0; axis < 3; ++axis)
          differ = differ.unite(r.block(axis, one).ne_set(r.block(axis, other)));
        return differ;
      }
      case Between::OneBlock: return r.linearThread(one).ne_set(r.linearThread(other));
      case Between::OneWarp:
      case Between::TwoWarps: break;
    }
    isl::pw_aff x = r.linearThread(one), y = r.linearThread(other);
    isl::pw_aff w = x.scale_down(lanes).floor(), v = y.scale_down(lanes).floor();
    return between == Between::TwoWarps ? w.ne_set(v) : w.eq_set(v).intersect(x.ne_set(y));
  }

  Variation ownOf(const Meeting& m, const std::vector<LoopId>& common) const {
    Variation own = loopsOnly();
    if (m.between != Between::OneThread) own = threadsAndLoops();
    if (m.between == Between::TwoBlocks) return everything();
    for (LoopId l : common) {
      if (l == m.carrier) break;
      own.loops &= ~loopBit(l);
    }
    return own;
  }
};

Conflicts::Conflicts(const KernelModel& model, const Launch* launch)
    : inside(std::make_unique<Inside>(model, launch)) {}
Conflicts::~Conflicts() = default;

std::vector<LoopId> Conflicts::commonLoops(AccessId first, AccessId second) const {
  const auto &x = inside->model.accesses[first].loops, &y = inside->model.accesses[second].loops;
  size_t n = 0;
  while (n < x.size() && n < y.size() && x[n] == y[n]) ++n;
  return {x.begin(), x.begin() + long(n)};
}

Meets Conflicts::ask(const Meeting& m, bool withDistances) {
  Meets meets;
  if (++inside->asked > Inside::most) {
    meets.reason = "too many pairs of accesses";
    return meets;
  }
  const KernelModel& model = inside->model;
  ElementSets& sets = inside->sets;
  Relations& r = sets.relations;
  std::vector<LoopId> common = commonLoops(m.first, m.second);
  Variation own = inside->ownOf(m, common);
  Point one{"@a", own}, other{"@b", own};
  r.start();
  isl::set both;
  const auto meetIn = [&](const isl::set& first, const isl::set& second) {
    both = first.intersect(second).params();
    isl::set more = inside->who(m.between, one, other);
    if (m.carrier.isSome() && m.between != Between::TwoBlocks)
      more = more.intersect(inside->gapOf(model.loops[m.carrier], m.carrier, m.gap, one, other));
    both = r.withRanges(both.intersect(more));
    return !both.is_empty();
  };
  auto found = sets.budget.answer([&] { return meetIn(sets.of(m.first, one), sets.of(m.second, other)); });
  // Rows that may be left are no rows: [r + 1][-1 - i] can be the element [r][n - 1 - i]. Between threads,
  // sizes are taken to be as the kernel expects (x < w in y*w + x).
  const bool mayMeetElsewhere =
      m.between == Between::OneThread ? !sets.hasProvedShape(m.first) : sets.mayLeaveRows(m.first);
  if (found && !*found && mayMeetElsewhere)
    found = sets.budget.answer([&] { return meetIn(sets.flat(m.first, one), sets.flat(m.second, other)); });
  if (!found) {
    meets.reason = "too complex";
    return meets;
  }
  if (!*found) {
    meets.answer = Answer::No;
    return meets;
  }
  meets.answer = r.exactness() == Exactness::Exact ? Answer::Yes : Answer::Unknown;
  meets.reason = r.reason();
  if (!withDistances || m.carrier.isNone() || !model.loops[m.carrier].values.empty()) return meets;
  sets.budget.answer([&] {
    isl::pw_aff gap = r.counter(m.carrier, other).sub(r.counter(m.carrier, one));
    isl::set line = r.forgetAll(gap.as_set().intersect_params(both)).coalesce();
    Distances& d = meets.distances;
    d.isKnown = true;
    if (auto values = valuesOf(line, 0, 16)) d.values = *values;
    isl::val low = line.dim_min_val(0), high = line.dim_max_val(0);
    if (low.is_int()) d.low = low.num_si();
    if (high.is_int()) d.high = high.num_si();
    return true;
  });
  return meets;
}

bool Conflicts::runsOnce(LoopId loop) {
  if (auto it = inside->atLeastOnce.find(loop); it != inside->atLeastOnce.end()) return it->second;
  const KernelModel& model = inside->model;
  const Loop& l = model.loops[loop];
  ElementSets& sets = inside->sets;
  std::vector<LoopId> around;
  for (LoopId p = l.parent; p.isSome(); p = model.loops[p].parent) around.insert(around.begin(), p);
  bool sure = false;
  if (l.values.empty() && l.runs) {
    auto answer = sets.budget.answer([&] {
      Point any{"@", everything()};
      Relations& r = sets.relations;
      CondPtr first = model.atoms->substitute(l.runs, {{l.counter, Poly(0)}});
      if (hasUnknown(first)) return false;
      return r.withRanges(r.domain(around, nullptr, any).intersect(r.holds(negation(first), any))).is_empty();
    });
    sure = answer.value_or(false);
  } else {
    sure = !l.values.empty() && l.runs && l.runs->kind == CondKind::True;
  }
  return inside->atLeastOnce[loop] = sure;
}

}  // namespace hone::analysis
