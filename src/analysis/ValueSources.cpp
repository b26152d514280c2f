#include "analysis/ValueSources.h"

#include <algorithm>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::analysis {

using namespace affine;
using ir::as;

bool ValueOrigin::add(const ValueOrigin& other, bool throughShared) {
  const auto size = [&] {
    return reads.size() + nearest.size() + updates.size() + trees.size() + isShuffled + isShuffledUp;
  };
  const size_t before = size();
  reads.insert(other.reads.begin(), other.reads.end());
  if (!throughShared) nearest.insert(other.nearest.begin(), other.nearest.end());
  updates.insert(other.updates.begin(), other.updates.end());
  trees.insert(other.trees.begin(), other.trees.end());
  isShuffled |= other.isShuffled, isShuffledUp |= other.isShuffledUp;
  return size() != before;
}

// What one statement gives a variable, or an element of an array.
struct ValueSources::Assignment {
  ir::StmtPtr stmt;
  const ir::Variable* target = nullptr;  // null: memory that no variable names
  AccessId store;                        // none: a variable
  std::vector<ir::ExprPtr> values;       // with the conditions it stands under
  bool takesOld = false;                 // by `+=`, or an atomic
  std::vector<LoopId> loops;
};

namespace {

const ir::Variable* memoryOf(const KernelModel& model, const Access& access) {
  return access.array.isNone() ? nullptr : model.arrays[access.array].var.get();
}

bool isInShared(const KernelModel& model, const Access& access) {
  return access.array.isSome() && model.arrays[access.array].space == ir::Space::Shared;
}

// Exchanges that a call makes, those inside of the user's functions included.
void noteExchanges(const ir::Expr& e, ValueOrigin& out, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const auto* call = e.as<ir::Call>();
  if (!call || depth > deepest) return;
  if (call->intrinsic && call->intrinsic->cls == ir::IntrinsicClass::Exchange) {
    const std::string_view id = call->intrinsic->id;
    out.isShuffled |= call->intrinsic->traits.isShuffle || id.find("reduce") != std::string_view::npos;
    out.isShuffledUp |= call->intrinsic->traits.isShuffle && id.find("_up") != std::string_view::npos;
  }
  if (call->function && call->function->body)
    ir::walkExprs(call->function->body, [&](const ir::Expr& inner) { noteExchanges(inner, out, depth + 1); });
}

}  // namespace

// Every statement that gives something a value, with the loops and conditions around it.
class ValueSources::Collector {
 public:
  Collector(ValueSources& into, const KernelModel& kernelModel) : out(into), model(kernelModel) {
    for (const LoopId l : model.loops.ids()) loopOf[model.loops[l].stmt.get()] = l;
    for (const AccessId a : model.accesses.ids())
      if (model.accesses[a].writes()) stores[model.accesses[a].stmt.get()].push_back(a);
  }
  void collect(const ir::StmtPtr& s) {
    if (!s) return;
    const auto loop = loopOf.find(s.get());
    if (loop != loopOf.end()) loops.push_back(loop->second);
    const size_t conditionsBefore = conditions.size();
    if (const auto* branch = s->as<ir::If>()) conditions.push_back(branch->cond);
    take(s);
    ir::forEachChild(*s, [&](const ir::StmtPtr& child) { collect(child); });
    conditions.resize(conditionsBefore);
    if (loop != loopOf.end()) loops.pop_back();
  }

 private:
  ValueSources& out;
  const KernelModel& model;
  std::map<const ir::Stmt*, LoopId> loopOf;
  std::map<const ir::Stmt*, std::vector<AccessId>> stores;
  std::vector<LoopId> loops;
  std::vector<ir::ExprPtr> conditions;

  Assignment start(const ir::StmtPtr& s) const {
    Assignment one;
    one.stmt = s, one.loops = loops, one.values = conditions;
    return one;
  }

  void take(const ir::StmtPtr& s) {
    Assignment one = start(s);
    const auto* declare = s->as<ir::Declare>();
    const auto* assign = s->as<ir::Assign>();
    if (declare) out.declared[declare->var.get()] = loops;
    if (declare && declare->init) {
      one.target = declare->var.get();
      one.values.push_back(declare->init);
      out.assignments.push_back(one);
    }
    const ir::Variable* const storage = assign ? ir::storageOf(*assign->place) : nullptr;
    if (storage && storage->type && !storage->type->is(ir::TypeKind::Array) &&
        storage->space != ir::Space::Shared) {
      one.target = storage, one.takesOld = assign->op.has_value();
      one.values.push_back(assign->value);
      out.assignments.push_back(one);
    }
    const auto writes = stores.find(s.get());
    if (writes == stores.end()) return;
    for (const AccessId a : writes->second) {
      Assignment store = start(s);
      const Access& access = model.accesses[a];
      store.store = a, store.target = memoryOf(model, access);
      store.takesOld = access.atomic || (assign && assign->op) || access.mode == ir::AccessMode::ReadWrite;
      if (assign && assign->place == access.whole)
        store.values.push_back(assign->value);
      else
        ir::forEachExpr(*s, [&](const ir::ExprPtr& e) { store.values.push_back(e); });
      out.assignments.push_back(std::move(store));
    }
  }
};

ValueSources::ValueSources(const KernelModel& kernelModel) : model(kernelModel) {
  for (const AccessId a : model.accesses.ids()) {
    const Access& access = model.accesses[a];
    if (!access.reads()) continue;
    loads[access.whole.get()].push_back(a);
    if (access.place != access.whole) loads[access.place.get()].push_back(a);
  }
  Collector(*this, model).collect(model.kernel->body);
  for (const Assignment& one : assignments)
    if (one.target)
      for (const ir::ExprPtr& value : one.values)
        for (const ir::Variable* v : variablesIn(value)) closure[one.target].insert(v);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [variable, on] : closure) {
      const std::set<const ir::Variable*> now = on;
      for (const ir::Variable* v : now)
        if (const auto next = closure.find(v); next != closure.end() && v != variable) {
          const size_t before = on.size();
          on.insert(next->second.begin(), next->second.end());
          changed |= on.size() != before;
        }
    }
  }
  propagate();
  findTrees();
  findUpdates();
  propagate();
  for (const Assignment& one : assignments) {
    if (one.store.isNone()) continue;
    ValueOrigin& origin = stored[one.store];
    for (const ir::ExprPtr& value : one.values) origin.add(of(value));
    const auto index = static_cast<size_t>(&one - assignments.data());
    if (const auto update = updateOf.find(index); update != updateOf.end())
      origin.updates.insert(update->second);
  }
  for (const AccessId a : model.accesses.ids()) {
    const auto* place = as<ir::Subscript>(model.accesses[a].place);
    if (!place) continue;
    ValueOrigin& origin = addresses[a];
    for (const ir::ExprPtr& index : place->indices) origin.add(of(index));
    if (const ir::VarPtr base = ir::rootVariable(place->base))
      if (const auto known = origins.find(base.get()); known != origins.end() && base->type->isPointer())
        origin.add(known->second);
    origin.reads.erase(a), origin.nearest.erase(a);
  }
}

ValueSources::~ValueSources() = default;

const ValueOrigin& ValueSources::written(AccessId store) const {
  static const ValueOrigin none;
  const auto at = stored.find(store);
  return at == stored.end() ? none : at->second;
}

const ValueOrigin& ValueSources::address(AccessId access) const {
  static const ValueOrigin none;
  const auto at = addresses.find(access);
  return at == addresses.end() ? none : at->second;
}

// Variables whose values go into this one, arrays of the block and of the thread among them.
std::set<const ir::Variable*> ValueSources::variablesIn(const ir::ExprPtr& value) const {
  std::set<const ir::Variable*> out;
  ir::walkExprs(value, [&](const ir::Expr& e) {
    if (const auto* use = e.as<ir::VarRef>(); use && !use->var->type->isPointer()) out.insert(use->var.get());
    if (const auto at = loads.find(&e); at != loads.end())
      for (const AccessId a : at->second)
        if (const ir::Variable* array = memoryOf(model, model.accesses[a])) out.insert(array);
  });
  return out;
}

bool ValueSources::dependsOn(const ir::Variable* from, const ir::Variable* on) const {
  const auto at = closure.find(from);
  return from == on || (at != closure.end() && at->second.contains(on));
}

ValueOrigin ValueSources::of(const ir::ExprPtr& value) const {
  ValueOrigin out;
  ir::walkExprs(value, [&](const ir::Expr& e) {
    noteExchanges(e, out);
    if (const auto* use = e.as<ir::VarRef>(); use && !use->var->type->isPointer())
      if (const auto at = origins.find(use->var.get()); at != origins.end() &&
                                                        use->var->space != ir::Space::Shared &&
                                                        !use->var->type->is(ir::TypeKind::Array))
        out.add(at->second);
    const auto at = loads.find(&e);
    if (at == loads.end()) return;
    for (const AccessId a : at->second) {
      out.reads.insert(a), out.nearest.insert(a);
      const Access& access = model.accesses[a];
      const ir::Variable* array = memoryOf(model, access);
      if (array && !model.isGlobal(access))
        if (const auto known = origins.find(array); known != origins.end())
          out.add(known->second, isInShared(model, access));
    }
  });
  return out;
}

void ValueSources::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < assignments.size(); ++i) {
      const Assignment& one = assignments[i];
      if (!one.target || (one.store.isSome() && model.isGlobal(model.accesses[one.store]))) continue;
      ValueOrigin& origin = origins[one.target];
      for (const ir::ExprPtr& value : one.values) changed |= origin.add(of(value));
      if (const auto update = updateOf.find(i); update != updateOf.end())
        changed |= origin.updates.insert(update->second).second;
      if (one.store.isSome() && combining.contains(one.store))
        changed |= origin.trees.insert(model.accesses[one.store].array).second;
    }
  }
}

// Stores of a shared array whose values are made of other elements of it, and atomics of the block.
void ValueSources::findTrees() {
  for (const Assignment& one : assignments) {
    if (one.store.isNone() || !isInShared(model, model.accesses[one.store])) continue;
    const Access& store = model.accesses[one.store];
    bool isCombining = store.atomic;
    for (const ir::ExprPtr& value : one.values) {
      const ValueOrigin origin = of(value);
      for (const AccessId read : origin.nearest) {
        const Access& from = model.accesses[read];
        isCombining |= from.array == store.array && from.address != store.address;
      }
    }
    if (isCombining) combining.insert(one.store);
  }
}

void ValueSources::findUpdates() {
  for (size_t i = 0; i < assignments.size(); ++i) {
    const Assignment& one = assignments[i];
    if (!one.target || one.loops.empty()) continue;
    bool takesOld = one.takesOld;
    ValueOrigin origin;
    for (const ir::ExprPtr& value : one.values) {
      for (const ir::Variable* v : variablesIn(value)) takesOld |= dependsOn(v, one.target);
      origin.add(of(value));
    }
    if (!takesOld) continue;
    const auto declaration = declared.find(one.target);
    CarriedUpdate update;
    for (const LoopId loop : one.loops) {
      if (declaration != declared.end() && std::ranges::count(declaration->second, loop)) continue;
      // The variable of the loop itself says how far it is.
      if (model.loops[loop].var.get() == one.target) continue;
      // Another element each iteration: nothing is carried.
      if (one.store.isSome()) {
        const Access& store = model.accesses[one.store];
        if (!store.isResolved() || (model.atoms->variation(store.address).loops & loopBit(loop))) continue;
      }
      // One that begins anew in each iteration is not carried from one to the next.
      const bool beginsAnew = std::ranges::any_of(assignments, [&](const Assignment& other) {
        if (other.target != one.target || !std::ranges::count(other.loops, loop) || other.takesOld ||
            (one.store.isSome() && other.store.isSome() &&
             model.accesses[other.store].address != model.accesses[one.store].address))
          return false;
        return !std::ranges::any_of(other.values, [&](const ir::ExprPtr& value) {
          return std::ranges::any_of(variablesIn(value),
                                     [&](const ir::Variable* v) { return dependsOn(v, one.target); });
        });
      });
      if (!beginsAnew) update.loops |= loopBit(loop);
    }
    if (!update.loops) continue;
    bool takesNew = false;
    for (const AccessId read : origin.nearest) {
      const Access& access = model.accesses[read];
      if (memoryOf(model, access) == one.target) continue;
      const bool isInside =
          std::ranges::any_of(access.loops, [&](LoopId l) { return (update.loops & loopBit(l)) != 0; });
      takesNew |=
          isInside && (!access.isResolved() || model.arrays[access.array].space == ir::Space::Private ||
                       (model.atoms->variation(access.address).loops & update.loops) != 0);
      update.nearest.insert(read);
    }
    if (!takesNew) continue;
    update.stmt = one.stmt;
    update.place = one.store;
    update.reads = origin.reads;
    updateOf[i] = found.size();
    found.push_back(std::move(update));
  }
}

}  // namespace hone::analysis
