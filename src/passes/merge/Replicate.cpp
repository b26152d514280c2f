#include "passes/merge/Replicate.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "ir/StructureReturns.h"
#include "ir/Substitute.h"
#include "passes/edit/Harmless.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/merge/ReplicaArrays.h"
#include "passes/merge/ReplicaExistence.h"
#include "passes/merge/ReplicaGuards.h"
#include "passes/merge/ReplicaLoads.h"
#include "passes/merge/ReplicaValues.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isLeaf(const Stmt& s) {
  return s.is<Declare>() || s.is<Assign>() || s.is<Eval>() || s.is<Printf>() || s.is<Assert>();
}

class LockstepWriter {
 public:
  LockstepWriter(const StmtPtr& whole, const Replicas& of, const std::array<ConstantRole, 3>& names)
      : replicas(of), constants(names), masks(whole, of), values(whole, of, masks) {}

  ReplicaLoops loops;  // made so far
  const ReplicaMasks& known() const { return masks; }

  StmtList list(const StmtList& stmts, AxisMask open) {
    StmtList out, comments;
    Run run;
    auto flush = [&] {
      StmtList made = write(run, open);
      out.insert(out.end(), made.begin(), made.end());
      run.clear();
      out.insert(out.end(), comments.begin(), comments.end());
      comments.clear();
    };
    for (const StmtPtr& s : stmts) {
      if (const auto* d = s->as<Declare>(); d && values.definition(*d->var) && (masks.of(*d->var) & ~open)) {
        available.push_back(d->var);  // computed where it is needed
        continue;
      }
      if (s->is<Comment>()) {
        comments.push_back(s);
        continue;
      }
      if (masks.needs(*s) & ~open) {
        run.push_back({std::move(comments), s});
        comments.clear();
        continue;
      }
      if (!run.empty() && mayGoFirst(s, run)) {
        out.push_back(one(s, open));
        continue;
      }
      flush();
      out.push_back(one(s, open));
    }
    flush();
    return out;
  }

 private:
  struct Item {
    StmtList comments;
    StmtPtr stmt;
  };
  using Run = std::vector<Item>;

  const Replicas& replicas;
  std::array<ConstantRole, 3> constants;
  ReplicaMasks masks;
  ReplicaValues values;
  std::vector<VarPtr> available;  // variables with a definition whose declaration was passed
  Renaming standsFor;             // the same in the loops that are open, and numbers of replicas

  // A declaration that nothing in the run has to do with.
  bool mayGoFirst(const StmtPtr& s, const Run& run) const {
    const auto* d = s->as<Declare>();
    if (!d) return false;
    if (d->var->space == Space::Shared || !d->init) return true;
    if (!isHarmless(d->init)) return false;
    std::set<const Variable*> set;
    for (const Item& item : run) {
      set.merge(assignedVariables(item.stmt));
      set.merge(declaredVariables(item.stmt));
    }
    return !mentions(d->init, set);
  }

  // Loops over the replicas around the statements of a run that need them, outermost axis first.
  StmtList write(const Run& run, AxisMask open) {
    for (unsigned axis = 3; axis-- > 0;) {
      const AxisMask bit = AxisMask(1u << axis);
      auto needs = [&](const Item& item) { return (masks.needs(*item.stmt) & ~open & bit) != 0; };
      if (std::none_of(run.begin(), run.end(), needs)) continue;
      StmtList out;
      for (auto from = run.begin(); from != run.end();) {
        const bool repeated = needs(*from);
        auto to = std::find_if(from, run.end(), [&](const Item& item) { return needs(item) != repeated; });
        StmtList made;
        if (repeated) {
          Run part(from, to);
          StmtList before = std::move(part.front().comments);
          part.front().comments.clear();
          out.insert(out.end(), before.begin(), before.end());
          made = {repeat(part, axis, open)};
        } else {
          made = write(Run(from, to), open);
        }
        out.insert(out.end(), made.begin(), made.end());
        from = to;
      }
      return out;
    }
    StmtList out;
    for (const Item& item : run) {
      out.insert(out.end(), item.comments.begin(), item.comments.end());
      out.push_back(one(item.stmt, open));
    }
    return out;
  }

  StmtPtr repeat(const Run& run, unsigned axis, AxisMask open) {
    auto number = std::make_shared<Variable>(*replicas.number[axis]);
    auto outer = standsFor.by;
    standsFor.by[replicas.number[axis].get()] = number;
    loops.axisOf[number.get()] = axis;
    const AxisMask inside = open | AxisMask(1u << axis);
    Run all;
    StmtList body = definitionsFor(run, AxisMask(1u << axis), inside, all);
    StmtList rest = write(all, inside);
    body.insert(body.end(), rest.begin(), rest.end());
    standsFor.by = std::move(outer);
    const unsigned count = HONE_SEED(MergeLastReplicaLost, replicas.count[axis], replicas.count[axis] - 1);
    return countingLoop(
        {.var = number, .end = named(count, constants[axis]), .body = block(std::move(body)), .unroll = -1});
  }

  // Declarations of what the run needs and what is known once this loop is open. What is made of variables
  // that the run declares follows those, in `all`.
  StmtList definitionsFor(const Run& run, AxisMask bit, AxisMask inside, Run& all) {
    std::set<const Variable*> needed;
    std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
      walkExprs(e, [&](const Expr& node) {
        const auto* var = node.as<VarRef>();
        if (!var || !values.definition(*var->var) || !needed.insert(var->var.get()).second) return;
        look(values.definition(*var->var));
      });
    };
    for (const Item& item : run) {
      walkStmts(item.stmt, [&](const Stmt& s) { forEachExpr(s, look); });
    }
    std::map<const Variable*, size_t> known;  // after how many items of the run
    for (size_t i = 0; i < run.size(); ++i)
      if (const auto* d = run[i].stmt->as<Declare>()) known[d->var.get()] = i + 1;
    std::vector<Run> later(run.size() + 1);
    StmtList out;
    for (const VarPtr& var : available) {
      const AxisMask mask = masks.of(*var);
      if (!needed.contains(var.get()) || !(mask & bit) || (mask & ~inside)) continue;
      const ExprPtr value = values.definition(*var);
      size_t after = 0;
      walkExprs(value, [&](const Expr& node) {
        const auto* used = node.as<VarRef>();
        const auto at = used ? known.find(used->var.get()) : known.end();
        if (at != known.end()) after = std::max(after, at->second);
      });
      known[var.get()] = after;
      auto copy = std::make_shared<Variable>(*var);
      if (after)
        later[after].push_back({{}, makeStmt(Declare{copy, value}, var->loc)});
      else
        out.push_back(makeStmt(Declare{copy, expr(value)}, var->loc));
      standsFor.by[var.get()] = copy;
    }
    for (size_t i = 0; i < run.size(); ++i) {
      all.push_back(run[i]);
      all.insert(all.end(), later[i + 1].begin(), later[i + 1].end());
    }
    return out;
  }

  ExprPtr expr(const ExprPtr& e) { return e ? standsFor.rewrite(e) : nullptr; }
  StmtPtr leaf(const StmtPtr& s) { return standsFor.rewrite(s).front(); }

  StmtPtr within(const StmtPtr& s, AxisMask open) {
    if (!s) return nullptr;
    const size_t before = available.size();
    StmtPtr made = block(list(stmtsOf(s), open), s->loc);
    available.resize(before);
    return made;
  }

  // A statement whose way is the same for the replicas that are not open.
  StmtPtr one(const StmtPtr& s, AxisMask open) {
    if (s->is<Block>()) return within(s, open);
    if (const auto* choice = s->as<If>())
      return makeStmt(If{expr(choice->cond), within(choice->then, open), within(choice->otherwise, open)},
                      s->loc);
    if (const auto* loop = s->as<For>()) {
      For copy = *loop;
      for (StmtPtr& init : copy.init) init = leaf(init);
      copy.cond = expr(loop->cond);
      for (StmtPtr& step : copy.step) step = leaf(step);
      copy.body = within(loop->body, open);
      return makeStmt(std::move(copy), s->loc);
    }
    if (const auto* loop = s->as<While>())
      return makeStmt(While{expr(loop->cond), within(loop->body, open), loop->unroll}, s->loc);
    if (const auto* loop = s->as<DoWhile>())
      return makeStmt(DoWhile{within(loop->body, open), expr(loop->cond), loop->unroll}, s->loc);
    if (const auto* choice = s->as<Switch>()) {
      Switch copy = *choice;
      copy.value = expr(choice->value);
      for (SwitchCase& c : copy.cases) c.body = stmtsOf(within(block(c.body), open));
      return makeStmt(std::move(copy), s->loc);
    }
    return leaf(s);
  }
};

// Shared variables are declared where all replicas see them.
StmtPtr liftShared(const StmtPtr& body) {
  class Lift : public Rewriter {
   public:
    StmtList found;

   protected:
    StmtList mapStmt(const StmtPtr& s) override {
      const auto* d = s->as<Declare>();
      if (!d || d->var->space != Space::Shared) return {s};
      found.push_back(s);
      return {};
    }
  };
  StmtList out;
  Lift lift;
  for (const StmtPtr& s : stmtsOf(body)) {
    if (const auto* d = s->as<Declare>(); d && d->var->space == Space::Shared) {
      out.push_back(s);
      continue;
    }
    StmtList rest = lift.rewrite(s);
    out.insert(out.end(), rest.begin(), rest.end());
  }
  out.insert(out.begin(), lift.found.begin(), lift.found.end());
  return block(std::move(out), body->loc);
}

// Parameters that replicas change differently become variables.
StmtPtr withOwnParameters(const Kernel& kernel, const StmtPtr& body, const Replicas& replicas) {
  ReplicaMasks masks(body, replicas);
  Renaming rename;
  StmtList out;
  for (const VarPtr& param : kernel.params) {
    if (!masks.of(*param)) continue;
    auto local = std::make_shared<Variable>(*param);
    local->storage = Storage::Local;
    local->isConst = false;
    rename.by[param.get()] = local;
    out.push_back(makeStmt(Declare{local, ref(param)}, param->loc));
  }
  if (out.empty()) return body;
  for (const StmtPtr& s : stmtsOf(rename.rewriteBlock(body))) out.push_back(s);
  return block(std::move(out), body->loc);
}

StmtPtr withoutReturns(const StmtPtr& body, const Replicas& replicas, Names& names) {
  if (!containsReturn(body) || !ReplicaMasks(body, replicas).ofReturns()) return body;
  StmtList stmts = stmtsOf(body), out;
  // Declarations of shared arrays stay where they are.
  auto first = std::find_if(stmts.begin(), stmts.end(), [](const StmtPtr& s) {
    const auto* d = s->as<Declare>();
    return !(d && d->var->space == Space::Shared) && !s->is<Comment>();
  });
  out.assign(stmts.begin(), first);
  StmtList rest(first, stmts.end());
  VarPtr returned = makeLocal(names, "returned", boolType());
  if (needsFlag(rest)) rest.insert(rest.begin(), makeStmt(Declare{returned, boolLit(false)}));
  StmtPtr wrapped = breakOnReturns(rest, nullptr, ref(returned));
  out.push_back(wrapped);
  return block(std::move(out), body->loc);
}

// Whether the replicas can go in lockstep.
Obstacle checkLockstep(const Kernel& kernel, const StmtPtr& body, const Replicas& replicas,
                       const ReplicaMasks& masks) {
  Obstacle first;
  std::function<void(const StmtPtr&, bool)> look = [&](const StmtPtr& s, bool differs) {
    if (s->is<Barrier>() && differs && !first)
      first =
          Refusal{"a barrier stands in a loop or choice that the merged threads do not take alike", s->loc};
    const bool below = differs || (!isLeaf(*s) && masks.needs(*s));
    forEachChild(*s, [&](const StmtPtr& child) { look(child, below); });
  };
  look(body, false);
  if (first || !replicas.ownShared) return first;
  auto differsByBlock = [](const Variable& var) {
    return Refusal{
        fmt::format(
            "shared memory `{}`, sized at the launch, would hold different data for the merged blocks",
            var.name),
        var.loc};
  };
  walkExprs(body, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    if (var && var->var->space == Space::Shared &&
        (var->var->isDynamicShared || var->var->storage == Storage::Global) && masks.of(*var->var) && !first)
      first = differsByBlock(*var->var);
  });
  for (const VarPtr& param : kernel.params) {
    if (!param->type->isPointer() || param->type->space != Space::Shared) continue;
    bool differs = false;
    walkStmts(body, [&](const Stmt& s) {
      for (const ir::Access& access : accesses(s))
        if (access.mode != AccessMode::Read && access.mode != AccessMode::Address &&
            rootVariable(access.place) == param)
          differs = differs || masks.needs(s);
    });
    if (differs && !first) first = differsByBlock(*param);
  }
  return first;
}

}  // namespace

Result<StmtPtr> prepareReplicas(const Kernel& kernel, const Replicas& replicas,
                                const std::array<ExprPtr, 3>& exists, Names& names, bool asThreads) {
  StmtPtr body = withOwnParameters(kernel, liftShared(kernel.body), replicas);
  body = withoutReturns(body, replicas, names);
  body = splitGuards(body, replicas, names, asThreads);
  if (Obstacle no = checkLockstep(kernel, body, replicas, ReplicaMasks(body, replicas))) return *no;
  if (!exists[0] && !exists[1] && !exists[2]) return body;
  if (const StmtPtr asked = askExistence(body, replicas, exists, asThreads)) return asked;
  return Refusal{"what a block of the original loads cannot be left out where the grid does not divide",
                 kernel.loc};
}

Result<Replicated> replicate(const Kernel& kernel, const Replicas& all, const std::array<ExprPtr, 3>& exists,
                             const std::array<ConstantRole, 3>& constants) {
  Names names(kernel);
  // 1. What stands in the way of lockstep: returns, guards around loops and barriers.
  const Result<StmtPtr> prepared = prepareReplicas(kernel, all, exists, names);
  if (!prepared) return prepared.refusal();
  Replicas replicas = all;
  ReplicaMasks masks(*prepared, replicas);
  ReplicaValues values(*prepared, replicas, masks);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (exists[axis])
      if (auto first = values.at(exists[axis], axis, 0)) replicas.holds.push_back(*first);
  // 2. Loads that replicas share; guards that are not needed then.
  LoadsOnce loads = loadOnce(*prepared, replicas, names, constants);
  StmtPtr body = dropGuards(loads.body, replicas);
  // 3. Loops over the replicas, and arrays for what lives across them.
  LockstepWriter writer(body, replicas, constants);
  StmtPtr written = block(writer.list(stmtsOf(body), 0), body->loc);
  return Replicated{withReplicaArrays(written, replicas, constants, writer.known(), writer.loops),
                    std::move(loads.arrays)};
}

}  // namespace hone::passes
