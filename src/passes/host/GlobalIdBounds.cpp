#include "passes/host/GlobalIdBounds.h"

#include <algorithm>

#include "affine/Implied.h"
#include "ir/CallEffects.h"

namespace hone::passes {

using namespace affine;

namespace {

// Statements that show outside of memory, or may not come to an end, whatever the guards of accesses say.
bool hasOtherEffects(const ir::StmtPtr& body) {
  bool found = false;
  ir::walkStmts(body, [&](const ir::Stmt& s) {
    found = found || ir::prints(s) || s.is<ir::Assert>() || s.is<ir::While>() || s.is<ir::DoWhile>() ||
            s.is<ir::Eval>();
    if (const auto* loop = s.as<ir::For>()) found = found || !ir::counted(*loop);
  });
  return found;
}

// The bound that a conjunct of a guard puts on the id, if it is one.
std::optional<Poly> boundIn(const KernelModel& model, const CondPtr& part, const Poly& id) {
  if (part->kind != CondKind::AtLeast0 && part->kind != CondKind::Zero) return std::nullopt;
  for (int sign : {1, -1}) {
    if (sign < 0 && part->kind == CondKind::AtLeast0) break;
    Poly rest = (sign > 0 ? part->value : -part->value) + id;  // value = rest - id
    if (model.atoms->isLaunchUniform(rest)) return rest + Poly(1);
  }
  return std::nullopt;
}

void addOnce(const Requirement& needed, std::vector<Requirement>& into) {
  const bool isKnown = std::any_of(into.begin(), into.end(), [&](const Requirement& r) {
    return r.value == needed.value && r.low >= needed.low && r.high <= needed.high;
  });
  if (!isKnown) into.push_back(needed);
}

// What the two sides of a guard's comparison rely on, where it bounds an id: of one that is the id and what
// all threads share, and of one that they all share. A sum that wraps below zero is large, so that the thread
// does nothing, as one whose id is past the bound.
void addConditions(const KernelModel& model, const affine::Access& access, const Poly& id,
                   std::vector<Requirement>& into) {
  for (const unsigned index : access.guardRequirements) {
    Requirement needed = model.requirements[index];
    const bool hasId = model.atoms->isLaunchUniform(needed.value - id);
    if (!hasId && !model.atoms->isLaunchUniform(needed.value)) continue;
    if (hasId && needed.low == 0) needed.low = INT64_MIN;
    if (needed.value == id && needed.low <= 0 && needed.high >= INT32_MAX) continue;
    addOnce(needed, into);
  }
}

// The same of the signed comparison that a bound was read from: threads past those of the original may be the
// first to work its sides out.
void addSignedConditions(const KernelModel& model, const CondPtr& part, const Poly& id, const Poly& bound,
                         std::vector<Requirement>& into) {
  constexpr int64_t nearId = 1 << 19;  // ids stay further than that from the end of 31 bits
  for (const SignedComparison& made : model.signedComparisons) {
    if (!sameCond(part, made.cond) && !sameCond(part, negation(made.cond))) continue;
    for (const Requirement& needed : made.relyOn) {
      // A test of the bound keeps the numbers of 64 bits that it adds up within such limits.
      if (needed.high > INT32_MAX && needed.value != bound) continue;
      const auto fromId = (needed.value - id).constant();
      if (fromId && *fromId >= -nearId && *fromId <= nearId) continue;
      addOnce(needed, into);
    }
  }
}

}  // namespace

Poly globalId(const KernelModel& model, unsigned axis) {
  return model.atoms->block(axis) * Poly(model.block[axis]) + model.atoms->thread(axis);
}

GlobalIdBounds globalIdBounds(const KernelModel& model, unsigned axis) {
  if (hasOtherEffects(model.kernel->body)) return {};
  const Poly id = globalId(model, axis);
  GlobalIdBounds found;
  for (const affine::Access& access : model.accesses) {
    if (access.array.isSome()) {
      const ir::Space space = model.arrays[access.array].space;
      if (space == ir::Space::Private || space == ir::Space::Shared) continue;
    }
    std::optional<Poly> bound;
    for (const CondPtr& part : affine::conjuncts(access.guard)) {
      if (!(bound = boundIn(model, part, id))) continue;
      addSignedConditions(model, part, id, *bound, found.conditions);
      break;
    }
    if (!bound) return {};
    if (std::find(found.bounds.begin(), found.bounds.end(), *bound) == found.bounds.end())
      found.bounds.push_back(*bound);
    addConditions(model, access, id, found.conditions);
  }
  return found;
}

}  // namespace hone::passes
