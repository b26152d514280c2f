#include "passes/spread/SpreadLoop.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "ir/Substitute.h"
#include "passes/edit/Axes.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/spread/BegunCounters.h"
#include "passes/spread/IndependentIterations.h"
#include "passes/spread/SpreadForm.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t mostSpreadIds = 0x7ff00000;  // ids of 32 bits stay far from wrapping
constexpr unsigned usualThreads = 128;  // of a block where iterations are all that threads have along x

Obstacle obstacleToSpreading(const Kernel& kernel, bool reassociate) {
  if (const Obstacle no = obstacleToOtherIds(kernel)) return no;
  if (const Obstacle no = obstacleToSharing(kernel, reassociate)) return no;
  if (const Obstacle no = obstacleToOtherWarps(kernel)) return no;
  if (const Obstacle no = obstacleToOtherOrder(kernel, reassociate)) return no;
  if (usedAxes(kernel.body, CoordKind::WorkDim)) return Refusal{"get_work_dim() is used"};
  return std::nullopt;
}

// What an iteration left by `continue` does next: nothing.
class ContinueToReturn : public Rewriter {
 public:
  StmtList rewrite(const StmtPtr& s) override {
    if (s->is<Continue>()) return {makeStmt(Return{nullptr}, s->loc)};
    if (isLoop(*s)) return {s};
    return Rewriter::rewrite(s);
  }
};

class SpreadLaunch {
 public:
  SpreadLaunch(const LaunchStep& before, const SpreadForm& decided, const PassContext& passContext)
      : launch(before), form(decided), context(passContext), names(*before.kernel) {
    kernel = std::make_shared<Kernel>(*before.kernel);
  }

  LaunchResult made() {
    const StmtPtr old = kernel->body;
    StmtPtr body = block(withoutLoop(old, thread()), old->loc);
    if (form.kind == SpreadKind::Digits) body = withDigits(body);
    if (form.kind == SpreadKind::BlockStride) body = withBlocksAsRows(body);
    if (form.kind == SpreadKind::InFront) body = withId(movedUp(body), 0);
    kernel->body = withoutDeadCode(body, deadVariables(old));
    if (const auto numbers = fixedBlock(launch)) {
      *kernel = *withBlockDims(kernel, *numbers);
      for (unsigned axis = 0; axis < 3; ++axis)
        if ((*numbers)[axis] == 1) kernel->body = withBlocksAsIds(kernel->body, axis);
    }
    kernel->launchBounds.reset();
    settle();
    if (!isPossible)
      return Refusal{"its blocks have threads along that axis already, which do the same",
                     form.loop.loop->loc};
    kernel->story.push_back(fmt::format("{} are threads of their own along {}, where one thread did them.",
                                        what(), axisNames[form.axis]));
    LaunchResult result{launch, condition, {}};
    result.launch->kernel = kernel;
    dropUnusedParameters(*kernel, *result.launch);
    result.remarks.push_back({RemarkKind::Done, form.loop.loop->loc, kernel->name,
                              fmt::format("each iteration of {} became a thread of its own along {}",
                                          form.loop.handle, axisNames[form.axis])});
    return result;
  }

 private:
  LaunchStep launch;
  const SpreadForm& form;
  const PassContext& context;
  Names names;
  std::shared_ptr<Kernel> kernel;
  ExprPtr condition;
  bool isPossible = true;
  VarPtr id;  // Digits: the new id; InFront: that along x

  std::string what() const { return fmt::format("The iterations over {}", form.loop.count.var->name); }

  // --- the kernel

  // A thread's part of the loop.
  StmtList thread() {
    const Counted& count = form.loop.count;
    const SourceLoc loc = form.loop.loop->loc;
    const VarPtr var = count.var;
    StmtList body = stmtsOf(ContinueToReturn().rewriteBlock(form.loop.node.body));
    ExprPtr value = count.begin, guard = form.loop.node.cond;
    if (form.kind == SpreadKind::BlockStride) {
      // The user's own name for the new id, where it has one.
      const bool isTheirs = isCoordinate(resolved(*kernel, value), CoordKind::ThreadIdx, 0);
      id = isTheirs ? var : makeLocal(names, "id", var->type);
    }
    if (form.kind == SpreadKind::OwnAxis || form.kind == SpreadKind::InFront) {
      const bool isTheirs =
          constantValue(value) == std::optional<int64_t>(0) && signedStep(count) == std::optional<int64_t>(1);
      if (form.kind == SpreadKind::InFront) id = isTheirs ? var : makeLocal(names, "id", var->type);
      const ExprPtr iteration = id ? ref(id) : convert(flatIdOf(*kernel, form.axis), var->type);
      value = valueOf(iteration);
      if (!form.countsByCondition)
        guard = binary(BinaryOp::Lt, iteration, intLit(*form.iterations, var->type));
    }
    if (form.kind == SpreadKind::Digits) {
      guard = nullptr;
      if (form.place.digit == IterationDigit::Last) id = makeLocal(names, "id", int32());
    }
    StmtList out{say(fmt::format("Each iteration over {} is a thread of its own.", var->name))};
    if (id != var) out.push_back(makeStmt(Declare{var, convert(value, var->type)}, loc));
    guard = HONE_SEED(SpreadUnguarded, guard, ExprPtr());
    if (guard)
      out.push_back(makeStmt(If{guard, block(body), nullptr}, loc));
    else
      out.insert(out.end(), body.begin(), body.end());
    return out;
  }

  IterationIds digits() const {
    IterationIds ids(*launch.kernel,
                     {form.loop.count.var.get(), form.loop.count.begin, *signedStep(form.loop.count)},
                     form.place);
    ids.id = id;
    return ids;
  }

  ExprPtr valueOf(const ExprPtr& iteration) const {
    return simplified(valueOfIteration(form.loop.count, iteration));
  }

  // What leads to the loop, and `by` in its place.
  StmtList withoutLoop(const StmtPtr& s, const StmtList& by) const {
    StmtList out;
    for (const StmtPtr& one : stmtsOf(s)) {
      if (one == form.loop.loop) {
        out.insert(out.end(), by.begin(), by.end());
        return out;
      }
      if (!holdsLoop(one)) {
        out.push_back(one);
        continue;
      }
      const auto* choice = as<If>(one);
      if (!choice) {
        out.push_back(block(withoutLoop(one, by), one->loc));
      } else {
        const bool isThen = holdsLoop(choice->then);
        out.push_back(makeStmt(If{isThen ? choice->cond : negated(choice->cond),
                                  block(withoutLoop(isThen ? choice->then : choice->otherwise, by)), nullptr},
                               one->loc));
      }
      return out;
    }
    return out;
  }

  bool holdsLoop(const StmtPtr& s) const {
    bool found = false;
    walkStmts(s, [&](const Stmt& one) { found |= &one == form.loop.loop.get(); });
    return found;
  }

  StmtPtr withDigits(const StmtPtr& body) {
    StmtPtr made = digits().rewritten(body);
    if (!id) return made;
    // The user's own name for the new id, where it has one.
    const auto assigned = assignedVariables(made), taken = addressTaken(made);
    VarPtr theirs;
    walkStmts(made, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      const auto* var = d && d->init ? as<VarRef>(withoutIdCasts(d->init)) : nullptr;
      if (!theirs && var && var->var == id && sameType(d->var->type, id->type) && !d->var->isConstexpr &&
          !assigned.contains(d->var.get()) && !taken.contains(d->var.get()))
        theirs = d->var;
    });
    if (theirs) {
      class Named : public Renaming {
       public:
        VarPtr var;

       protected:
        StmtList mapStmt(const StmtPtr& s) override {
          const auto* d = as<Declare>(s);
          return d && d->var == var ? StmtList{} : StmtList{s};
        }
      };
      Named named;
      named.var = theirs;
      named.by[id.get()] = theirs;
      made = named.rewriteBlock(made);
      id = theirs;
    }
    return withId(made, form.axis);
  }

  // Behind the declaration of the new id along an axis.
  StmtPtr withId(const StmtPtr& body, unsigned axis) const {
    StmtList stmts{makeStmt(Declare{id, convert(flatIdOf(*kernel, axis), id->type)})};
    for (const StmtPtr& s : stmtsOf(body)) stmts.push_back(s);
    return block(stmts, body->loc);
  }

  // Blocks, of which each had a row, are rows of the grid, and may be put together.
  StmtPtr withBlocksAsRows(const StmtPtr& body) const {
    const StmtPtr rows = mapCoords(body, [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
      if (c.axis != 0) return nullptr;
      if (c.kind == CoordKind::GridDim) return coord(CoordKind::GridDim, 1, e->type, e->loc);
      if (c.kind == CoordKind::ThreadIdx) return convert(ref(id), e->type);
      return c.kind == CoordKind::BlockIdx ? convert(flatIdOf(*kernel, 1), e->type) : nullptr;
    });
    return withId(rows, 0);
  }

  // Blocks of one thread along an axis: which block it is, is the thread's id, and later blocks may be
  // others.
  StmtPtr withBlocksAsIds(const StmtPtr& body, unsigned axis) const {
    for (const CoordKind kind : {CoordKind::ThreadIdx, CoordKind::BlockDim, CoordKind::GridDim,
                                 CoordKind::GlobalId, CoordKind::GlobalSize})
      if (usedAxes(body, kind) >> axis & 1) return body;
    return mapCoords(body, [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
      const bool isBlock = c.kind == CoordKind::BlockIdx && c.axis == axis;
      return isBlock ? convert(flatIdOf(*kernel, axis), e->type) : nullptr;
    });
  }

  // What was along x and y is along y and z.
  static StmtPtr movedUp(const StmtPtr& body) {
    return mapCoords(body, [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
      if (c.kind == CoordKind::WarpSize || c.kind == CoordKind::WorkDim || c.axis > 1) return nullptr;
      return coord(c.kind, c.axis + 1u, e->type, e->loc);
    });
  }

  // --- the launch

  void need(const ExprPtr& test) {
    const ExprPtr one = simplified(test);
    isPossible = isPossible && !isFalse(one);
    if (!isTrue(one)) condition = andAlso(condition, one);
  }
  void needOne(const ExprPtr& extent) { need(binary(BinaryOp::Eq, extent, intLit(1, extent->type))); }
  void needAtMost(const ExprPtr& value, int64_t most) {
    need(binary(BinaryOp::Le, convert(value, int64()), intLit(most, int64())));
  }
  int64_t mostBlocks(unsigned axis) const { return int64_t(context.target.maxGrid[axis]); }

  // Grid and block, and what must hold for them.
  void settle() {
    const LaunchStep before = launch;
    const ExprPtr one = intLit(1, uint32()), plain = withoutIdCasts(form.count);
    const ExprPtr count = plain->type->bits == 32 ? plain : convert(plain, uint32());
    const auto blocks = [&](const ExprPtr& threads) {
      const ExprPtr each = constantValue(threads) ? convert(threads, count->type) : threads;
      return convert(HONE_SEED(SpreadGridRoundedDown, ceilDiv(count, each), over(count, each)), uint32());
    };
    const auto threadsAlong = [&](unsigned axis) { return times(before.grid[axis], before.block[axis]); };
    if (kernel->language == Language::OpenCL)
      for (unsigned axis = 0; axis < 3; ++axis)
        need(binary(BinaryOp::Eq, coord(CoordKind::GlobalOffset, axis, uint64()), intLit(0, uint64())));
    switch (form.kind) {
      case SpreadKind::GridStride:
        launch.grid[form.axis] = blocks(launch.block[form.axis]);
        launch.mayOvershoot[form.axis] = true;
        needAtMost(launch.grid[form.axis], mostBlocks(form.axis));
        break;
      case SpreadKind::BlockStride:
        for (const unsigned axis : {1, 2}) needOne(before.grid[axis]), needOne(before.block[axis]);
        launch.grid = {blocks(before.block[0]), before.grid[0], one};
        launch.mayOvershoot = {true, false, false};
        needAtMost(before.grid[0], mostBlocks(1));
        break;
      case SpreadKind::Digits:
        launch.grid[form.axis] = times(
            launch.grid[form.axis], HONE_SEED(SpreadGridUnchanged, intLit(*form.iterations, uint32()), one));
        launch.mayOvershoot[form.axis] = false;
        needAtMost(
            times(convert(launch.grid[form.axis], int64(), true), convert(launch.block[form.axis], int64())),
            mostSpreadIds);
        needAtMost(times(convert(before.grid[form.axis], int64(), true), intLit(*form.iterations, int64())),
                   mostBlocks(form.axis));
        break;
      case SpreadKind::OwnAxis: {
        needOne(before.grid[form.axis]), needOne(before.block[form.axis]);
        const bool isAlone = form.axis == 0;
        if (isAlone)
          for (const unsigned axis : {1, 2}) needOne(before.block[axis]);
        launch.block[form.axis] = isAlone ? intLit(usualThreads, uint32()) : one;
        launch.grid[form.axis] = blocks(launch.block[form.axis]);
        launch.mayOvershoot[form.axis] = true;
        needAtMost(form.count, isAlone ? mostSpreadIds : mostBlocks(form.axis));
        break;
      }
      case SpreadKind::InFront: {
        needOne(before.grid[2]), needOne(before.block[2]);
        const int64_t threads =
            form.iterations ? int64_t(std::bit_ceil(uint64_t(std::clamp<int64_t>(*form.iterations, 32, 256))))
                            : int64_t(usualThreads);
        launch.block = {intLit(threads, uint32()), one, one};
        launch.grid = {blocks(launch.block[0]), threadsAlong(0), threadsAlong(1)};
        launch.mayOvershoot = {true, before.mayOvershoot[0], before.mayOvershoot[1]};
        for (const unsigned axis : {0, 1})
          needAtMost(times(convert(before.grid[axis], int64(), true), convert(before.block[axis], int64())),
                     mostBlocks(axis + 1));
        break;
      }
    }
  }
};

// The launch and its model, as far as a loop needs the block to be known.
struct Prepared {
  LaunchStep launch;
  ExprPtr condition;
  std::array<unsigned, 3> block;
  bool isFree;
};

Prepared prepared(const LaunchStep& given, const KernelPtr& kernel, PassContext& context, bool mayFix) {
  LaunchStep launch = given;
  launch.kernel = kernel;
  const bool isFree = launchAssumption(*kernel).free;
  if (isFree || !mayFix) return {launch, nullptr, fixedBlock(launch).value_or(context.block), isFree};
  FixedLaunch fixed = withFixedBlock(launch, context);
  fixed.launch.kernel = withDistinctStatements(fixed.launch.kernel);
  return {fixed.launch, fixed.condition, fixed.block, false};
}

Result<LaunchResult> spreadOne(const LaunchStep& given, const KernelPtr& kernel, size_t at,
                               const SpreadOptions& options, PassContext& context) {
  const affine::LoopId index(at);
  const StmtPtr stmt = handles(*kernel).loops[at].loop;
  const auto* node = as<For>(stmt);
  const auto count = node ? counted(*node) : std::nullopt;
  const bool isByBlock = count && isSteppedByBlock(*kernel, *count);
  const Prepared base = prepared(given, kernel, context, !isByBlock);
  const affine::KernelModel& model = context.facts.of(base.launch.kernel, base.block).model();
  if (model.kernel->body != base.launch.kernel->body)
    return unexpected("call of a function that touches memory");
  const affine::Loop& loop = model.loops[index];
  const auto form = spreadForm({base.launch, model, base.isFree, options}, index);
  if (!form) return form.refusal();
  if (Obstacle no = obstacleAround(base.launch.kernel->body, loop.stmt)) return *no;
  IndependentIterations independent(base.launch, model, context, index);
  if (Obstacle no = independent.decide(form->requirements)) return *no;
  LaunchResult made = SpreadLaunch(base.launch, *form, context).made();
  if (made.refusal) return *made.refusal;
  ExprPtr condition = base.condition;
  for (const ExprPtr& more : {form->condition, independent.condition(), made.condition})
    condition = andAlso(condition, more);
  made.condition = condition && !isTrue(condition) ? condition : nullptr;
  return made;
}

}  // namespace

LaunchResult spreadLoop(const LaunchStep& given, const SpreadOptions& options, PassContext& context) {
  LaunchStep launch = given;
  if (const auto fixed = fixedBlock(launch)) launch.kernel = withBlockDims(launch.kernel, *fixed);
  const KernelPtr kernel = withDistinctStatements(withBegunCounters(structured(launch.kernel)));
  if (const Obstacle no = obstacleToModel(*kernel)) return *no;
  if (const Obstacle no = obstacleToSpreading(*kernel, context.reassociate)) return *no;
  const std::vector<LoopHandle> loops = handles(*kernel).loops;
  std::optional<Refusal> first;
  if (options.loop) {
    const auto at = findLoop(loops, *options.loop);
    if (!at) return at.refusal();
    auto made = spreadOne(launch, kernel, *at, options, context);
    if (!made) return made.refusal();
    return *std::move(made);
  }
  for (size_t at = 0; at < loops.size(); ++at) {
    if (loops[at].parent >= 0) continue;
    auto made = spreadOne(launch, kernel, at, options, context);
    if (made) return *std::move(made);
    if (!first) first = made.refusal();
  }
  if (!first) return Refusal{"it has no loop"};
  return *first;
}

namespace {

// Whether a loop that no other one holds stores to memory in each iteration, and what is inside does so too.
unsigned storingLoops(const StmtPtr& s) {
  unsigned deepest = 0;
  forEachChild(*s, [&](const StmtPtr& child) { deepest = std::max(deepest, storingLoops(child)); });
  if (!s->is<For>()) return deepest;
  bool stores = deepest > 0;
  for (const StmtPtr& one : stmtsOf(as<For>(s)->body))
    walkStmts(one, [&](const Stmt& inner) {
      for (const ir::Access& a : accesses(inner)) {
        const VarPtr root = rootVariable(a.place);
        const bool isOwn = root && root->space == Space::Private && !root->type->isPointer();
        stores |= !isOwn && a.mode == AccessMode::Write && !isLoop(inner);
      }
    });
  return stores ? deepest + 1 : 0;
}

std::vector<Recipe> proposeThreads(const Candidate& candidate) {
  const unsigned loops = storingLoops(candidate.facts().model().kernel->body);
  if (!loops || candidate.has(spreadPass())) return {};
  std::vector<Recipe> out = {{{spreadPass()()}}};
  if (loops > 1) out.push_back({{spreadPass()(), spreadPass()()}});
  return out;
}

}  // namespace

const PassOf<SpreadOptions>& spreadPass() {
  static const PassOf<SpreadOptions> pass =
      PassOf<SpreadOptions>("spread", "Independent iterations of a loop become threads of their own.",
                            spreadLoop)
          .loop(&SpreadOptions::loop, "loop",
                "the loop by its handle (default: the first outermost one that can be)")
          .word(&SpreadOptions::axis, "axis", {"x", "y", "z"},
                "along which iterations become threads (default: as ids number them, or x where neighbours "
                "then touch neighbouring elements, or an axis that is free)",
                values({"x", "y"}))
          .proposes({Level::Prepare, 25, proposeThreads});
  return pass;
}

}  // namespace hone::passes
