#include "acc/Hazards.h"

#include <algorithm>

#include "ir/CallEffects.h"
#include "ir/Walk.h"

namespace hone::acc {

using namespace ir;

void Touches::add(const Touches& other) {
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
}

namespace {

// What a place's memory is reached through; nothing for a thread's own variable.
std::optional<const Variable*> memoryOf(const Expr& place, const IsMemory& isMemory) {
  const Variable* var = storageOf(place);
  if (!var) return nullptr;
  return isMemory(*var) ? std::optional(var) : std::nullopt;
}

void addReads(Touches& touches, const ExprPtr& e, const IsMemory& isMemory) {
  walkExprs(e, [&](const Expr& node) {
    if (const auto* var = node.as<VarRef>(); var && isMemory(*var->var)) touches.reads.insert(var->var.get());
    if (const auto* element = node.as<Subscript>(); element && element->base->type->isPointer())
      touches.reads.insert(nullptr);
    const auto* call = node.as<Call>();
    if (!call) return;
    const bool reads = call->function
                           ? call->function->readsMemory || !call->function->isPure()
                           : call->intrinsic->cls == IntrinsicClass::Load || !call->intrinsic->isPure();
    if (reads) touches.reads.insert(nullptr);
    // What is freed must have been read.
    const bool frees = call->intrinsic && call->intrinsic->id == "device_free";
    if (frees || writesMemory(*call)) touches.writes.insert(nullptr);
  });
}

}  // namespace

Touches touchesOf(const ExprPtr& e, const IsMemory& isMemory) {
  Touches touches;
  if (e) addReads(touches, e, isMemory);
  return touches;
}

Touches touchesOf(const StmtPtr& s, const IsMemory& isMemory) {
  Touches touches;
  if (!s) return touches;
  walkStmts(s, [&](const Stmt& one) {
    forEachExpr(one, [&](const ExprPtr& e) { addReads(touches, e, isMemory); });
    if (const auto* d = one.as<Declare>(); d && d->init && isMemory(*d->var))
      touches.writes.insert(d->var.get());
    const auto* assignment = one.as<Assign>();
    if (!assignment) return;
    if (auto memory = memoryOf(*assignment->place, isMemory)) touches.writes.insert(*memory);
  });
  return touches;
}

Touches touchesOf(const StmtList& stmts, const IsMemory& isMemory) {
  Touches touches;
  for (const StmtPtr& s : stmts) touches.add(touchesOf(s, isMemory));
  return touches;
}

bool Hazards::meet(const std::set<const Variable*>& a, const std::set<const Variable*>& b) const {
  for (const Variable* one : a)
    for (const Variable* other : b) {
      if (one == other) return true;
      const Variable* named = one ? other ? nullptr : one : other;
      if (named && (named->space != Space::Shared || escaped->contains(named))) return true;
      const bool areGlobal = one && other && one->space != Space::Shared && other->space != Space::Shared;
      if (areGlobal && (escaped->contains(one) || escaped->contains(other))) return true;
    }
  return false;
}

bool Hazards::needsBarrier(By by, const Touches& touches) const {
  if (meet(touches.reads, byMany.writes) || meet(touches.writes, byMany.reads) ||
      meet(touches.writes, byMany.writes))
    return true;
  if (by == By::One) return false;
  return meet(touches.reads, byOne.writes) || meet(touches.writes, byOne.reads) ||
         meet(touches.writes, byOne.writes);
}

void Hazards::add(By by, const Touches& touches) { (by == By::One ? byOne : byMany).add(touches); }

void Hazards::join(const Hazards& other) {
  byOne.add(other.byOne);
  byMany.add(other.byMany);
}

void Hazards::clear() { byOne = byMany = {}; }

}  // namespace hone::acc
