#include "acc/Privatize.h"

#include <algorithm>

#include "acc/Homes.h"
#include "acc/LastValue.h"
#include "acc/OwnSections.h"
#include "acc/ReductionValues.h"
#include "acc/VariableUse.h"
#include "ir/Build.h"
#include "ir/Substitute.h"

namespace hone::acc {

using namespace ir;

namespace {

std::vector<VarPtr> assignedIn(const StmtPtr& s) {
  std::vector<VarPtr> result;
  std::set<const Variable*> seen;
  const std::set<const Variable*> assigned = assignedVariables(s);
  walkStmts(s, [&](const Stmt& one) {
    const auto* assignment = one.as<Assign>();
    if (!assignment) return;
    walkExprs(assignment->place, [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      if (var && assigned.contains(var->var.get()) && seen.insert(var->var.get()).second)
        result.push_back(var->var);
    });
  });
  return result;
}

bool isNamed(const LoopPlan& plan, const VarPtr& var) {
  for (const VarPtr& one : plan.asked.privates)
    if (one == var) return true;
  for (const frontend::AccReduction& one : plan.asked.reductions)
    if (one.var == var) return true;
  for (const LoopReduction& one : plan.reductions)
    if (one.copy == var || one.original == var) return true;
  return false;
}

// A variable of the thread's own like another, which may be a parameter or stand for an object.
VarPtr copyOf(WorkRegion& work, const VarPtr& var) {
  return work.names.local(var->wanted.empty() ? var->name : var->wanted, var->type);
}

}  // namespace

AssignedInside assignedInside(const WorkRegion& work, const StmtPtr& loop, const LoopPlan& plan) {
  AssignedInside result;
  const auto& node = *as<For>(loop);
  const auto count = loopCount(node);
  const std::set<const Variable*> declared = declaredVariables(node.body), taken = addressTaken(work.body);
  for (const VarPtr& var : assignedIn(node.body)) {
    if (declared.contains(var.get()) || var->space == Space::Shared || isNamed(plan, var) ||
        (count && count->var == var))
      continue;
    const bool isGlobal = var->storage == Storage::Global;
    const bool isWhole = !var->type->is(TypeKind::Array);
    const VariableUse use = useOf(node.body, *var);
    if (isGlobal || !isWhole || taken.contains(var.get()) || use.exposed) {
      result.shared.push_back(var);
    } else if (!work.isObject(var.get()) && !isReadBehind(work.body, *loop, *var)) {
      result.own.push_back(var);
    } else if (use.definite && count) {
      result.last.push_back({var, {}});
    } else if (StmtList loops = loopsThatAssign(node, *var); count && !loops.empty()) {
      result.last.push_back({var, std::move(loops)});
    } else {
      result.shared.push_back(var);
    }
  }
  for (const VarPtr& pointer : work.sectionsOfGang)
    if (mentions(node.body, pointer.get())) result.shared.push_back(pointer);
  return result;
}

namespace {

class OwnVariables {
 public:
  OwnVariables(WorkRegion& theWork, const std::vector<LoopReduction>& reductions) : work(theWork) {
    for (const LoopReduction& reduction : reductions) running[reduction.copy.get()] = reduction.op;
  }

  StmtPtr of(const StmtPtr& loop) {
    LoopPlan plan = *work.notes.planOf(*loop);
    plan.isReady = true;
    For node = *as<For>(loop);
    const AssignedInside assigned = plan.isSpread() ? assignedInside(work, loop, plan) : AssignedInside{};
    StmtList own, last;
    std::vector<const Variable*> leftToInner;
    std::optional<LoopCount> count;
    if (plan.isSpread()) {
      std::string why;
      count = loopCount(node, &why);
      if (!count) throw Refused{why, loop->loc};
      addReductionsAround(plan, assigned);
    }
    auto declare = [&](const VarPtr& var) {
      VarPtr copy = copyOf(work, var);
      own.push_back(makeStmt(Declare{copy, nullptr}, loop->loc));
      node.body = withVariable(work.notes, node.body, var, copy);
      return copy;
    };
    for (const VarPtr& var : plan.asked.privates)
      if ((!count || var != count->var) && mentions(node.body, var.get())) {
        const VarPtr copy = declare(var);
        for (const auto& [pointer, section] : plan.asked.ownSections)
          if (pointer == var)
            own.back() =
                makeStmt(Declare{copy, ownPlace(work, var, section, ownerIn(loop, plan))}, loop->loc);
      }
    if (plan.isSpread()) {
      // A block does its iterations one after the other: what is the block's may stay.
      const bool isOfBlock = plan.inner == Inner::None && plan.axis < 0;
      for (const VarPtr& var : assigned.own)
        if (!isOfBlock || work.isObject(var.get())) declare(var);
      for (const auto& [var, loops] : assigned.last) {
        if (isOfBlock && !work.isObject(var.get())) continue;
        if (!loops.empty() && work.notes.planOf(*loops.front())->axis >= 0 && plan.axis >= 0) {
          leftToInner.push_back(var.get());
          continue;
        }
        const ExprPtr has = haveIterations(loops);
        VarPtr copy = declare(var);
        StmtPtr write = assign(ref(var), ref(copy), loop->loc);
        for (const ExprPtr& condition : {has, lastOfGrid[var.get()]})
          if (condition)
            write = makeStmt(If{condition, block({std::move(write)}, loop->loc), nullptr}, loop->loc);
        last.push_back(std::move(write));
      }
      addReductions(plan, node, loop->loc);
      giveCounter(node, *count, loop->loc);
    }
    if (!last.empty() || !leftToInner.empty()) {
      const auto now = loopCount(node);
      const ExprPtr trips = tripsOf(*now);
      const ExprPtr final = counterIn(*now, now->begin, minus(trips, intLit(1, trips->type)));
      const ExprPtr isLast = binary(BinaryOp::Eq, ref(now->var), final);
      for (const Variable* var : leftToInner) {
        ExprPtr& around = lastOfGrid[var];
        around = around ? binary(BinaryOp::LogicalAnd, around, isLast) : isLast;
      }
      if (!last.empty()) {
        StmtList body = listOf(node.body);
        body.push_back(makeStmt(If{isLast, block(std::move(last)), nullptr}, loop->loc));
        node.body = block(std::move(body), node.body->loc);
      }
    }
    if (!own.empty()) {
      for (const StmtPtr& s : listOf(node.body)) own.push_back(s);
      node.body = block(std::move(own), node.body->loc);
    }
    StmtPtr made = makeStmt(std::move(node), loop->loc);
    work.notes.note(made, std::move(plan));
    return made;
  }

 private:
  // Who does an iteration.
  OwnedBy ownerIn(const StmtPtr& loop, const LoopPlan& plan) const {
    Mode mode = Mode::Block;
    const auto look = [&](const auto& again, const StmtPtr& s, Mode around) -> void {
      if (s == loop) mode = modeInside(plan, around);
      const LoopPlan* other = work.notes.planOf(*s);
      const Mode inside = other ? modeInside(*other, around) : around;
      forEachChild(*s, [&](const StmtPtr& child) { again(again, child, inside); });
    };
    look(look, work.body, Mode::Block);
    return mode == Mode::Lane ? OwnedBy::Thread : mode == Mode::Worker ? OwnedBy::Worker : OwnedBy::Gang;
  }

  // A loop inside one with a reduction takes part in it, whether or not it says so.
  void addReductionsAround(LoopPlan& plan, const AssignedInside& assigned) {
    if (plan.inner == Inner::None && plan.axis < 0) return;
    for (const VarPtr& var : assigned.shared)
      if (auto found = running.find(var.get()); found != running.end())
        plan.asked.reductions.push_back({found->second, var, plan.asked.loc});
  }

  void addReductions(LoopPlan& plan, For& node, const SourceLoc& loc) {
    for (const frontend::AccReduction& asked : plan.asked.reductions) {
      if (!mentions(node.body, asked.var.get())) continue;
      if (std::string why = whyNotReducible(asked.op, *asked.var->type); !why.empty())
        throw Refused{"reduction(" + std::string(str(asked.op)) + ":" + asked.var->name + ") is over " + why,
                      asked.loc.valid() ? asked.loc : loc};
      VarPtr copy = copyOf(work, asked.var);
      node.body = withVariable(work.notes, node.body, asked.var, copy);
      plan.reductions.push_back({asked.op, asked.var, copy, asked.loc});
      if (plan.inner != Inner::Lanes && plan.axis < 0) running[copy.get()] = asked.op;
    }
  }

  void giveCounter(For& node, const LoopCount& count, const SourceLoc& loc) {
    if (count.declares) return;
    VarPtr counter = copyOf(work, count.var);
    For fresh = node;
    fresh.init = {};
    fresh.body = withVariable(work.notes, node.body, count.var, counter);
    Renaming renaming;
    renaming.by[count.var.get()] = counter;
    fresh.cond = renaming.rewrite(node.cond);
    fresh.step.clear();
    for (const StmtPtr& s : node.step)
      for (StmtPtr& one : renaming.rewrite(s)) fresh.step.push_back(std::move(one));
    fresh.init = {makeStmt(Declare{counter, count.begin}, loc)};
    node = std::move(fresh);
  }

  WorkRegion& work;
  std::map<const Variable*, frontend::AccReductionOp> running;
  /// Of variables that the innermost loop of a grid leaves a value in: this is the last iteration of the
  /// loops around it. A thread does one iteration of all of them.
  std::map<const Variable*, ExprPtr> lastOfGrid;
};

// What lanes inside a loop of workers reduce and workers have in common, the workers reduce as well.
void reduceOverWorkers(WorkRegion& work, const StmtPtr& s, std::vector<StmtPtr> around) {
  LoopPlan* plan = work.notes.planOf(*s);
  if (plan && plan->isSpread()) {
    for (const frontend::AccReduction& reduction : plan->asked.reductions)
      for (const StmtPtr& outer : around) {
        LoopPlan& outerPlan = *work.notes.planOf(*outer);
        if (outerPlan.inner != Inner::Worker) continue;
        const AssignedInside assigned = assignedInside(work, outer, outerPlan);
        if (std::find(assigned.shared.begin(), assigned.shared.end(), reduction.var) != assigned.shared.end())
          outerPlan.asked.reductions.push_back(reduction);
      }
    around.push_back(s);
  }
  forEachChild(*s, [&](const StmtPtr& child) { reduceOverWorkers(work, child, around); });
}

StmtPtr firstUnready(const Notes& notes, const StmtPtr& s) {
  if (const LoopPlan* plan = notes.planOf(*s); plan && !plan->isReady) return s;
  StmtPtr result;
  forEachChild(*s, [&](const StmtPtr& child) {
    if (!result) result = firstUnready(notes, child);
  });
  return result;
}

}  // namespace

StmtPtr withOwnVariables(WorkRegion& work, const StmtPtr& loop) { return OwnVariables(work, {}).of(loop); }

void giveOwnVariables(WorkRegion& work, const std::vector<LoopReduction>& reductions) {
  reduceOverWorkers(work, work.body, {});
  OwnVariables giver(work, reductions);
  while (StmtPtr loop = firstUnready(work.notes, work.body)) {
    const StmtPtr made = giver.of(loop);
    work.body = withStatement(work.notes, work.body, *loop, {made});
  }
}

}  // namespace hone::acc
