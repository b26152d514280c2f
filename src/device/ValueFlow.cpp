#include "device/ValueFlow.h"

#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::device {

using namespace ir;

namespace {

bool isMemoryArray(const Variable& var) {
  return var.storage == Storage::Global || var.type->is(TypeKind::Array);
}

const Subscript* findSubscript(const ExprPtr& place) {
  if (const auto* element = place->as<Subscript>()) return element;
  if (const auto* field = place->as<Member>()) return findSubscript(field->base);
  if (const auto* lanes = place->as<Swizzle>()) return findSubscript(lanes->base);
  return nullptr;
}

}  // namespace

void ValueFlow::follow() {
  collectDefinitions();
  // Flows only grow, so this ends; a handful of iterations is the rule.
  for (int iteration = 0; iteration < 20; ++iteration) {
    changed = false;
    walkStmts(facts.inlined->body, [this](const Stmt& s) { propagate(s); });
    if (!changed) break;
  }
}

Flow ValueFlow::of(const ExprPtr& e) {
  Flow flow;
  if (!e) return flow;
  if (std::string path = pathOf(e); !path.empty()) {
    if (facts.roles.contains(path)) flow.params.insert(path);
    if (facts.arrays.contains(path) && e->type->isPointer()) flow.points.insert(path);
    if (const auto* var = e->as<VarRef>(); var) flow.add(variables[var->var.get()]);
    if (!flow.params.empty() || !flow.points.empty()) return flow;
  }
  if (const auto* var = e->as<VarRef>()) {
    flow = variables[var->var.get()];
    if (isMemoryArray(*var->var)) {
      known[var->var->name] = var->var;
      flow.points.insert(var->var->name);
      if (!var->var->type->is(TypeKind::Array)) flow.loaded.insert(var->var->name);
    }
    return flow;
  }
  if (const auto* c = e->as<Coord>()) {
    unsigned bit = 1u << c->axis;
    if (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::GlobalId) flow.coords.thread |= bit;
    if (c->kind == CoordKind::BlockIdx || c->kind == CoordKind::GlobalId) flow.coords.block |= bit;
    return flow;
  }
  if (const auto* element = e->as<Subscript>()) {
    Flow base = of(element->base);
    for (const std::string& array : base.points) {
      flow.loaded.insert(array);
      flow.add(contents[array]);
    }
    if (const VarPtr root = rootVariable(e); root && !root->type->isPointer()) flow.add(contents[root->name]);
    return flow;
  }
  if (const auto* address = e->as<AddressOf>()) return ofAddress(address->place);
  if (const auto* call = e->as<Call>()) {
    for (const ExprPtr& arg : call->args) {
      Flow one = of(arg);
      if (call->intrinsic && arg->type->isPointer() &&
          (call->intrinsic->cls == IntrinsicClass::Load || call->intrinsic->cls == IntrinsicClass::Atomic)) {
        flow.loaded.insert(one.points.begin(), one.points.end());
        flow.fromAtomic |= call->intrinsic->cls == IntrinsicClass::Atomic;
        for (const std::string& array : one.points) flow.add(contents[array]);
      } else {
        flow.add(one);
      }
    }
    return flow;
  }
  forEachChild(*e, [&](const ExprPtr& child) { flow.add(of(child)); });
  return flow;
}

Flow ValueFlow::ofAddress(const ExprPtr& place) {
  if (const auto* element = place->as<Subscript>()) {
    Flow flow = of(element->base);
    for (const ExprPtr& index : element->indices) flow.add(of(index));
    return flow;
  }
  if (const auto* field = place->as<Member>()) return ofAddress(field->base);
  if (const auto* lanes = place->as<Swizzle>()) return ofAddress(lanes->base);
  return of(place);
}

void ValueFlow::store(const ExprPtr& place, const Flow& value) {
  if (const auto* var = place->as<VarRef>()) {
    changed |= variables[var->var.get()].add(value);
    return;
  }
  VarPtr root = rootVariable(place);
  if (const auto* element = findSubscript(place)) {
    Flow base = of(element->base);
    for (const std::string& array : base.points) changed |= contents[array].add(value);
  }
  // A field or lane of a variable of the thread's own: the variable as a whole.
  if (root && !root->type->isPointer()) {
    if (root->type->is(TypeKind::Array) || root->storage == Storage::Global)
      changed |= contents[root->name].add(value);
    else
      changed |= variables[root.get()].add(value);
  }
}

void ValueFlow::propagate(const Stmt& s) {
  if (const auto* d = s.as<Declare>(); d && d->init) changed |= variables[d->var.get()].add(of(d->init));
  if (const auto* a = s.as<Assign>()) store(a->place, of(a->value));
  if (const auto* f = s.as<For>()) {
    for (const StmtPtr& one : f->init) propagate(*one);
    for (const StmtPtr& one : f->step) propagate(*one);
  }
}

void ValueFlow::collectDefinitions() {
  std::map<const Variable*, int> times;
  std::map<const Variable*, ExprPtr> values;
  auto look = [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>(); d && d->init) ++times[d->var.get()], values[d->var.get()] = d->init;
    if (const auto* a = s.as<Assign>())
      if (const auto* var = as<VarRef>(a->place))
        times[var->var.get()] += a->op ? 2 : 1, values[var->var.get()] = a->value;
  };
  walkStmts(facts.inlined->body, look);
  for (const auto& [var, count] : times)
    if (count == 1) facts.definitions[var] = values[var];
}

}  // namespace hone::device
