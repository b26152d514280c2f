#include "passes/guards/Speculation.h"

#include <optional>
#include <utility>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

namespace {

// An element of an array of the thread's own that is there whatever the thread holds: constants and counters
// of loops of known iterations say which.
bool isOwnElement(const ExprPtr& place, const GuardedRegion& region) {
  const auto* element = as<Subscript>(place);
  const auto* array = element ? as<VarRef>(element->base) : nullptr;
  if (!array || array->var->storage != Storage::Local || array->var->space != Space::Private) return false;
  TypePtr type = array->var->type;
  for (const ExprPtr& index : element->indices) {
    if (!type->is(TypeKind::Array) || type->extent <= 0) return false;
    const auto known = constantValue(index);
    const auto* counter = as<VarRef>(index);
    const auto counts = counter ? region.counters.find(counter->var.get()) : region.counters.end();
    const bool isThere = known ? *known >= 0 && *known < type->extent
                               : counts != region.counters.end() && counts->second.first >= 0 &&
                                     counts->second.second <= type->extent;
    if (!isThere) return false;
    type = type->element;
  }
  return true;
}

// Counter, first value and end of a loop of known iterations that counts upwards; at least one iteration.
std::optional<std::pair<const Variable*, std::pair<int64_t, int64_t>>> knownIterations(const For& loop) {
  const auto counts = counted(loop);
  if (!counts || !counts->declares || loop.init.size() != 1 || counts->op != BinaryOp::Add ||
      counts->compare != BinaryOp::Lt)
    return std::nullopt;
  const auto begin = constantValue(counts->begin), end = constantValue(counts->end),
             step = constantValue(counts->step);
  if (!begin || !end || !step || *step <= 0 || *begin >= *end ||
      assignedVariables(loop.body).contains(counts->var.get()))
    return std::nullopt;
  return std::pair{static_cast<const Variable*>(counts->var.get()), std::pair{*begin, *end}};
}

}  // namespace

Speculation::Speculation(const Kernel& kernel, const SinkOptions& how)
    : options(how), pointedTo(addressTaken(kernel.body)) {
  countRefs(kernel.body, references);
}

size_t Speculation::refsTo(const Variable* var) const {
  const auto found = references.find(var);
  return found == references.end() ? 0 : found->second;
}

// The thread's own, and no statement outside of the region looks at it: what inactive threads put there does
// not matter.
bool Speculation::isConfined(const VarPtr& var, const GuardedRegion& region) const {
  if (var->storage != Storage::Local || var->space != Space::Private || var->isReference || var->isVolatile)
    return false;
  if (pointedTo.contains(var.get())) return false;
  // In a loop, what an inactive thread changes could be looked at in a later iteration.
  if (region.inLoop && !region.declared.contains(var.get())) return false;
  auto all = references.find(var.get()), here = region.inside.find(var.get());
  return all == references.end() || (here != region.inside.end() && here->second == all->second);
}

void Speculation::setArrays(const StmtPtr& s, std::set<const Variable*>& into) {
  if (const auto* a = as<Assign>(s); a && !a->op)
    if (const auto* element = as<Subscript>(a->place))
      if (const auto* array = as<VarRef>(element->base)) into.insert(array->var.get());
  if (const auto* list = as<Block>(s))
    for (const StmtPtr& one : list->stmts) setArrays(one, into);
  if (const auto* loop = as<For>(s); loop && knownIterations(*loop)) setArrays(loop->body, into);
}

bool Speculation::mayLoad(const ExprPtr& place, const GuardedRegion& region) const {
  const VarPtr root = rootVariable(place);
  if (!root || isVolatile(*place) || region.unset.contains(root.get())) return false;
  if (!options.readable.contains(root.get())) return isOwnElement(place, region);
  ExprPtr e = place;
  while (const auto* element = as<Subscript>(e)) {
    for (const ExprPtr& index : element->indices)
      if (!isFree(index, region)) return false;
    e = element->base;
  }
  return e->is<VarRef>();
}

HarmlessRules Speculation::rules(const GuardedRegion& region) const {
  return {[this, &region](const ExprPtr& place) { return mayLoad(place, region); }, &region.unset, true};
}

bool Speculation::isFree(const ExprPtr& value, const GuardedRegion& region) const {
  return isHarmless(value, rules(region));
}

bool Speculation::isFree(const StmtPtr& s, const GuardedRegion& region) const {
  if (s->is<Comment>()) return true;
  if (const auto* d = as<Declare>(s)) return isFree(d->init, region);
  if (s->is<Block>()) return areFree(stmtsOf(s), region);
  if (const auto* choice = as<If>(s))
    return isFree(choice->cond, region) && areFree(stmtsOf(choice->then), region) &&
           areFree(stmtsOf(choice->otherwise), region);
  if (const auto* loop = as<For>(s)) {
    if (!options.opensIfFree || !options.opensIfFree(s) || !areFree(loop->init, region) ||
        !isFree(loop->cond, region) || !areFree(loop->step, region) || !isSameForAll(*loop, region))
      return false;
    const auto iterations = knownIterations(*loop);
    if (!iterations) return areFree(stmtsOf(loop->body), region);
    GuardedRegion inner = region;
    inner.counters.insert(*iterations);
    return areFree(stmtsOf(loop->body), std::move(inner));
  }
  const auto* a = as<Assign>(s);
  if (!a) return false;
  ExprPtr place = a->place;
  while (true) {
    if (const auto* m = as<Member>(place))
      place = m->base;
    else if (const auto* w = as<Swizzle>(place))
      place = w->base;
    else
      break;
  }
  const bool isElement = isOwnElement(place, region);
  const auto* var = as<VarRef>(isElement ? as<Subscript>(place)->base : place);
  return var && isConfined(var->var, region) && isHarmless(*a, rules(region));
}

std::set<const Variable*> Speculation::readByHeader(const For& loop) {
  std::set<const Variable*> read, set;
  auto note = [&](const ExprPtr& e) {
    if (e)
      walkExprs(e, [&](const Expr& part) {
        if (const auto* r = part.as<VarRef>(); r && !set.contains(r->var.get())) read.insert(r->var.get());
      });
  };
  for (const StmtPtr& s : loop.init) {
    if (const auto* d = as<Declare>(s)) note(d->init), set.insert(d->var.get());
    const auto* a = as<Assign>(s);
    const auto* whole = a && !a->op ? as<VarRef>(a->place) : nullptr;
    if (a) note(a->value);
    if (whole)
      set.insert(whole->var.get());
    else if (a)
      note(a->place);
  }
  note(loop.cond);
  for (const StmtPtr& s : loop.step)
    if (const auto* a = as<Assign>(s)) note(a->place), note(a->value);
  return read;
}

bool Speculation::isSameForAll(const For& loop, const GuardedRegion& region) const {
  for (const Variable* var : readByHeader(loop))
    if (region.stale.contains(var) || pointedTo.contains(var)) return false;
  return true;
}

// One after the other; variables that get no value among them do not count as having one.
bool Speculation::areFree(const StmtList& list, GuardedRegion region) const {
  for (const StmtPtr& s : list) {
    if (!isFree(s, region)) return false;
    if (const auto* d = as<Declare>(s); d && !d->init) region.unset.insert(d->var.get());
    const auto* a = as<Assign>(s);
    if (const auto* r = a && !a->op ? as<VarRef>(a->place) : nullptr) region.unset.erase(r->var.get());
    std::set<const Variable*> arrays;
    setArrays(s, arrays);
    for (const Variable* array : arrays) region.unset.erase(array);
  }
  return true;
}

bool Speculation::readsStale(const ExprPtr& e, const GuardedRegion& region) const {
  bool found = false;
  walkExprs(e, [&](const Expr& part) {
    const auto* r = part.as<VarRef>();
    found = found || (r && (region.stale.contains(r->var.get()) || pointedTo.contains(r->var.get())));
  });
  return found;
}

}  // namespace hone::passes
