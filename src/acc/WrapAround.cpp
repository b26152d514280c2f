#include "acc/WrapAround.h"

#include <cstdlib>
#include <numeric>

#include "affine/ElementSets.h"
#include "emit/Emit.h"

namespace hone::acc {

using namespace affine;

namespace {

const Point here{"@", loopsOnly()};

// Whether `low <= value <= high` in all iterations of these loops where the guard holds.
bool holdsIn(const KernelModel& model, const Requirement& must, const std::vector<LoopId>& loops,
             const CondPtr& guard) {
  if (model.atoms->range(must.value).isWithin(must.low, must.high)) return true;
  ElementSets sets(model);
  const auto never = sets.budget.answer([&] {
    Relations& r = sets.relations;
    const isl::pw_aff value = r.value(must.value, here);
    isl::set fails = isl::set::empty(isl::space::unit(r.ctx()));
    if (must.low != INT64_MIN) fails = fails.unite(value.lt_set(r.number(must.low)));
    if (must.high != INT64_MAX) fails = fails.unite(value.gt_set(r.number(must.high)));
    return r.withRanges(fails.intersect(r.domain(loops, guard, here))).is_empty();
  });
  return never && *never;
}

std::vector<LoopId> around(const KernelModel& model, LoopId loop) {
  std::vector<LoopId> list;
  for (LoopId l = model.loops[loop].parent; l.isSome(); l = model.loops[l].parent)
    list.insert(list.begin(), l);
  return list;
}

// The test of an iteration is made where that of the one before it held.
bool holdsInTests(const KernelModel& model, const Requirement& must, LoopId loop) {
  const Loop& l = model.loops[loop];
  std::vector<LoopId> loops = around(model, loop);
  if (holdsIn(model, must, loops, always())) return true;
  if (!l.values.empty()) return false;
  Requirement first = must, next = must;
  first.value = model.atoms->substitute(must.value, {{l.counter, Poly(0)}});
  next.value = model.atoms->substitute(
      must.value, {{l.counter, Poly::atom(l.counter) + (l.byDistance ? l.step : Poly(1))}});
  if (!holdsIn(model, first, loops, always())) return false;
  loops.push_back(loop);
  return holdsIn(model, next, loops, always());
}

bool isLinear(const KernelModel& model, const Poly& address) {
  bool isLinear = true;
  model.atoms->forEachAtom(address, [&](AtomId id) {
    const AtomKind kind = (*model.atoms)[id].kind;
    isLinear &= kind != AtomKind::Div && kind != AtomKind::Choice && kind != AtomKind::Bits;
  });
  return isLinear;
}

bool isDivisor(const Requirement& must) { return must.low == 1 && must.high == INT64_MAX; }
bool isOf64Bits(const Requirement& must) { return must.high == INT64_MAX; }

// By how many bytes an address is off for each time that a part of it wraps; 0: not known.
int64_t bytesOff(const Poly& address, const Requirement& must) {
  for (const auto& [monomial, factor] : must.value.terms()) {
    if (monomial.empty()) continue;
    const auto found = address.terms().find(monomial);
    if (found == address.terms().end() || found->second % factor != 0) return 0;
    int64_t bytes = 0;
    const int64_t width = must.high - must.low + 1;
    return __builtin_mul_overflow(found->second / factor, width, &bytes) ? 0 : std::abs(bytes);
  }
  return 0;
}

// Whether two accesses are always nearer to each other than that, whatever the iterations.
bool areNear(const KernelModel& model, const Access& x, const Access& y, int64_t bytes) {
  ElementSets sets(model);
  const auto never = sets.budget.answer([&] {
    Relations& r = sets.relations;
    const Point one{"@a", loopsOnly()}, other{"@b", loopsOnly()};
    const isl::pw_aff apart = r.value(x.address, one).sub(r.value(y.address, other));
    const isl::set far = apart.ge_set(r.number(bytes)).unite(apart.le_set(r.number(-bytes)));
    return r.withRanges(far.intersect(r.domain(x, one)).intersect(r.domain(y, other))).is_empty();
  });
  return never && *never;
}

// What is left of the test of a loop whose end may have wrapped: one that counts up by ones passes every
// number of its type, and the end is one of them.
CondPtr atMost(const KernelModel& model, const Loop& loop, const Requirement& must) {
  const bool countsUp = loop.step == Poly(1) && !loop.byDistance && loop.values.empty() &&
                        loop.exactness == Exactness::Exact && model.atoms->range(loop.first).low >= 0;
  if (!countsUp || must.low != 0 || isOf64Bits(must)) return always();
  return atLeast0(Poly(must.high) - loop.first - Poly::atom(loop.counter));
}

}  // namespace

void forgetWhatMayWrap(KernelModel& model) {
  for (const LoopId id : model.loops.ids()) {
    Loop& loop = model.loops[id];
    for (const unsigned number : loop.requirements) {
      const Requirement must = model.requirements[number];
      if (must.value == loop.step) continue;  // says which way it goes, no more
      // An end that wraps at 64 bits is never reached.
      if (isOf64Bits(must) && !isDivisor(must) && loop.exactness == Exactness::Exact) continue;
      if (holdsInTests(model, must, id)) continue;
      loop.runs = atMost(model, loop, must);
      if (loop.exactness == Exactness::Exact) loop.exactness = Exactness::Over;
      loop.inexact = must.why;
      break;
    }
  }
  for (const AccessId id : model.accesses.ids()) {
    Access& access = model.accesses[id];
    for (const unsigned number : access.conditionRequirements) {
      const Requirement& must = model.requirements[number];
      if (holdsIn(model, must, access.loops, always())) continue;
      access.guard = always();
      if (access.exactness == Exactness::Exact) access.exactness = Exactness::Over;
      if (access.reason.empty()) access.reason = must.why;
      break;
    }
  }
}

std::string elementsMayWrap(const KernelModel& model) {
  for (const AccessId id : model.accesses.ids()) {
    const Access& access = model.accesses[id];
    if (!access.isResolved() || model.arrays[access.array].space == ir::Space::Private) continue;
    int64_t bytes = 0;
    std::string why;
    for (const unsigned number : access.addressRequirements) {
      const Requirement& must = model.requirements[number];
      const bool linear = isLinear(model, access.address);
      // What is divided by unknown numbers is looked at elsewhere; addresses wrap as indices of 64 bits do.
      if (isDivisor(must) || (linear && isOf64Bits(must))) continue;
      if (holdsIn(model, must, access.loops, access.guard)) continue;
      why = must.why;
      bytes = linear ? std::gcd(bytes, bytesOff(access.address, must)) : 1;
      if (!linear || bytesOff(access.address, must) == 0) bytes = 1;
    }
    if (why.empty()) continue;
    for (const Access& other : model.accesses) {
      if (other.array != access.array || !other.isResolved() || (!access.writes() && !other.writes()) ||
          (access.atomic && other.atomic))
        continue;
      if (bytes > 1 && areNear(model, access, other, bytes)) continue;
      return "perhaps several iterations use one element as " +
             (access.whole ? emit::emitExpr(access.whole, ir::Language::Cuda) : access.handle) +
             (access.loc.valid() ? " (line " + std::to_string(access.loc.line) + ")" : "") + ": " + why;
    }
  }
  return "";
}

}  // namespace hone::acc
