#include "analysis/CoveredAccesses.h"

#include <algorithm>

#include "ir/Walk.h"

namespace hone::analysis {

using namespace affine;

namespace {

// The counters of one access's loops as those of the other's around it; nothing: the loops differ.
std::optional<Atoms::Substitution> asLoopsOf(const KernelModel& model, const Access& one,
                                             const Access& other) {
  if (one.loops.size() != other.loops.size()) return std::nullopt;
  Atoms& atoms = *model.atoms;
  Atoms::Substitution counters;
  for (size_t l = 0; l < one.loops.size(); ++l) {
    const Loop &a = model.loops[one.loops[l]], &b = model.loops[other.loops[l]];
    if (a.exactness != b.exactness || a.byDistance != b.byDistance || a.values != b.values)
      return std::nullopt;
    if (one.loops[l] != other.loops[l]) counters[a.counter] = Poly::atom(b.counter);
    if (!(atoms.substitute(a.first, counters) == b.first) || !(atoms.substitute(a.step, counters) == b.step))
      return std::nullopt;
    const CondPtr runs = a.runs ? atoms.substitute(a.runs, counters) : nullptr;
    if (!runs != !b.runs || (runs && !sameCond(runs, b.runs))) return std::nullopt;
  }
  return counters;
}

std::vector<CondPtr> partsOf(const CondPtr& guard) {
  if (guard->kind == CondKind::True) return {};
  return guard->kind == CondKind::And ? guard->parts : std::vector{guard};
}

// Whether `one` touches nothing that `other` does not.
bool isCovered(const KernelModel& model, AccessId oneId, AccessId otherId) {
  const Access &one = model.accesses[oneId], &other = model.accesses[otherId];
  if (one.bytes != other.bytes || one.isResolved() != other.isResolved()) return false;
  // What the address of the one relies on may fail where that of the other holds.
  for (const unsigned r : one.requirements)
    if (std::find(other.requirements.begin(), other.requirements.end(), r) == other.requirements.end())
      return false;
  const auto counters = asLoopsOf(model, one, other);
  if (!counters || !(model.atoms->substitute(one.address, *counters) == other.address)) return false;
  const auto given = partsOf(model.atoms->substitute(one.guard, *counters));
  const auto needed = partsOf(other.guard);
  return std::all_of(needed.begin(), needed.end(), [&](const CondPtr& part) {
    return std::any_of(given.begin(), given.end(), [&](const CondPtr& had) { return sameCond(had, part); });
  });
}

// Whether an address is taken for a pointer of the thread's own through which elements are touched, each an
// access of its own, and which goes nowhere else.
bool startsRow(const KernelModel& model, AccessId id) {
  const Access& one = model.accesses[id];
  const auto* declared = one.mode == ir::AccessMode::Address ? ir::as<ir::Declare>(one.stmt) : nullptr;
  if (!declared || !declared->var->type->isPointer() ||
      ir::assignedVariables(model.kernel->body).contains(declared->var.get()))
    return false;
  size_t elements = 0;
  ir::walkExprs(model.kernel->body, [&](const ir::Expr& e) {
    const auto* element = e.as<ir::Subscript>();
    const auto* base = element ? ir::as<ir::VarRef>(element->base) : nullptr;
    elements += base && base->var == declared->var;
  });
  // An address of an element would go elsewhere again.
  bool isTakenAgain = false;
  for (const Access& other : model.accesses)
    isTakenAgain |= &other != &one && other.mode == ir::AccessMode::Address &&
                    ir::rootVariable(other.place) == declared->var;
  return !isTakenAgain && elements == ir::countMentions(model.kernel->body, declared->var.get());
}

}  // namespace

std::vector<AccessId> withoutCovered(const KernelModel& model, const std::vector<AccessId>& accesses) {
  std::vector<AccessId> kept;
  for (const AccessId one : accesses) {
    if (accesses.size() > 1 && startsRow(model, one)) continue;
    if (std::any_of(kept.begin(), kept.end(), [&](AccessId other) { return isCovered(model, one, other); }))
      continue;
    std::erase_if(kept, [&](AccessId other) { return isCovered(model, other, one); });
    kept.push_back(one);
  }
  return kept.empty() ? accesses : kept;
}

}  // namespace hone::analysis
