#include "passes/GlobalIdBounds.h"

#include <algorithm>

#include "affine/Implied.h"

namespace hone::passes {

using namespace affine;

namespace {

// Statements that show outside of memory, or may not come to an end, whatever the guards of accesses say.
bool hasOtherEffects(const ir::StmtPtr& body) {
  bool found = false;
  ir::walkStmts(body, [&](const ir::Stmt& s) {
    found = found || s.is<ir::Printf>() || s.is<ir::Assert>() || s.is<ir::While>() || s.is<ir::DoWhile>() ||
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

}  // namespace

Poly globalId(const KernelModel& model, unsigned axis) {
  return model.atoms->block(axis) * Poly(model.block[axis]) + model.atoms->thread(axis);
}

std::vector<Poly> globalIdBounds(const KernelModel& model, unsigned axis) {
  if (hasOtherEffects(model.kernel->body)) return {};
  const Poly id = globalId(model, axis);
  std::vector<Poly> bounds;
  for (const affine::Access& access : model.accesses) {
    if (access.array >= 0) {
      const ir::Space space = model.arrays[access.array].space;
      if (space == ir::Space::Private || space == ir::Space::Shared) continue;
    }
    std::optional<Poly> bound;
    for (const CondPtr& part : affine::conjuncts(access.guard))
      if (!bound) bound = boundIn(model, part, id);
    if (!bound) return {};
    if (std::find(bounds.begin(), bounds.end(), *bound) == bounds.end()) bounds.push_back(*bound);
  }
  return bounds;
}

}  // namespace hone::passes
