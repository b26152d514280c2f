#include "passes/merge/ReplicaGuards.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "ir/StructureReturns.h"
#include "passes/edit/Harmless.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/guards/GuardSinker.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isJump(const Stmt& s) { return s.is<Break>() || s.is<Continue>() || s.is<Return>(); }

bool containsJump(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& stmt) { found |= isJump(stmt); });
  return found;
}

[[noreturn]] void refuseBarrier(const StmtPtr& around) {
  refuse("a barrier stands in a loop or choice that the merged threads do not take alike", around->loc);
}

class ReplicaSinker : public GuardSinker {
 public:
  ReplicaSinker(const StmtPtr& body, const Replicas& replicas, Names& taken, bool forBarriers)
      : GuardSinker(taken), masks(body, replicas), values(body, replicas, masks), onlyBarriers(forBarriers) {
    leavesComments = leavesAlone = true;
    walkStmts(body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && !d->init && d->var->space != Space::Shared)
        unset.insert(d->var.get());
    });
  }

 protected:
  bool concerns(const StmtPtr& s) const override {
    if (s->is<Switch>()) return false;
    if (s->is<If>() && splits(s)) return true;
    bool found = false;
    forEachChild(*s, [&](const StmtPtr& child) { found = found || concerns(child); });
    return found;
  }
  bool splits(const StmtPtr& s) const override {
    const auto& choice = *s->as<If>();
    const AxisMask mask = masks.of(choice.cond);
    return mask && !choice.otherwise && isWorth(choice.then, mask);
  }

  bool concerns(const StmtPtr& s, const GuardedRegion& region) const override {
    const AxisMask mask = maskOf(region);
    if (s->is<Block>()) return isWorth(s, mask);
    if (const auto* choice = s->as<If>())
      return isWorth(s, mask) && (!choice->otherwise || isTakenAlike(*choice) || containsBarrier(s));
    const auto* loop = s->as<For>();
    return containsBarrier(s) || (loop && mayRunForAll(*loop) && (mask & ~masks.needs(*s)));
  }
  bool isForAll(const StmtPtr& s) const override { return s->is<Barrier>(); }
  bool isTakenAlike(const If& choice, const StmtPtr& s, const GuardedRegion&) const override {
    if (isTakenAlike(choice)) return true;
    if (choice.otherwise) refuseBarrier(s);
    return false;
  }

  // Arithmetic on what is declared under the guard, which is of no use where that does not hold.
  bool isFree(const StmtPtr& s, const GuardedRegion& region) const override {
    if (const auto* d = s->as<Declare>()) return isHarmless(d->init);
    const auto* a = s->as<Assign>();
    const auto* var = a ? as<VarRef>(a->place) : nullptr;
    return var && region.declared.contains(var->var.get()) && var->var->space == Space::Private &&
           isHarmless(*a, {.unset = &unset});
  }

  void check(const StmtPtr& s) const override {
    if (isJump(*s) || containsReturn(s)) refuse("a return stands in the way", s->loc);
  }
  void checkLoop(const For& loop, const StmtPtr& s, GuardedRegion&) const override {
    if (!mayRunForAll(loop)) refuseBarrier(s);
  }

  // 0 where the guard does not hold.
  StmtPtr declaredForAll(const StmtPtr& s, const GuardedRegion& region) const override {
    const auto& d = *s->as<Declare>();
    const auto* call = as<Call>(d.init);
    const ExprPtr zero = zeroOf(d.var->type);
    if (!zero || d.var->isReference || (call && !isPure(*call)))
      refuse(fmt::format("`{}` cannot be declared before it has its value", d.var->name), s->loc);
    return makeStmt(Declare{d.var, makeExpr(zero->type, Select{region.guard, d.init, zero}, s->loc)}, s->loc);
  }
  ExprPtr guardOf(const GuardedRegion& region) const override {
    return HONE_SEED(MergeGuardDropped, region.guard, boolLit(true));
  }

  ExprPtr named(const ExprPtr& condition, const char*, const StmtPtr&, StmtList& out) override {
    if (values.isSteady(condition)) return condition;
    VarPtr active = makeLocal(names, "active", boolType(), true);
    out.push_back(makeStmt(Declare{active, condition}, condition->loc));
    return ref(active);
  }

  // Where it can be said, all of it under the condition that some replica has work.
  void finish(const If& choice, const StmtPtr& s, const GuardedRegion& then, bool isOutermost, size_t,
              StmtList under, StmtList& out) const override {
    auto some = !isOutermost || containsBarrier(choice.then) || then.guard != choice.cond
                    ? std::nullopt
                    : values.forSome(conjuncts(then.guard), maskOf(then));
    if (some) under = {makeStmt(If{conjunction(*some), block(std::move(under), s->loc), nullptr}, s->loc)};
    out.insert(out.end(), under.begin(), under.end());
  }

 private:
  ReplicaMasks masks;
  ReplicaValues values;
  const bool onlyBarriers;          // no loop is worth it
  std::set<const Variable*> unset;  // declared without a value

  AxisMask maskOf(const GuardedRegion& region) const {
    AxisMask mask = 0;
    for (const ExprPtr& condition : region.conditions) mask |= masks.of(condition);
    return mask;
  }
  bool isTakenAlike(const If& choice) const { return !masks.of(choice.cond) && isHarmless(choice.cond); }

  // A loop that runs as often for a replica that has nothing to do as for another, and ends.
  bool mayRunForAll(const For& loop) const {
    if (containsJump(loop.body) || !loop.cond || loop.init.size() != 1 || loop.step.size() != 1) return false;
    if (!isHarmless(loop.cond)) return false;
    // One part of the condition that counts is enough: the others only end the loop earlier.
    for (const ExprPtr& part : conjuncts(loop.cond)) {
      For one = loop;
      one.cond = part;
      auto count = counted(one);
      if (!count || !count->declares || !constantValue(count->step)) continue;
      if (values.isSteady(count->begin) && isHarmless(count->begin) && values.isSteady(loop.cond))
        return true;
    }
    return false;
  }

  bool isWorth(const StmtPtr& s, AxisMask guard) const {
    bool found = false;
    walkStmts(s, [&](const Stmt& stmt) {
      if (stmt.is<Barrier>()) found = true;
      const auto* loop = stmt.as<For>();
      if (!onlyBarriers && loop && (guard & ~masks.needs(stmt)) && mayRunForAll(*loop)) found = true;
    });
    return found;
  }
};

// Guards around arithmetic alone.
class GuardDropper {
 public:
  GuardDropper(const StmtPtr& whole, const Replicas& replicas)
      : body(whole), masks(whole, replicas), values(whole, replicas, masks), taken(addressTaken(whole)) {
    walkStmts(body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) (d->init ? initialized : unset).insert(d->var.get());
    });
    collect(body, false);
  }

  StmtPtr run() {
    class Drop : public Rewriter {
     public:
      explicit Drop(GuardDropper& of) : dropper(of) {}

     protected:
      StmtList mapStmt(const StmtPtr& s) override {
        const auto* choice = s->as<If>();
        if (!choice || choice->otherwise || !dropper.mayDrop(*choice)) return {s};
        dropper.noteRead(choice->then);
        return stmtsOf(choice->then);
      }

     private:
      GuardDropper& dropper;
    };
    return withFirstValues(Drop(*this).rewriteBlock(body), readUnset);
  }

 private:
  StmtPtr body;
  ReplicaMasks masks;
  ReplicaValues values;
  std::set<const Variable*> taken, initialized, guardedTiles;
  std::set<const Variable*> unset;      // declared without a value
  std::set<const Variable*> readUnset;  // of these, what is read where a guard was
  std::map<const Variable*, std::pair<ExprPtr, int64_t>>
      distances;  // of a counter from where its loop begins
  std::vector<std::pair<ExprPtr, std::set<const Variable*>>> answers;

  // A load of a tile that every replica may make: each has its elements filled whatever the guard says, and
  // the subscripts are in range by the loops around alone.
  bool isOpenTile(const ExprPtr& place) const {
    const auto* element = as<Subscript>(place);
    const VarPtr root = element ? rootVariable(place) : nullptr;
    if (!root || root->space != Space::Shared || guardedTiles.contains(root.get())) return false;
    TypePtr type = root->type;
    for (const ExprPtr& index : element->indices) {
      if (!type->is(TypeKind::Array)) return false;
      if (!isBelow(index, type->extent)) return false;
      type = type->element;
    }
    return zeroOf(type) != nullptr;
  }

  // Whether an index is at least 0 and below a number: a literal, or i - i0 in a loop from i0 that ends
  // before i0 + d.
  bool isBelow(const ExprPtr& index, int64_t extent) const {
    if (auto number = constantValue(index)) return *number >= 0 && *number < extent;
    const auto* difference = as<Binary>(index);
    const auto* i = difference && difference->op == BinaryOp::Sub ? as<VarRef>(difference->lhs) : nullptr;
    const auto found = i ? distances.find(i->var.get()) : distances.end();
    return found != distances.end() && equal(found->second.first, difference->rhs) &&
           found->second.second <= extent;
  }

  // Shared arrays with a store that only some replicas make, and loops that run from somewhere to a fixed
  // distance from there.
  void collect(const StmtPtr& s, bool differs) {
    if (!s) return;
    if (const auto* store = s->as<Assign>())
      if (const VarPtr root = rootVariable(store->place); root && root->space == Space::Shared && differs)
        guardedTiles.insert(root.get());
    if (const auto* loop = s->as<For>(); loop && loop->cond)
      for (const ExprPtr& part : conjuncts(loop->cond)) {
        For one = *loop;
        one.cond = part;
        const auto count = counted(one);
        const auto* end = count && count->compare == BinaryOp::Lt && count->declares && count->begin
                              ? as<Binary>(count->end)
                              : nullptr;
        if (!end || end->op != BinaryOp::Add || count->op != BinaryOp::Add || !equal(end->lhs, count->begin))
          continue;
        if (auto distance = constantValue(end->rhs)) distances[count->var.get()] = {count->begin, *distance};
      }
    bool below = differs;
    if (const auto* choice = s->as<If>()) below = below || masks.of(choice->cond);
    if (s->is<While>() || s->is<DoWhile>() || s->is<Switch>() || s->is<For>())
      below = below || differsInWay(*s);
    forEachChild(*s, [&](const StmtPtr& child) { collect(child, below); });
  }

  // Whether replicas go through a loop or switch differently.
  bool differsInWay(const Stmt& s) const {
    AxisMask all = 0;
    forEachExpr(s, [&](const ExprPtr& e) { all |= masks.of(e); });
    return all != 0;
  }

  // The variable that a statement only computes, from values that may be anything.
  const Variable* computes(const Stmt& s) const {
    const auto* a = s.as<Assign>();
    const auto* d = s.as<Declare>();
    if (d) return d->var->space == Space::Private && isHarmless(d->init) ? d->var.get() : nullptr;
    const auto* var = a ? as<VarRef>(a->place) : nullptr;
    if (!var || var->var->space != Space::Private || var->var->storage != Storage::Local) return nullptr;
    auto mayLoad = [this](const ExprPtr& place) { return isOpenTile(place); };
    return isHarmless(*a, {.mayLoad = mayLoad}) ? var->var.get() : nullptr;
  }

  bool mayDrop(const If& choice) {
    if (!masks.of(choice.cond) || !values.isSteady(choice.cond)) return false;
    for (const StmtPtr& s : stmtsOf(choice.then)) {
      if (s->is<Comment>()) continue;
      const Variable* var = s->is<Assign>() ? computes(*s) : nullptr;
      if (!var || !readOnlyUnder(choice.cond).contains(var)) return false;
      for (const Variable* read : unsetIn(s))
        if (!zeroOf(read->type)) return false;
    }
    return true;
  }

  std::set<const Variable*> unsetIn(const StmtPtr& s) const {
    std::set<const Variable*> found;
    walkExprs(s, [&](const Expr& e) {
      if (const auto* r = e.as<VarRef>();
          r && unset.contains(r->var.get()) && r->var->space == Space::Private)
        found.insert(r->var.get());
    });
    return found;
  }
  void noteRead(const StmtPtr& s) { readUnset.merge(unsetIn(s)); }

  // Variables whose value matters only where the guard holds.
  const std::set<const Variable*>& readOnlyUnder(const ExprPtr& guard) {
    for (const auto& [known, variables] : answers)
      if (equal(known, guard)) return variables;
    std::set<const Variable*> safe;
    for (const Variable* var : declaredVariables(body))
      if (initialized.contains(var) && !taken.contains(var) && var->space == Space::Private) safe.insert(var);
    for (size_t before = 0; before != safe.size();) {
      before = safe.size();
      strike(body, guard, safe);
    }
    return answers.emplace_back(guard, std::move(safe)).second;
  }

  void strike(const StmtPtr& s, const ExprPtr& guard, std::set<const Variable*>& safe) const {
    if (!s) return;
    const Variable* target = computes(*s);
    if (!target || !safe.contains(target)) {
      // What stands in a choice that asks for the guard itself is read only under it.
      forEachExpr(*s, [&](const ExprPtr& e) { strike(e, guard, safe); });
    }
    if (const auto* choice = s->as<If>(); choice && implies(choice->cond, guard))
      return strike(choice->otherwise, guard, safe);
    forEachChild(*s, [&](const StmtPtr& child) { strike(child, guard, safe); });
  }

  void strike(const ExprPtr& e, const ExprPtr& guard, std::set<const Variable*>& safe) const {
    if (const auto* var = e->as<VarRef>()) safe.erase(var->var.get());
    if (const auto* choice = e->as<Select>(); choice && implies(choice->cond, guard)) {
      strike(choice->cond, guard, safe);
      return strike(choice->no, guard, safe);
    }
    forEachChild(*e, [&](const ExprPtr& child) { strike(child, guard, safe); });
  }

  static bool implies(const ExprPtr& cond, const ExprPtr& guard) {
    std::vector<ExprPtr> known = conjuncts(cond), wanted = conjuncts(guard);
    return std::all_of(wanted.begin(), wanted.end(), [&](const ExprPtr& part) {
      return std::any_of(known.begin(), known.end(), [&](const ExprPtr& k) { return equal(k, part); });
    });
  }
};

}  // namespace

StmtPtr splitGuards(const StmtPtr& body, const Replicas& replicas, Names& names, bool asThreads) {
  ReplicaSinker sinker(body, replicas, names, asThreads);
  return block(sinker.open(stmtsOf(body)), body->loc);
}

StmtPtr dropGuards(const StmtPtr& body, const Replicas& replicas) {
  return GuardDropper(body, replicas).run();
}

}  // namespace hone::passes
