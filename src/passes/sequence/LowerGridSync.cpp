#include "passes/sequence/LowerGridSync.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/SourceOrder.h"
#include "ir/StructureReturns.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/Names.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/sequence/GridSums.h"
#include "passes/sequence/LastPhases.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isGridBarrier(const Stmt& s) {
  const auto* barrier = s.as<Barrier>();
  return barrier && barrier->scope == SyncScope::Grid;
}

bool hasGridBarrier(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) { found = found || isGridBarrier(one); });
  return found;
}

class GridSyncSplitter {
 public:
  // `threadsOfLast`: of the block that does the last steps; 0: none does.
  GridSyncSplitter(const KernelPtr& ofPlan, const LaunchStep& ofLaunch, const KernelPtr& structuredKernel,
                   unsigned threadsOfLast)
      : original(ofPlan),
        launch(ofLaunch),
        kernel(structuredKernel),
        few(threadsOfLast),
        names(*structuredKernel) {
    addresses = addressTaken(kernel->body);
    walkStmts(kernel->body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) declarations[d->var.get()] = d;
    });
    assigned = assignedVariables(kernel->body);
  }

  // The steps that take the place of the launch, temporary buffers first. Calls refuse.
  std::vector<Step> run() {
    const StmtList& list = ir::as<Block>(kernel->body)->stmts;
    std::vector<Step> steps;
    if (!few || !withLastPhases(list, steps)) {
      restart();
      steps = split(list);
    }
    std::vector<Step> all(buffers.begin(), buffers.end());
    all.insert(all.end(), steps.begin(), steps.end());
    return all;
  }
  size_t parts() const { return made; }
  // Whether one block does the last steps.
  bool hasLast() const { return isLast; }
  const std::vector<std::string>& carriedNames() const { return carriedList; }

 private:
  struct OuterLoop {
    VarPtr inKernel, inPlan;
  };

  std::vector<Step> split(const StmtList& list) {
    std::vector<Step> steps;
    StmtList part;
    auto flush = [&] {
      if (auto step = launchOf(part)) steps.emplace_back(std::move(*step));
      part.clear();
    };
    for (const StmtPtr& s : list) {
      if (isGridBarrier(*s)) {
        flush();
      } else if (!hasGridBarrier(s)) {
        part.push_back(s);
      } else if (const auto* loop = s->as<For>()) {
        flush();
        steps.emplace_back(loopOf(*loop, s->loc));
      } else if (const auto* inner = s->as<Block>()) {
        flush();
        for (Step& step : split(inner->stmts)) steps.push_back(std::move(step));
      } else {
        refuse("a grid-wide barrier stands under a condition or in a loop that does not count", s->loc);
      }
    }
    flush();
    return steps;
  }

  // The last loop around barriers and what follows it: launches for iterations with many threads, one block
  // for the others.
  bool withLastPhases(const StmtList& list, std::vector<Step>& steps) {
    size_t at = list.size();
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i]->is<For>() && hasGridBarrier(list[i])) at = i;
    const auto* loop = at < list.size() ? list[at]->as<For>() : nullptr;
    if (!loop) return false;
    const auto here = list.begin() + static_cast<std::ptrdiff_t>(at);
    steps = split(StmtList(list.begin(), here));
    const size_t before = made, kept = carried.size();
    LoopStep iterations = loopOf(*loop, list[at]->loc);
    const size_t inLoop = made;
    int64_t most = INT64_MAX;
    auto isFew = [&](const Step& step) {
      const auto* one = std::get_if<LaunchStep>(&step);
      const auto limit = one ? mostForFew(*one, iterations.var, few) : std::nullopt;
      most = std::min(most, limit.value_or(0));
      return limit.has_value();
    };
    const std::vector<Step> rest = split(StmtList(here + 1, list.end()));
    const bool fits = std::all_of(iterations.body->steps.begin(), iterations.body->steps.end(), isFew) &&
                      std::all_of(rest.begin(), rest.end(), isFew) &&
                      (most == INT64_MAX || fallsToZero(*loop)) && most > 0 && carried.size() == kept;
    if (!fits) return false;
    const bool isWhole = most == INT64_MAX;
    made = isWhole ? before : inLoop;
    if (!isWhole) {
      const ExprPtr limit = intLit(most, iterations.var->type);
      const ExprPtr isMore = binary(BinaryOp::Gt, ref(iterations.var), limit);
      // The loop's own end is 0 or a little more.
      const auto end = constantValue(counted(*loop)->end);
      iterations.cond = end && *end <= most ? isMore : andAlso(iterations.cond, isMore);
      steps.emplace_back(std::move(iterations));
    }
    StmtList part(here, list.end());
    part.front() = lastIterations(*loop, list[at]->loc, isWhole ? nullptr : intLit(most));
    part.insert(part.begin(),
                makeStmt(Comment{fmt::format("Steps in which no more than {} threads have work, by "
                                             "one block with barriers of its own.",
                                             few)}));
    auto whole = launchOf(part);
    auto last = whole ? inOneBlock(*whole, few) : std::nullopt;
    if (!last) return false;
    steps.emplace_back(std::move(*last));
    isLast = true;
    return true;
  }

  // The loop without the iterations that launches did, those whose variable is above `most`.
  static StmtPtr lastIterations(const For& loop, SourceLoc loc, const ExprPtr& most) {
    if (!most) return makeStmt(loop, loc);
    For copy = loop;
    const VarPtr var = loop.init[0]->as<Declare>()->var;
    copy.body = block({makeStmt(If{binary(BinaryOp::Le, ref(var), most), loop.body, nullptr}, loc)});
    return makeStmt(copy, loc);
  }

  LoopStep loopOf(const For& loop, SourceLoc loc) {
    const auto* first = loop.init.size() == 1 ? loop.init[0]->as<Declare>() : nullptr;
    const auto* next = loop.step.size() == 1 ? loop.step[0]->as<Assign>() : nullptr;
    const auto* counter = next ? ir::as<VarRef>(next->place) : nullptr;
    const bool counts = first && first->init && loop.cond && counter && counter->var == first->var &&
                        first->var->type->is(TypeKind::Int) &&
                        !assignedVariables(loop.body).contains(first->var.get());
    if (!counts) refuse("the loop around a grid-wide barrier does not count with a variable of its own", loc);
    bool leaves = false;
    walkStmts(loop.body,
              [&](const Stmt& s) { leaves = leaves || s.is<Break>() || s.is<Continue>() || s.is<Return>(); });
    if (leaves) refuse("the loop around a grid-wide barrier may end early", loc);
    auto inPlan = std::make_shared<Variable>();
    inPlan->name = first->var->name;
    inPlan->type = first->var->type;
    LoopStep step;
    step.var = inPlan;
    step.begin = convert(onHost(first->init, loc), inPlan->type);
    outer.push_back({first->var, inPlan});
    step.cond = onHost(loop.cond, loc);
    ExprPtr value = onHost(next->value, loc);
    step.next = convert(next->op ? binary(*next->op, ref(VarPtr(inPlan)), value) : value, inPlan->type);
    StmtPtr inside = loop.body;
    step.body = planOf(original, split(ir::as<Block>(inside)->stmts));
    outer.pop_back();
    if (step.body->steps.empty()) refuse("the loop around a grid-wide barrier does nothing else", loc);
    return step;
  }

  // An expression of the kernel as one of the plan, which is the same for all threads.
  ExprPtr onHost(const ExprPtr& e, SourceLoc loc) {
    Substitution counters;
    for (const OuterLoop& loop : outer) counters.emplace_back(loop.inKernel, ref(loop.inPlan));
    const OnHost found = passes::onHost(structuredLaunch(), e, counters);
    if (found.unknown)
      refuse(fmt::format("the host cannot know {}, which decides how often a grid-wide barrier is passed",
                         found.unknown->name),
             loc);
    if (!found.value)
      refuse("how often a grid-wide barrier is passed depends on the thread or on memory", loc);
    return simplified(found.value);
  }

  // The launch with the kernel that is taken apart.
  LaunchStep structuredLaunch() const {
    LaunchStep step = launch;
    step.kernel = kernel;
    return step;
  }

  // One part as a kernel of its own; nothing for one that does nothing.
  std::optional<LaunchStep> launchOf(const StmtList& part) {
    bool acts = false;
    for (const StmtPtr& s : part)
      walkStmts(s, [&](const Stmt& one) {
        const auto* declared = one.as<Declare>();
        acts = acts || one.is<Eval>() || prints(one) || one.is<Assert>() || one.is<Assign>() ||
               (declared && declared->init &&
                (!isPure(declared->init) || carried.contains(declared->var.get())));
      });
    // Other declarations that later parts need are made there again.
    if (!acts) return std::nullopt;
    LaunchStep step = launch;
    step.cooperative = false;
    auto copy = std::make_shared<Kernel>(*kernel);
    copy->name = fmt::format("{}_part{}", kernel->name, ++made);
    std::set<const Variable*> own;
    StmtPtr body = block(part);
    for (const Variable* var : declaredVariables(body)) own.insert(var);
    StmtList top, bottom;
    Substitution values;
    std::set<const Variable*> done = own;
    addInputs(body, done, top, values, *copy, step);
    // What this part changes of what other parts use goes back.
    for (const auto& [var, buffer] : carried)
      if (assignedHere(body, var))
        bottom.push_back(assign(slot(buffer, *copy, step), ref(declarations.at(var)->var)));
    StmtList all = top;
    all.insert(all.end(), part.begin(), part.end());
    all.insert(all.end(), bottom.begin(), bottom.end());
    copy->body = substituted(block(all, kernel->body->loc), values);
    dropUnusedParameters(*copy, step);
    step.kernel = copy;
    return step;
  }

  static bool assignedHere(const StmtPtr& body, const Variable* var) {
    bool found = assignedVariables(body).contains(var);
    walkStmts(body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      found = found || (d && d->var.get() == var && d->init);
    });
    return found;
  }

  // Declares, before a part, what it uses of what was declared before it.
  void addInputs(const StmtPtr& body, std::set<const Variable*>& done, StmtList& top, Substitution& values,
                 Kernel& copy, LaunchStep& step) {
    std::vector<VarPtr> used;
    auto look = [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      if (var && var->var->space == Space::Shared) keepsApart(*var->var);
      if (var && var->var->storage == Storage::Local && done.insert(var->var.get()).second)
        used.push_back(var->var);
    };
    walkExprs(body, look);
    for (const VarPtr& var : used) {
      const OuterLoop* counter = nullptr;
      for (const OuterLoop& loop : outer)
        if (loop.inKernel == var) counter = &loop;
      if (counter) {
        auto param = std::make_shared<Variable>(*var);  // the loop itself is gone, so its name is free
        param->storage = Storage::Param;
        copy.params.push_back(param);
        step.args.push_back(ref(counter->inPlan));
        values.emplace_back(var, ref(param));
        continue;
      }
      const Declare* declared = declarations.at(var.get());
      if (var->space == Space::Shared) {
        top.push_back(makeStmt(Declare{declared->var, nullptr}, var->loc));
        continue;
      }
      if (canMakeAgain(*declared)) {
        StmtPtr again = makeStmt(Declare{declared->var, declared->init}, var->loc);
        addInputs(again, done, top, values, copy, step);
        top.push_back(again);
        continue;
      }
      if (!var->type->isArithmetic() || addresses.contains(var.get()))
        refuse(fmt::format("{} lives across a grid-wide barrier and is no plain number", var->name),
               var->loc);
      top.push_back(makeStmt(Declare{declared->var, slot(bufferOf(var), copy, step)}, var->loc));
    }
  }

  // What a block keeps in shared memory is lost between launches.
  void keepsApart(const Variable& shared) {
    size_t& part = usedBy[&shared];
    if ((part != 0 && part != made) || !outer.empty())
      refuse(fmt::format("shared memory ({}) may be used on both sides of a grid-wide barrier", shared.name),
             shared.loc);
    part = made;
  }

  // A value that every part can work out by itself: of coordinates, parameters and other such values, never
  // changed.
  bool canMakeAgain(const Declare& declared) {
    const Variable* var = declared.var.get();
    if (!declared.init || assigned.contains(var) || addresses.contains(var)) return false;
    bool can = true;
    walkExprs(declared.init, [&](const Expr& e) {
      if (e.is<Subscript>() || e.is<Call>()) can = false;
      const auto* used = e.as<VarRef>();
      if (!used || used->var->storage == Storage::Param) return;
      bool isCounter = false;
      for (const OuterLoop& loop : outer) isCounter = isCounter || loop.inKernel == used->var;
      auto other = declarations.find(used->var.get());
      if (!isCounter && (other == declarations.end() || !canMakeAgain(*other->second))) can = false;
    });
    return can;
  }

  VarPtr bufferOf(const VarPtr& var) {
    VarPtr& buffer = carried[var.get()];
    if (buffer) return buffer;
    auto made2 = std::make_shared<Variable>();
    made2->name = names.fresh(var->name + "_of_thread");
    made2->type = pointerType(var->type, Space::Global);
    buffer = made2;
    carriedList.push_back(var->name);
    ExprPtr count = intLit(1, uint64());
    for (unsigned axis = 0; axis < 3; ++axis) {
      count = times(count, convert(coord(CoordKind::GridDim, axis), uint64(), true));
      count = times(count, convert(coord(CoordKind::BlockDim, axis), uint64(), true));
    }
    buffers.emplace_back(BufferStep{buffer, passes::onHost(structuredLaunch(), count).value});
    throw Again{};
  }

  // The element of a buffer that belongs to this thread; the buffer becomes a parameter of the part.
  ExprPtr slot(const VarPtr& buffer, Kernel& copy, LaunchStep& step) {
    VarPtr param;
    for (size_t p = 0; p < step.args.size(); ++p) {
      const auto* arg = ir::as<VarRef>(step.args[p]);
      if (arg && arg->var == buffer) param = copy.params[p];
    }
    if (!param) {
      param = makeParameter(names, buffer->name, buffer->type);
      copy.params.push_back(param);
      step.args.push_back(ref(buffer));
    }
    ExprPtr at;
    for (int axis = 2; axis >= 0; --axis) {
      auto wide = [&](CoordKind kind) { return convert(coordOf(*kernel, kind, unsigned(axis)), uint64()); };
      ExprPtr id =
          plus(times(wide(CoordKind::BlockIdx), wide(CoordKind::BlockDim)), wide(CoordKind::ThreadIdx));
      at = at ? plus(times(times(at, wide(CoordKind::GridDim)), wide(CoordKind::BlockDim)), id) : id;
    }
    return subscript(ref(param), {at});
  }

 public:
  // Thrown when a variable was found to need a buffer: parts made before must store to it, so the splitting
  // begins anew.
  struct Again {};
  void restart() {
    made = 0;
    isLast = false;
    outer.clear();
    usedBy.clear();
  }

 private:
  KernelPtr original;
  const LaunchStep& launch;
  KernelPtr kernel;
  const unsigned few;
  bool isLast = false;
  Names names;
  std::set<const Variable*> addresses, assigned;
  std::map<const Variable*, const Declare*> declarations;
  std::map<const Variable*, VarPtr, InSourceOrder> carried;
  std::map<const Variable*, size_t> usedBy;  // shared memory: the part
  std::vector<std::string> carriedList;
  std::vector<Step> buffers;
  std::vector<OuterLoop> outer;
  size_t made = 0;
};

}  // namespace

PassResult lowerGridSync(const PlanPtr& plan, const GridSyncOptions& options, PassContext& context) {
  const Kernel& original = *plan->original;
  PassResult result;
  // 1. Decide.
  const auto* launch = onlyStep<LaunchStep>(*plan);
  if (!launch) return Refusal{"grid-sync must come before passes that make choices or further launches"};
  if (!hasGridBarrier(launch->kernel->body)) return Refusal{"it has no grid-wide barrier"};
  auto copy = std::make_shared<Plan>(*plan);
  const GridSyncForm how = options.how.value_or(GridSyncForm::Launches);
  if (how == GridSyncForm::Cooperative) {
    if (launch->cooperative) return Refusal{"it is launched cooperatively already"};
    std::get<LaunchStep>(copy->steps[0]).cooperative = true;
    result.remarks.push_back({RemarkKind::Done, original.loc, original.name,
                              "launched cooperatively, so that its grid-wide barriers work"});
    result.plan = copy;
    return result;
  }
  // 2. Rewrite.
  KernelPtr body = structured(launch->kernel);
  if (containsReturn(body->body)) return Refusal{"threads may return before a grid-wide barrier"};
  if (how == GridSyncForm::Loop) {
    if (const Obstacle no = obstacleToOtherIds(*body)) return *no;
    return sumInOneLoop(plan, *launch, body, context);
  }
  const auto few = options.last.value_or(context.target.threadsPerBlock);
  if (few > context.target.threadsPerBlock)
    return Refusal{fmt::format("a block has {} threads at most", context.target.threadsPerBlock)};
  GridSyncSplitter splitter(plan->original, *launch, body, static_cast<unsigned>(few));
  const Obstacle no = refusing([&] {
    for (;;) {
      try {
        splitter.restart();
        copy->steps = splitter.run();
        break;
      } catch (const GridSyncSplitter::Again&) {  // one variable more is carried
      }
    }
  });
  if (no) return *no;
  std::string text = splitter.parts() == 1
                         ? "one kernel without its grid-wide barriers, between which nothing else is done"
                         : fmt::format("split at its grid-wide barriers into {} kernels", splitter.parts());
  if (splitter.hasLast()) text += fmt::format(", the last of them a single block of up to {} threads", few);
  for (const std::string& name : splitter.carriedNames())
    text += fmt::format(", {} kept in memory between them", name);
  result.remarks.push_back({RemarkKind::Done, original.loc, original.name, text});
  result.plan = copy;
  if (!splitter.hasLast()) return result;
  // Threads that differ along other axes alone do the same; there is one as a rule.
  ExprPtr condition;
  for (unsigned axis = 1; axis < 3; ++axis)
    for (const ExprPtr& extent : {launch->grid[axis], launch->block[axis]})
      condition = andAlso(condition, simplified(binary(BinaryOp::Eq, extent, intLit(1, uint32()))));
  if (condition) result.plan = onlyWhere(copy, condition);
  return result;
}

const PassOf<GridSyncOptions>& gridSyncPass() {
  static const PassOf<GridSyncOptions> pass =
      PassOf<GridSyncOptions>(
          "grid-sync", "A kernel with grid-wide barriers becomes several launches, or a cooperative one.",
          lowerGridSync)
          .word(&GridSyncOptions::how, "how", {"launches", "cooperative", "loop"},
                "launches (default), cooperative, or loop: what all threads put together in halving "
                "steps is one sum, for split-reduction to share out")
          .number(&GridSyncOptions::last, "last",
                  "threads of the block that does the last steps, in which no more have work; 0: none; "
                  "without it as many as a block may have",
                  values({0, 64}), 0);
  return pass;
}

}  // namespace hone::passes
