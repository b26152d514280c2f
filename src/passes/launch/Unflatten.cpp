#include "passes/launch/Unflatten.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "ir/Walk.h"
#include "passes/edit/Axes.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/OneValue.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/launch/IdAxes.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t mostIds = 0x7ff00000;  // ids of 32 bits stay far from wrapping
constexpr uint64_t shortRow = 16;        // rows of a known number below that leave lanes of a warp idle

// Sees each largest expression below that is a digit of the id.
void forEachDigit(const StmtPtr& body, const FlatIds& flat, const std::function<void(const Digit&)>& fn) {
  class Digits : public Walker {
   public:
    Digits(const FlatIds& flatIds, const std::function<void(const Digit&)>& visit)
        : flat(flatIds), see(visit) {}

   private:
    const FlatIds& flat;
    const std::function<void(const Digit&)>& see;
    bool enter(const Expr& e) override {
      const auto digit = flat.digitOf(makeExpr(e.type, e.node, e.loc));
      if (digit) see(*digit);
      return !digit;
    }
  };
  Digits(flat, fn).walk(body);
}

bool touchesMemory(const ExprPtr& e) {
  bool found = false;
  walkExprs(e, [&](const Expr& x) { found = found || x.is<Subscript>() || x.is<Call>(); });
  return found;
}

// What ids must be below for their threads to do anything.
struct IdGuard {
  ExprPtr bound;  // in the kernel, over its parameters; null: nothing is known
  std::optional<Extent> extent;
  bool isFirst = true;  // no memory is touched before it is tested
};

IdGuard guardOf(const FlatIds& flat, const StmtPtr& body) {
  const If* only = nullptr;
  IdGuard guard;
  for (const StmtPtr& s : stmtsOf(body)) {
    if (s->is<Comment>()) continue;
    const auto* d = as<Declare>(s);
    if (d && (!d->init || isPure(d->init))) {
      if (d->init && touchesMemory(d->init)) guard.isFirst = false;
      continue;
    }
    if (only || !s->is<If>() || as<If>(s)->otherwise) return {};
    only = as<If>(s);
  }
  if (!only) return {};
  for (const ExprPtr& part : conjuncts(only->cond)) {
    if (const ExprPtr bound = flat.boundIn(part)) {
      guard.bound = bound;
      guard.extent = flat.extentOf(bound);
      return guard;
    }
    if (touchesMemory(part)) guard.isFirst = false;
  }
  return {};
}

// Why ids of the kernel cannot be given other axes.
Obstacle obstacleToAxes(const Kernel& kernel, bool reassociate) {
  for (const CoordKind kind : {CoordKind::GridDim, CoordKind::GlobalSize})
    if (usedAxes(kernel.body, kind))
      return Refusal{"it uses the size of its grid, as threads do that walk over several elements"};
  for (const CoordKind kind :
       {CoordKind::ThreadIdx, CoordKind::BlockIdx, CoordKind::BlockDim, CoordKind::GlobalId})
    if (usedAxes(kernel.body, kind) & ~1u) return Refusal{"it uses further axes of its grid than x"};
  if (const Obstacle no = obstacleToOtherIds(kernel)) return no;
  if (const Obstacle no = obstacleToOtherWarps(kernel)) return no;
  return obstacleToOtherOrder(kernel, reassociate);
}

// The type in which the kernel has its flat id.
TypePtr idTypeOf(const Kernel& kernel, const FlatIds& flat) {
  TypePtr type;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (type || !d || !d->init || !d->var->type->is(TypeKind::Int)) return;
    if (const auto digit = flat.digitOf(d->init); digit && digit->isId() && d->var->type->bits >= 32)
      type = d->var->type;
  });
  return type ? type : coordOf(kernel, CoordKind::ThreadIdx, 0)->type;
}

struct AxesChoice {
  IdAxes axes;
  StmtPtr body;
  uint64_t cost = 0;
};

// Steps that the axes of a grid may have, those of fewer factors first.
std::vector<Extent> possibleSteps(const StmtPtr& body, const FlatIds& flat) {
  std::vector<Extent> steps;
  auto isBefore = [](const Extent& a, const Extent& b) {
    return std::pair(a.factors.size(), a.number) < std::pair(b.factors.size(), b.number);
  };
  auto add = [&](const std::optional<Extent>& step) {
    if (step && !step->isOne() && std::find(steps.begin(), steps.end(), *step) == steps.end())
      steps.insert(std::upper_bound(steps.begin(), steps.end(), *step, isBefore), *step);
  };
  forEachDigit(body, flat, [&](const Digit& digit) {
    add(digit.over);
    if (digit.below) add(product(digit.over, *digit.below));
  });
  return steps;
}

class AxesChooser {
 public:
  // Axes may take the names of the `named` variables.
  AxesChooser(const Kernel& withIds, const FlatIds& flatIds, const IdGuard& itsGuard,
              const std::set<const Variable*>& named)
      : kernel(withIds), flat(flatIds), guard(itsGuard), mayName(named), type(idTypeOf(withIds, flatIds)) {}

  Result<AxesChoice> best(const std::optional<int64_t>& levels) {
    const std::vector<Extent> steps = possibleSteps(kernel.body, flat);
    if (steps.empty())
      return Refusal{"no id is taken apart by divisions of which the host knows the divisor"};
    for (const Extent& first : steps) {
      if (levels.value_or(1) == 1) consider({Extent{}, first});
      for (const Extent& second : steps)
        if (levels.value_or(2) == 2 && !(first == second) && quotient(second, first))
          consider({Extent{}, first, second});
    }
    if (found) return *found;
    if (skipped) return Refusal{fmt::format("its rows are of {} elements, too short for warps", skipped)};
    if (levels == 2) return Refusal{"its ids have one level alone"};
    return Refusal{"all of its ids are one row"};
  }

 private:
  const Kernel& kernel;
  const FlatIds& flat;
  const IdGuard& guard;
  const std::set<const Variable*>& mayName;
  TypePtr type;
  std::optional<AxesChoice> found;
  uint64_t skipped = 0;

  void consider(std::vector<Extent> steps) {
    if (steps[1].factors.empty() && steps[1].number < shortRow) {
      skipped = steps[1].number;
      return;
    }
    if (guard.extent && *guard.extent == steps.back()) return;  // one row is all there is
    AxesChoice choice;
    choice.axes.type = type;
    if (guard.extent && quotient(*guard.extent, steps.back())) choice.axes.whole = guard.extent;
    choice.axes.steps = std::move(steps);
    Names names(kernel);
    static constexpr std::array words = {"column", "row", "plane"};
    for (size_t axis = 0; axis < choice.axes.steps.size(); ++axis)
      choice.axes.ids.push_back(makeLocal(names, words[axis], type));
    choice.body = withAxes(kernel.body, flat, choice.axes, mayName);
    choice.cost = divisionCost(choice.body);
    auto rank = [](const AxesChoice& c) {
      return std::tuple(c.cost, !c.axes.whole.has_value(), c.axes.steps.size());
    };
    if (!found || rank(choice) < rank(*found)) found = std::move(choice);
  }
};

// Threads of a block along x and y.
std::array<unsigned, 2> shapeFor(const IdAxes& axes, unsigned threads, const UnflattenOptions& options) {
  const unsigned all = std::bit_floor(std::clamp(threads, 64u, 1024u));
  auto numberOf = [&](size_t axis) -> uint64_t {
    const auto extent = axes.extentOf(axis);
    return extent && extent->factors.empty() ? extent->number : 0;
  };
  // Of a known length: as wide as leaves fewest threads without an element; else a warp.
  unsigned x = 32;
  if (const uint64_t columns = numberOf(0)) {
    uint64_t fewest = UINT64_MAX;
    for (unsigned width = all; width >= 8; width /= 2) {
      const uint64_t used = (columns + width - 1) / width * width;
      if (used < fewest) fewest = used, x = width;
    }
  }
  x = static_cast<unsigned>(options.x.value_or(x));
  unsigned y = std::max(1u, all / x);
  if (const uint64_t rows = numberOf(1)) y = unsigned(std::min<uint64_t>(y, std::bit_ceil(rows)));
  return {x, static_cast<unsigned>(options.y.value_or(y))};
}

class UnflattenedLaunch {
 public:
  UnflattenedLaunch(const LaunchStep& before, const KernelPtr& withIds, const IdAxes& itsAxes)
      : launch(before), axes(itsAxes) {
    launch.kernel = withIds;
  }

  // Grid and block, and what must hold for them to have the threads that the original has.
  ExprPtr settle(const IdGuard& guard, const std::vector<Extent>& divisors, std::array<unsigned, 3> shape,
                 const PassContext& context) {
    const size_t last = axes.steps.size() - 1;
    const ExprPtr threads = threadsBefore();
    for (const unsigned axis : {1, 2})
      for (const ExprPtr& extent : {launch.grid[axis], launch.block[axis]})
        need(simplified(binary(BinaryOp::Eq, extent, intLit(1, uint32()))));
    if (launch.kernel->language == Language::OpenCL)
      for (unsigned axis = 0; axis <= last; ++axis)
        need(binary(BinaryOp::Eq, coord(CoordKind::GlobalOffset, axis, uint64()), intLit(0, uint64())));
    for (const Extent& divisor : divisors) needPositive(divisor);
    for (const Extent& divisor : divisors)
      if (!axes.whole || !quotient(*axes.whole, divisor))
        need(binary(BinaryOp::Le, valueOf(divisor, int64()), intLit(mostIds, int64())));
    if (axes.whole) {
      needPositive(*axes.whole);
      const ExprPtr covered = binary(BinaryOp::Le, valueOf(*axes.whole, int64()), threads);
      need(HONE_SEED(UnflattenCoverUnchecked, covered, boolLit(true)));
      need(binary(BinaryOp::Le, threads, intLit(mostIds, int64())));
    } else {
      // The last row may have ids that the original has no threads for.
      const auto more = product(axes.steps[last], Extent{shape[last] + 1});
      const ExprPtr further = more ? valueOf(*more, int64()) : intLit(mostIds + 1, int64());
      need(binary(BinaryOp::Le, plus(threads, further), intLit(mostIds, int64())));
      if (guard.bound) need(binary(BinaryOp::Le, convert(onHostOf(guard.bound), int64()), threads));
    }
    const LaunchStep before = launch;
    for (size_t axis = 0; axis < 3; ++axis) {
      const ExprPtr threadsThere = intLit(shape[axis], uint32());
      ExprPtr count = intLit(1, uint32());
      if (const auto extent = axis <= last ? axes.extentOf(axis) : std::nullopt)
        count = valueOf(*extent, uint32());
      else if (axis == last)
        count = ceilDiv(convert(times(before.grid[0], before.block[0]), uint32()),
                        valueOf(axes.steps[last], uint32()));
      launch.grid[axis] = HONE_SEED(UnflattenGridRoundedDown, ceilDiv(count, threadsThere),
                                    axis == 1 ? over(count, threadsThere) : ceilDiv(count, threadsThere));
      launch.block[axis] = threadsThere;
      if (axis > 0)
        need(simplified(binary(BinaryOp::Le, launch.grid[axis],
                               intLit(int64_t(context.target.maxGrid[axis]), uint32()))));
      launch.mayOvershoot[axis] = axis <= last && needsTest(axis, shape[axis]);
    }
    return condition;
  }

  // Whether some threads along an axis are past its end.
  bool needsTest(size_t axis, unsigned threads) const {
    const auto extent = axes.extentOf(axis);
    return extent && (!extent->factors.empty() || extent->number % threads != 0);
  }

  LaunchStep launch;

 private:
  const IdAxes& axes;
  ExprPtr condition;
  std::vector<ExprPtr> positive;  // that are tested already

  ExprPtr threadsBefore() const { return times(convert(launch.grid[0], int64(), true), launch.block[0]); }

  void need(const ExprPtr& test) {
    for (const ExprPtr& known : conjuncts(condition))
      if (equal(known, test)) return;
    condition = andAlso(condition, test);
  }

  ExprPtr onHostOf(const ExprPtr& e) const { return onHost(launch, e).value; }

  ExprPtr valueOf(const Extent& extent, const TypePtr& type) const {
    ExprPtr all;
    for (const ExprPtr& factor : extent.factors) {
      const ExprPtr one = convert(onHostOf(factor), type);
      all = all ? times(all, one) : one;
    }
    const ExprPtr number = intLit(static_cast<int64_t>(extent.number), type);
    return all ? times(all, number) : number;
  }

  void needPositive(const Extent& extent) {
    for (const ExprPtr& factor : extent.factors) {
      if (std::any_of(positive.begin(), positive.end(), [&](const ExprPtr& e) { return equal(e, factor); }))
        continue;
      positive.push_back(factor);
      const ExprPtr value = onHostOf(factor);
      need(binary(BinaryOp::Gt, value, intLit(0, value->type)));
    }
  }
};

std::string textOf(const Extent& extent) {
  // As arithmetic of parameters is written; parts that are more than names are left to the code.
  std::string text;
  for (const ExprPtr& factor : extent.factors) {
    const auto* var = as<VarRef>(withoutCasts(factor));
    text += (text.empty() ? "" : " * ") + (var ? var->var->name : std::string("(…)"));
  }
  if (extent.number > 1 || text.empty()) text += (text.empty() ? "" : " * ") + std::to_string(extent.number);
  return text;
}

// The body behind the ids of the axes and the tests of their ends.
StmtPtr withIds(const Kernel& kernel, const AxesChoice& choice, const UnflattenedLaunch& made,
                const std::array<unsigned, 3>& shape, const ExprPtr& further) {
  const IdAxes& axes = choice.axes;
  StmtList stmts;
  stmts.push_back(makeStmt(Comment{fmt::format(
      "Rows of {} ids each are an axis of the grid, so that no thread has to divide to find its place.",
      textOf(axes.steps[1]))}));
  ExprPtr inside;
  for (unsigned axis = 0; axis < axes.steps.size(); ++axis) {
    ExprPtr id = coordOf(kernel, CoordKind::GlobalId, axis);
    if (kernel.language != Language::OpenCL)
      id = plus(times(coordOf(kernel, CoordKind::BlockIdx, axis), coordOf(kernel, CoordKind::BlockDim, axis)),
                coordOf(kernel, CoordKind::ThreadIdx, axis));
    stmts.push_back(makeStmt(Declare{axes.ids[axis], convert(id, axes.type)}));
    if (!made.needsTest(axis, shape[axis])) continue;
    const ExprPtr end = written(*axes.extentOf(axis), axes.type);
    inside = andAlso(inside, HONE_SEED(UnflattenEndOffByOne, binary(BinaryOp::Lt, ref(axes.ids[axis]), end),
                                       binary(BinaryOp::Le, ref(axes.ids[axis]), end)));
  }
  inside = andAlso(inside, further);
  if (inside && !isTrue(inside))
    stmts.push_back(makeStmt(If{inside, choice.body, nullptr}, kernel.body->loc));
  else
    for (const StmtPtr& s : stmtsOf(choice.body)) stmts.push_back(s);
  return block(std::move(stmts), kernel.body->loc);
}

}  // namespace

LaunchResult unflatten(const LaunchStep& given, const UnflattenOptions& options, PassContext& context) {
  // 1. Decide: which levels of the id become axes.
  LaunchStep launch = given;
  if (options.levels.value_or(1) > 2) return Refusal{"a grid has three axes: two levels at most"};
  const auto fixed = fixedBlock(launch);
  if (fixed) launch.kernel = withBlockDims(launch.kernel, *fixed);
  const LaunchAssumption assumption = launchAssumption(*launch.kernel);
  if (!assumption.free)
    return Refusal{fmt::format("its ids are not all it knows of its place: {}", assumption.reason)};
  launch.kernel = withDistinctStatements(structured(launch.kernel));
  if (const Obstacle no = obstacleToAxes(*launch.kernel, context.reassociate)) return *no;

  auto kernel = std::make_shared<Kernel>(*launch.kernel);
  std::set<const Variable*> named = declaredVariables(kernel->body);
  for (const Variable* var : assignedVariables(kernel->body)) named.erase(var);
  constexpr unsigned mostVariables = 8;  // of which one is declared as a digit of another
  for (unsigned i = 0; i < mostVariables; ++i) {
    const FlatIds flat(launch);
    const StmtPtr body =
        withOneValueEach(*kernel, [&](const ExprPtr& value) { return flat.digitOf(value).has_value(); });
    if (body == kernel->body) break;
    kernel = std::make_shared<Kernel>(*kernel);
    kernel->body = body;
    launch.kernel = withDistinctStatements(kernel);
    kernel = std::make_shared<Kernel>(*launch.kernel);
  }
  const FlatIds flat(launch);
  IdGuard guard = guardOf(flat, kernel->body);
  const Result<AxesChoice> best = AxesChooser(*kernel, flat, guard, named).best(options.levels);
  if (!best) return best.refusal();
  const AxesChoice& choice = *best;
  const IdAxes& axes = choice.axes;
  bool isLost = false;
  walkExprs(choice.body, [&](const Expr& e) { isLost = isLost || e.is<Coord>(); });
  if (isLost) return Refusal{"a coordinate is used in another way than as the flat id"};

  // 2. Grid, block and what they rely on.
  const std::array<unsigned, 3> had = fixed.value_or(context.block);
  const auto [x, y] = shapeFor(axes, had[0] * had[1] * had[2], options);
  const std::array<unsigned, 3> shape{x, y, 1};
  std::vector<Extent> divisors(axes.steps.begin() + 1, axes.steps.end());
  forEachDigit(kernel->body, flat, [&](const Digit& digit) {
    divisors.push_back(digit.over);
    if (digit.below) divisors.push_back(*digit.below);
  });
  std::vector<Extent> once;
  for (const Extent& divisor : divisors)
    if (!divisor.factors.empty() && std::find(once.begin(), once.end(), divisor) == once.end())
      once.push_back(divisor);
  if (!guard.isFirst && !axes.whole) guard.bound = nullptr;
  UnflattenedLaunch made(launch, launch.kernel, axes);
  LaunchResult result{launch, made.settle(guard, once, shape, context)};
  result.launch = made.launch;

  // 3. Rewrite.
  ExprPtr further;
  if (!axes.whole && !guard.bound) {
    Names names(*kernel);
    const VarPtr threads = makeParameter(names, "threads", axes.type);
    kernel->params.push_back(threads);
    result.launch->args.push_back(
        convert(times(convert(launch.grid[0], int64(), true), launch.block[0]), axes.type, true));
    further = HONE_SEED(UnflattenThreadsForgotten, binary(BinaryOp::Lt, axes.of(Digit{}), ref(threads)),
                        boolLit(true));
  }
  kernel->body = withIds(*kernel, choice, made, shape, further);
  kernel->launchBounds.reset();
  std::string names;
  for (size_t axis = 0; axis < axes.ids.size(); ++axis)
    names += (axis == 0 ? "" : axis + 1 == axes.ids.size() ? " and " : ", ") + axes.ids[axis]->name;
  kernel->story.push_back(
      fmt::format("{} are axes of the grid, where they were divided out of one id.", names));
  result.launch->kernel = kernel;
  dropUnusedParameters(*kernel, *result.launch);
  result.remarks.push_back(
      {RemarkKind::Done, given.kernel->loc, given.kernel->name,
       fmt::format("rows of {} ids became an axis of the grid, in blocks of {}x{} threads",
                   textOf(axes.steps[1]), x, y)});
  return result;
}

namespace {

// Whether a whole number is divided by what is no small one.
bool dividesIntegers(const StmtPtr& body) {
  bool found = false;
  walkExprs(body, [&](const Expr& e) {
    const auto* b = e.as<Binary>();
    found = found || (b && e.type->is(TypeKind::Int) && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem) &&
                      constantValue(b->rhs).value_or(shortRow) >= int64_t(shortRow));
  });
  return found;
}

std::vector<Recipe> proposeAxes(const Candidate& candidate) {
  if (candidate.usedAxisCount() != 1 || !candidate.isBlockFree()) return {};
  if (!dividesIntegers(candidate.facts().kernel()->body)) return {};
  return {{{unflattenPass()()}}};
}

}  // namespace

const PassOf<UnflattenOptions>& unflattenPass() {
  static const PassOf<UnflattenOptions> pass =
      PassOf<UnflattenOptions>("unflatten",
                               "Ids that threads take apart by division become axes of the grid.", unflatten)
          .number(&UnflattenOptions::x, "x",
                  "threads of a block along the rows (default: a warp, or what suits rows of a known length)",
                  values({32, 64, 128, 256}))
          .number(&UnflattenOptions::y, "y", "rows of a block (default: as many threads as it had)",
                  values({1, 2, 4, 8}))
          .number(&UnflattenOptions::levels, "levels",
                  "axes that are divided off, 1 or 2 (default: what saves most divisions)", values({1, 2}))
          .with({.keepsAccesses = true})
          .proposes({Level::Prepare, 30, proposeAxes});
  return pass;
}

}  // namespace hone::passes
