#include "passes/guards/IdleWork.h"

#include <algorithm>

#include "affine/DigitSums.h"
#include "ir/CallEffects.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/guards/IdleBlocks.h"

namespace hone::passes {

using namespace ir;

namespace {

// Loops of fewer iterations, over merged threads mostly, are not worth a test.
constexpr int64_t leastIterations = 16;

IdleConditions joined(IdleConditions some, const IdleConditions& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

// Whether threads of other blocks may wait for those that come to a call.
bool mayMeetOtherBlocks(const Call& call) {
  if (call.function) return synchronizes(call);
  const Participants over = call.intrinsic->traits.over;
  return synchronizes(call) && (over == Participants::GroupHandle || over == Participants::Cluster);
}

bool isIdle(const IdleConditions& branch, const IdleConditions& where) {
  return std::all_of(where.begin(), where.end(), [&](const affine::CondPtr& one) {
    return std::any_of(branch.begin(), branch.end(),
                       [&](const affine::CondPtr& known) { return impliesIdle(one, known); });
  });
}

}  // namespace

IdleWork::IdleWork(const affine::KernelModel& kernelModel, affine::LoopId keptLoop)
    : model(kernelModel), kept(keptLoop) {
  for (const affine::Branch& branch : model.branches)
    if (branch.stmt->is<If>()) branches[branch.stmt.get()] = branch.cond;
  for (const affine::LoopId l : model.loops.ids()) loops[model.loops[l].stmt.get()] = l;
  for (const affine::AccessId a : model.accesses.ids())
    if (model.accesses[a].stmt) accessesOf[model.accesses[a].stmt.get()].push_back(a);
}

std::optional<IdleConditions> IdleWork::toLeaveBefore(const StmtList& stmts) {
  all.reset();
  needed.clear();
  workedOut.clear();
  for (const StmtPtr& s : stmts) effects(s, {}, false);
  return all;
}

std::optional<IdleConditions> IdleWork::toLeaveOut(const StmtPtr& s) {
  all.reset();
  needed.clear();
  workedOut.clear();
  leftOut = s.get();
  effects(s, {}, false);
  if (HONE_SEED(SkipForgottenReads, true, false)) reads(model.kernel->body, {});
  return all;
}

bool IdleWork::isDoneAnyway(const StmtPtr& s, const IdleConditions& where) {
  if (const auto* choice = as<If>(s))
    return (!isIdle(inBranch(s, false, {}), where) && isDoneAnyway(choice->then, where)) ||
           (choice->otherwise && !isIdle(inBranch(s, true, {}), where) &&
            isDoneAnyway(choice->otherwise, where));
  if (const auto loop = loops.find(s.get()); loop != loops.end()) {
    if (isIdle(inLoop(s, {}), where)) return false;
    const auto iterations = affine::iterationsOf(model.loops[loop->second]);
    if (!iterations || *iterations > leastIterations) return true;
  }
  const auto* barrier = as<Barrier>(s);
  if (barrier && barrier->scope == SyncScope::Block) return true;
  bool found = false;
  forEachChild(*s, [&](const StmtPtr& child) { found = found || isDoneAnyway(child, where); });
  return found;
}

// What all blocks and iterations answer alike makes none of them leave anything out.
IdleConditions IdleWork::whereNever(const affine::CondPtr& cond) const {
  IdleConditions out = idleWhere(model, cond, kept);
  std::erase_if(out, [&](const affine::CondPtr& one) {
    const affine::Variation varies = model.atoms->variation(one);
    return one->kind != affine::CondKind::True && !varies.blockAxes && !varies.loops;
  });
  return out;
}

// A branch relies on what all accesses in it do: of those without any nothing is known.
bool IdleWork::relyOnGuardsIn(const StmtPtr& s) {
  std::optional<std::set<unsigned>> common;
  walkStmts(s, [&](const Stmt& one) {
    const auto here = accessesOf.find(&one);
    if (here == accessesOf.end()) return;
    for (const affine::AccessId a : here->second) {
      const std::vector<unsigned>& relied = model.accesses[a].conditionRequirements;
      if (!common) common.emplace(relied.begin(), relied.end());
      std::erase_if(*common, [&](unsigned r) { return std::ranges::find(relied, r) == relied.end(); });
    }
  });
  if (common) needed.insert(common->begin(), common->end());
  return common.has_value();
}

IdleConditions IdleWork::inBranch(const StmtPtr& s, bool otherwise, const IdleConditions& around) {
  const auto& choice = *as<If>(s);
  const auto known = branches.find(s.get());
  if (known == branches.end()) return around;
  const IdleConditions own = whereNever(otherwise ? affine::negation(known->second) : known->second);
  if (own.empty() || !relyOnGuardsIn(otherwise ? choice.otherwise : choice.then)) return around;
  return joined(around, own);
}

IdleConditions IdleWork::inLoop(const StmtPtr& s, const IdleConditions& around) {
  const auto known = loops.find(s.get());
  if (known == loops.end()) return around;
  const affine::Loop& loop = model.loops[known->second];
  if (!loop.runs || s->is<DoWhile>()) return around;
  const IdleConditions own = whereNever(loop.runs);
  if (!own.empty()) needed.insert(loop.requirements.begin(), loop.requirements.end());
  return joined(around, own);
}

void IdleWork::narrow(const IdleConditions& by) { all = all ? idleInBoth(*all, by) : by; }

// What others could notice of a statement, and under which conditions nobody can.
void IdleWork::effects(const StmtPtr& s, const IdleConditions& around, bool inLoopOfIt) {
  effectsOfAccesses(s, around);
  effectsOfCalls(s, around);
  if (s->is<Assign>() || s->is<Declare>() || s->is<Eval>())
    for (const Variable* var : assignedVariables(s)) worksOut(var, around);
  if (prints(*s) || s->is<Assert>() || s->is<Fence>()) narrow(around);
  if (const auto* barrier = as<Barrier>(s); barrier && barrier->scope > SyncScope::Block) narrow({});
  if ((s->is<Break>() || s->is<Continue>()) && !inLoopOfIt) narrow({});
  if (const auto* choice = as<If>(s)) {
    effects(choice->then, inBranch(s, false, around), inLoopOfIt);
    if (choice->otherwise) effects(choice->otherwise, inBranch(s, true, around), inLoopOfIt);
    return;
  }
  const bool isLoop = s->is<For>() || s->is<While>() || s->is<DoWhile>();
  const IdleConditions within = isLoop ? inLoop(s, around) : around;
  forEachChild(
      *s, [&](const StmtPtr& child) { effects(child, within, inLoopOfIt || isLoop || s->is<Switch>()); });
}

void IdleWork::effectsOfAccesses(const StmtPtr& s, const IdleConditions& around) {
  const auto here = accessesOf.find(s.get());
  if (here == accessesOf.end()) return;
  for (const affine::AccessId a : here->second) {
    const affine::Access& access = model.accesses[a];
    if (!access.writes() && !access.atomic) continue;
    const IdleConditions own = whereNever(access.guard);
    if (!own.empty()) needed.insert(access.conditionRequirements.begin(), access.conditionRequirements.end());
    const IdleConditions unless = joined(around, own);
    const VarPtr var = access.array.isSome() ? model.arrays[access.array].var : nullptr;
    if (!var || model.isGlobal(access))
      HONE_SEED(SkipForgottenStores, narrow(unless), (void)all);
    else
      worksOut(var.get(), unless);
  }
}

void IdleWork::worksOut(const Variable* var, const IdleConditions& unless) {
  const auto [known, isNew] = workedOut.emplace(var, unless);
  if (!isNew) known->second = idleInBoth(known->second, unless);
}

void IdleWork::effectsOfCalls(const StmtPtr& s, const IdleConditions& around) {
  const std::vector<ir::Access> made = accesses(*s);
  forEachExpr(*s, [&](const ExprPtr& e) {
    walkExprs(e, [&](const Expr& x) {
      const auto* call = x.as<Call>();
      if (!call || isPure(*call)) return;
      if (mayMeetOtherBlocks(*call)) return narrow({});
      const bool isAccess =
          std::any_of(made.begin(), made.end(), [&](const ir::Access& one) { return one.through == call; });
      const bool isOfBlock =
          call->intrinsic && (synchronizes(*call) || call->intrinsic->cls == IntrinsicClass::Query);
      if (!isAccess && !isOfBlock) narrow(around);
    });
  });
}

// Where what is left out would be missed.
void IdleWork::reads(const StmtPtr& s, const IdleConditions& around) {
  if (s.get() == leftOut) return;
  // What is set is not looked at for that, only what says which element.
  const auto* set = as<Assign>(s);
  const Variable* target = set && !set->op ? storageOf(*set->place) : nullptr;
  bool isTarget = target != nullptr;
  forEachExpr(*s, [&](const ExprPtr& e) {
    walkExprs(e, [&](const Expr& x) {
      const auto* r = x.as<VarRef>();
      if (!r) return;
      if (isTarget && e == set->place && r->var.get() == target) {
        isTarget = false;
        return;
      }
      if (const auto made = workedOut.find(r->var.get()); made != workedOut.end())
        narrow(joined(around, made->second));
    });
  });
  if (const auto* choice = as<If>(s)) {
    reads(choice->then, inBranch(s, false, around));
    if (choice->otherwise) reads(choice->otherwise, inBranch(s, true, around));
    return;
  }
  const bool isLoop = s->is<For>() || s->is<While>() || s->is<DoWhile>();
  const IdleConditions within = isLoop ? inLoop(s, around) : around;
  forEachChild(*s, [&](const StmtPtr& child) { reads(child, within); });
}

}  // namespace hone::passes
