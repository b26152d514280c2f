#include "passes/merge/ReplicaArrays.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/Build.h"
#include "passes/merge/Replicate.h"

namespace hone::passes {

using namespace ir;

namespace {

// The counters of the loops over replicas that are open, outermost first.
using Stack = std::vector<VarPtr>;

bool isZeroStart(const ExprPtr& e) {
  if (const auto* number = e->as<IntLiteral>()) return number->value == 0;
  if (const auto* number = e->as<FloatLiteral>()) return number->value == 0 && !std::signbit(number->value);
  if (const auto* cast = e->as<Cast>())
    return e->type->isArithmetic() && cast->operand->type->isArithmetic() && isZeroStart(cast->operand);
  if (const auto* parts = e->as<Construct>())
    return e->type->is(TypeKind::Array) && std::all_of(parts->parts.begin(), parts->parts.end(), isZeroStart);
  return false;
}

// Where the declaration and the uses of each variable stand.
class Places {
 public:
  Places(const ReplicaLoops& of, const ReplicaMasks& with) : loops(of), masks(with) {}

  struct Place {
    Stack declared;
    std::map<unsigned, std::set<const Variable*>>
        seen;  // by axis: the loops that it occurs in; null: outside
    bool isZero = false;
  };
  std::map<const Variable*, Place> of;
  std::vector<VarPtr> order;

  void statement(const StmtPtr& s) {
    if (!s) return;
    if (const auto* d = s->as<Declare>(); d && d->var->space != Space::Shared && masks.of(*d->var)) {
      Place& place = of[d->var.get()];
      place.declared = open;
      place.isZero = d->init && isZeroStart(d->init);
      order.push_back(d->var);
      occurs(d->var.get());
    }
    const auto* loop = s->as<For>();
    const VarPtr counter = loop ? counterOf(*loop) : nullptr;
    if (counter) open.push_back(counter);
    forEachExpr(*s, [&](const ExprPtr& e) {
      walkExprs(e, [&](const Expr& node) {
        const auto* var = node.as<VarRef>();
        if (var && (masks.of(*var->var) || holdsPointer(*var->var->type))) occurs(var->var.get());
      });
    });
    if (const auto* d = s->as<Declare>(); d && d->init) points(d->var.get(), d->init);
    if (const auto* a = s->as<Assign>())
      if (const VarPtr to = rootVariable(a->place)) points(to.get(), a->value);
    forEachChild(*s, [this](const StmtPtr& child) { statement(child); });
    if (counter) open.pop_back();
  }

  VarPtr counterOf(const For& loop) const {
    const auto* d = loop.init.size() == 1 ? as<Declare>(loop.init.front()) : nullptr;
    return d && loops.axisOf.contains(d->var.get()) ? d->var : nullptr;
  }

  // A variable lives as long as what points to it.
  void extendByPointers() {
    for (bool changed = true; std::exchange(changed, false);)
      for (const auto& [pointer, targets] : pointees)
        for (const Variable* target : targets)
          for (const auto& [axis, where] : std::map(of[pointer].seen)) {
            std::set<const Variable*>& seen = of[target].seen[axis];
            const size_t before = seen.size();
            seen.insert(where.begin(), where.end());
            changed = changed || seen.size() != before;
          }
  }

  // Axes along which a variable lives in more than one loop.
  AxisMask spread(const Variable& var) const {
    AxisMask mask = 0;
    for (const auto& [axis, where] : of.at(&var).seen)
      if (where.size() > 1) mask |= AxisMask(1u << axis);
    return mask & masks.of(var);
  }

 private:
  const ReplicaLoops& loops;
  const ReplicaMasks& masks;
  Stack open;
  std::map<const Variable*, std::set<const Variable*>> pointees;

  // What a variable is set to may point to variables of the thread, or to what others point to.
  void points(const Variable* to, const ExprPtr& value) {
    if (!holdsPointer(*to->type)) return;
    walkExprs(value, [&](const Expr& node) {
      const auto* address = node.as<AddressOf>();
      const VarPtr target = address ? rootVariable(address->place) : nullptr;
      if (target && target->space == Space::Private) pointees[to].insert(target.get());
      const auto* var = node.as<VarRef>();
      if (var && holdsPointer(*var->var->type)) pointees[to].insert(var->var.get());
    });
  }

  void occurs(const Variable* var) {
    auto& seen = of[var].seen;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const Variable* in = nullptr;
      for (const VarPtr& counter : open)
        if (loops.axisOf.at(counter.get()) == axis) in = counter.get();
      seen[axis].insert(in);
    }
  }
};

class ArrayWriter : public Rewriter {
 public:
  struct Spread {
    VarPtr array;
    AxisMask mask = 0;
    bool zeroAtDeclaration = false;
  };
  std::map<const Variable*, Spread> spread;  // also shared arrays
  std::map<const Variable*, std::vector<VarPtr>>
      anchored;  // by the counter of the loop before which they are declared

  ArrayWriter(const Places& where, const ReplicaLoops& of) : places(where), loops(of) {}

  using Rewriter::rewrite;
  StmtList rewrite(const StmtPtr& s) override {
    const auto* loop = as<For>(s);
    const VarPtr counter = loop ? places.counterOf(*loop) : nullptr;
    if (counter) return replicaLoop(s, counter);
    const auto* d = as<Declare>(s);
    auto found = d ? spread.find(d->var.get()) : spread.end();
    if (!d || found == spread.end()) return Rewriter::rewrite(s);
    const Spread& to = found->second;
    if (d->var->space == Space::Shared) return {makeStmt(Declare{to.array, nullptr}, s->loc)};
    if (!d->init || to.zeroAtDeclaration) return {};
    StmtList out;
    set(element(to), rewrite(d->init), s->loc, out);
    return out;
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* var = e->as<VarRef>()) {
      auto found = spread.find(var->var.get());
      return found == spread.end() ? e : element(found->second);
    }
    const auto* outer = e->as<Subscript>();
    if (outer && outer->base->is<Subscript>() && outer->base->type->is(TypeKind::Array))
      return subscript(outer->base, outer->indices, e->loc);
    return e;
  }

 private:
  const Places& places;
  const ReplicaLoops& loops;
  std::map<unsigned, VarPtr> open;

  ExprPtr element(const Spread& of) {
    std::vector<ExprPtr> indices;
    for (unsigned axis = 3; axis-- > 0;)
      if (of.mask & (1u << axis)) indices.push_back(ref(open.at(axis)));
    return subscript(ref(of.array), std::move(indices));
  }

  // place = value, part by part where it is an array.
  static void set(const ExprPtr& place, const ExprPtr& value, SourceLoc loc, StmtList& out) {
    if (!place->type->is(TypeKind::Array)) {
      out.push_back(assign(place, value, loc));
      return;
    }
    const auto* parts = as<Construct>(value);
    for (int64_t i = 0; i < place->type->extent; ++i) {
      const bool given = static_cast<size_t>(i) < parts->parts.size();
      set(subscript(place, {intLit(i)}),
          given ? parts->parts[static_cast<size_t>(i)] : zeroPart(place->type->element), loc, out);
    }
  }

  static ExprPtr zeroPart(const TypePtr& type) {
    if (type->is(TypeKind::Array) || type->is(TypeKind::Struct)) return makeExpr(type, Construct{});
    if (type->isFloating()) return floatLit(0, type);
    return type->is(TypeKind::Bool) ? boolLit(false) : intLit(0, type);
  }

  StmtList replicaLoop(const StmtPtr& s, const VarPtr& counter) {
    const unsigned axis = loops.axisOf.at(counter.get());
    VarPtr outer = open.contains(axis) ? open[axis] : nullptr;
    open[axis] = counter;
    StmtList made = Rewriter::rewrite(s);
    open[axis] = outer;
    StmtList out;
    // A loop that only declared or cleared goes.
    const auto* loop = made.size() == 1 ? as<For>(made.front()) : nullptr;
    const auto* body = loop ? as<Block>(loop->body) : nullptr;
    const bool isEmpty = body && std::all_of(body->stmts.begin(), body->stmts.end(),
                                             [](const StmtPtr& one) { return one->is<Comment>(); });
    if (isEmpty) out = body->stmts;
    for (const VarPtr& var : anchored[counter.get()]) {
      const Spread& to = spread.at(var.get());
      ExprPtr zero = to.zeroAtDeclaration ? makeExpr(to.array->type, Construct{}) : nullptr;
      out.push_back(makeStmt(Declare{to.array, zero}, var->loc));
    }
    if (!isEmpty) out.insert(out.end(), made.begin(), made.end());
    return out;
  }
};

}  // namespace

VarPtr withReplicas(const VarPtr& var, AxisMask mask, const Replicas& replicas,
                    const std::array<ConstantRole, 3>& constants) {
  auto array = std::make_shared<Variable>(*var);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!(mask & (1u << axis))) continue;
    array->type = arrayOver(array->type, named(replicas.count[axis], constants[axis]));
  }
  if (var->space != Space::Shared) array->isConst = array->isConstexpr = array->isReference = false;
  return array;
}

StmtPtr withReplicaArrays(const StmtPtr& body, const Replicas& replicas,
                          const std::array<ConstantRole, 3>& constants, const ReplicaMasks& masks,
                          const ReplicaLoops& loops) {
  Places places(loops, masks);
  places.statement(body);
  places.extendByPointers();
  ArrayWriter writer(places, loops);
  for (const VarPtr& var : places.order) {
    const AxisMask mask = places.spread(*var);
    if (!mask) continue;
    const Places::Place& place = places.of.at(var.get());
    auto anchor = std::find_if(place.declared.begin(), place.declared.end(), [&](const VarPtr& counter) {
      return mask & (1u << loops.axisOf.at(counter.get()));
    });
    if (anchor == place.declared.end()) continue;
    // Cleared where it is declared only if that is done for every replica at each time it is declared.
    writer.spread[var.get()] = {withReplicas(var, mask, replicas, constants), mask, place.isZero};
    writer.anchored[anchor->get()].push_back(var);
  }
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || d->var->space != Space::Shared || !replicas.ownShared) return;
    if (AxisMask mask = masks.of(*d->var))
      writer.spread[d->var.get()] = {withReplicas(d->var, mask, replicas, constants), mask, false};
  });
  return writer.rewriteBlock(body);
}

}  // namespace hone::passes
