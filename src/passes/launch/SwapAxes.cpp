#include "passes/launch/SwapAxes.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "passes/edit/Axes.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr uint64_t unknownTrips = 32;  // iterations that a loop counts for where nobody can say

using Shape = std::array<unsigned, 3>;

unsigned axesOf(const Kernel& kernel) {
  unsigned axes = 0;
  for (CoordKind kind : {CoordKind::ThreadIdx, CoordKind::BlockIdx, CoordKind::GlobalId})
    axes |= usedAxes(kernel.body, kind);
  return axes;
}

uint64_t tripsOf(const affine::KernelModel& model, const affine::Loop& loop) {
  const affine::Range range = model.atoms->range(affine::Poly::atom(loop.counter));
  return range.low >= 0 && range.high < 4096 ? uint64_t(range.high) + 1 : unknownTrips;
}

struct AccessCost {
  std::string handle;
  uint64_t each = 0, weight = 1;  // what one warp asks for at once; how often
};

// Sectors, or transactions by an old rule, of each access of global memory.
std::vector<AccessCost> costsOf(analysis::Facts& facts) {
  const affine::KernelModel& model = facts.model();
  const bool bySectors = analysis::MemoryRules::of(facts.target()).rule == target::CoalescingRule::Sectors;
  std::vector<AccessCost> costs;
  for (const affine::AccessId i : model.accesses.ids()) {
    const affine::Access& access = model.accesses[i];
    if (!model.isGlobal(access) || access.mode == AccessMode::Address) continue;
    const analysis::RequestCost& cost = facts.coalescing(i).cost;
    AccessCost one{access.handle, bySectors ? cost.sectors.max : cost.transactions.max};
    if (!one.each) one.each = facts.target().warpSize;
    for (affine::LoopId loop : access.loops) one.weight *= tripsOf(model, model.loops[loop]);
    costs.push_back(one);
  }
  return costs;
}

uint64_t sum(const std::vector<AccessCost>& costs) {
  uint64_t all = 0;
  for (const AccessCost& one : costs) all += one.each * one.weight;
  return all;
}

// "b#1: 32 to 4 sectors a warp" of the accesses that change.
std::string describe(const std::vector<AccessCost>& before, const std::vector<AccessCost>& after,
                     bool bySectors) {
  std::string text;
  for (size_t i = 0; i < before.size() && i < after.size(); ++i)
    if (before[i].each != after[i].each)
      text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", before[i].handle, before[i].each,
                          after[i].each);
  return text + (bySectors ? " sectors a warp" : " transactions a warp");
}

struct Exchange {
  unsigned a = 0, b = 1;
  LaunchStep launch;
  ExprPtr condition;
  std::vector<AccessCost> after;
  std::string names() const { return fmt::format("{} and {}", axisNames[a], axisNames[b]); }
};

// The launch with two axes exchanged in kernel, grid and block. A free kernel with a block in numbers keeps
// the shape of its block, where the grid may be rounded up.
Exchange exchange(const LaunchStep& launch, const KernelPtr& kernel, unsigned a, unsigned b, bool isFree) {
  Exchange made{a, b, launch, nullptr, {}};
  auto other = [&](unsigned axis) { return axis == a ? b : axis == b ? a : axis; };
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = mapCoords(kernel->body, [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
    if (c.axis != a && c.axis != b) return nullptr;
    if (c.kind == CoordKind::WarpSize || c.kind == CoordKind::WorkDim) return nullptr;
    return makeExpr(e->type, Coord{c.kind, uint8_t(other(c.axis))}, e->loc);
  });
  made.launch.kernel = copy;
  const unsigned usesGrid =
      usedAxes(kernel->body, CoordKind::GridDim) | usedAxes(kernel->body, CoordKind::GlobalSize);
  const auto block = fixedBlock(launch);
  const bool keepsShape = isFree && block && (*block)[a] != (*block)[b] && launch.mayOvershoot[a] &&
                          launch.mayOvershoot[b] && !(usesGrid & (1u << a | 1u << b));
  for (unsigned axis : {a, b}) {
    const unsigned from = other(axis);
    made.launch.mayOvershoot[axis] = launch.mayOvershoot[from];
    if (keepsShape) {
      made.launch.grid[axis] = HONE_SEED(
          SwapAxesGridRoundedDown, ceilDiv(times(launch.grid[from], launch.block[from]), launch.block[axis]),
          over(times(launch.grid[from], launch.block[from]), launch.block[axis]));
    } else {
      made.launch.grid[axis] = launch.grid[from];
      made.launch.block[axis] = launch.block[from];
    }
  }
  if (const auto shape = fixedBlock(made.launch)) std::ignore = setBlock(*copy, *shape, true);
  return made;
}

// What must hold for the new grid and block to be legal where the old ones were.
ExprPtr withinLimits(const Exchange& made, const LaunchStep& old, const target::Target& target) {
  ExprPtr condition;
  for (const auto& [axis, from] : {std::pair(made.a, made.b), std::pair(made.b, made.a)}) {
    auto limit = [&](const ExprPtr& value, uint64_t most) {
      if (constantValue(value) || most >= INT32_MAX) return;
      condition = andAlso(condition, binary(BinaryOp::Le, value, intLit(int64_t(most), value->type)));
    };
    const bool isSwapped = made.launch.grid[axis] == old.grid[from];
    if (!isSwapped || target.maxGrid[axis] < target.maxGrid[from])
      limit(made.launch.grid[axis], target.maxGrid[axis]);
    if (made.launch.block[axis] == old.block[from] && target.maxBlock[axis] < target.maxBlock[from])
      limit(made.launch.block[axis], target.maxBlock[axis]);
  }
  return condition;
}

// Every launch of a plan has the original's global offset, so that two axes may change places where theirs
// are equal.
ExprPtr equalOffsets(const Kernel& kernel, unsigned a, unsigned b) {
  const unsigned used =
      usedAxes(kernel.body, CoordKind::GlobalId) | usedAxes(kernel.body, CoordKind::GlobalOffset);
  if (kernel.language != Language::OpenCL || !(used & (1u << a | 1u << b))) return nullptr;
  return binary(BinaryOp::Eq, coord(CoordKind::GlobalOffset, a, uint64()),
                coord(CoordKind::GlobalOffset, b, uint64()));
}

std::optional<std::pair<unsigned, unsigned>> parseAxes(const std::string& text) {
  if (text == "xy") return std::pair(0u, 1u);
  if (text == "xz") return std::pair(0u, 2u);
  if (text == "yz") return std::pair(1u, 2u);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> axesToSwap(const LaunchStep& launch) {
  const Result<KernelPtr> kernel = withCoordsInBody(launch.kernel);
  const unsigned axes = kernel ? axesOf(**kernel) : 0;
  std::vector<std::string> pairs;
  for (const char* text : {"xy", "xz", "yz"}) {
    const auto [a, b] = *parseAxes(text);
    if ((axes >> a & 1) && (axes >> b & 1)) pairs.emplace_back(text);
  }
  return pairs;
}

LaunchResult swapAxes(const LaunchStep& launch, const SwapAxesOptions& options, PassContext& context) {
  const Kernel& old = *launch.kernel;

  // 1. Decide: which axes, whether threads may change places, what it gains.
  std::vector<std::string> pairs = axesToSwap(launch);
  if (options.axes) {
    const std::string wanted = std::array{"xy", "xz", "yz"}[static_cast<size_t>(*options.axes)];
    if (std::find(pairs.begin(), pairs.end(), wanted) == pairs.end())
      return Refusal{fmt::format("the kernel does not use both axes of {}", wanted)};
    pairs = {wanted};
  }
  const Result<KernelPtr> inlined = withCoordsInBody(launch.kernel);
  if (!inlined) return inlined.refusal();
  KernelPtr kernel = *inlined;
  if (const auto numbers = fixedBlock(launch)) kernel = withBlockDims(kernel, *numbers);
  if (pairs.empty()) return Refusal{"the kernel uses one axis of its grid only"};
  if (old.requiredBlock) return Refusal{"the block shape is required by an attribute"};
  if (usedAxes(kernel->body, CoordKind::WorkDim)) return Refusal{"get_work_dim() is used"};
  if (const Obstacle no = obstacleToOtherWarps(*kernel)) return *no;
  if (const Obstacle no = obstacleToOtherOrder(*kernel, context.reassociate)) return *no;

  const Shape block = fixedBlock(launch).value_or(context.block);
  analysis::Facts& before = context.facts.of(kernel, block);
  const bool isFree = launchAssumption(*kernel).free;
  const std::vector<AccessCost> costs = costsOf(before);
  std::optional<Exchange> best;
  for (const std::string& pair : pairs) {
    const auto [a, b] = *parseAxes(pair);
    Exchange made = exchange(launch, kernel, a, b, isFree);
    Shape shape = block;
    if (!(fixedBlock(made.launch) && *fixedBlock(made.launch) == block)) std::swap(shape[a], shape[b]);
    if (shape[2] > context.target.maxBlock[2]) continue;
    made.condition = withinLimits(made, launch, context.target);
    if (const ExprPtr equal = equalOffsets(*kernel, a, b)) made.condition = andAlso(equal, made.condition);
    made.after = costsOf(context.facts.of(made.launch.kernel, shape));
    if (sum(made.after) < (best ? sum(best->after) : sum(costs))) best = std::move(made);
  }
  if (!best)
    return Refusal{
        fmt::format("no access gains by an exchange of {}",
                    pairs.size() == 1 ? fmt::format("{} and {}", pairs[0][0], pairs[0][1]) : "axes")};

  // Asked last: it takes longest.
  for (const int pair : before.barriers().missing) {
    const analysis::CrossThread& meeting = before.barriers().pairs[pair];
    const affine::Access& access = before.model().accesses[meeting.from];
    if (access.array.isSome() && before.model().arrays[access.array].space == Space::Shared)
      return Refusal{fmt::format("threads may rely on sharing a warp: {}",
                                 before.barriers().str(before.model(), meeting)),
                     access.loc};
  }

  // 2. Rewrite: the kernel is made already; say so above it.
  const bool bySectors = analysis::MemoryRules::of(context.target).rule == target::CoalescingRule::Sectors;
  const std::string gain = describe(costs, best->after, bySectors);
  auto made = std::make_shared<Kernel>(*best->launch.kernel);
  StmtList body = as<Block>(made->body)->stmts;
  body.insert(
      body.begin(),
      makeStmt(Comment{fmt::format(
          "{} have changed places: neighbouring threads now touch neighbouring elements.", best->names())}));
  made->body = ir::block(std::move(body), made->body->loc);
  made->story.push_back(
      fmt::format("{} changed places, in the grid and the block as well: {}.", best->names(), gain));
  best->launch.kernel = made;
  LaunchResult result{best->launch, best->condition, {}};
  result.remarks.push_back(
      {RemarkKind::Done, old.loc, old.name, fmt::format("exchanged {}: {}", best->names(), gain)});
  return result;
}

namespace {

std::vector<Recipe> proposeExchange(const Candidate& candidate) {
  if (candidate.usedAxisCount() < 2) return {};
  return {{{swapAxesPass()()}}};
}

}  // namespace

const PassOf<SwapAxesOptions>& swapAxesPass() {
  static const PassOf<SwapAxesOptions> pass =
      PassOf<SwapAxesOptions>("swap-axes",
                              "Two axes change places in the kernel, the grid and the block, where "
                              "neighbouring threads then touch neighbouring elements.",
                              swapAxes)
          .with({.keepsAccesses = true})
          .word(&SwapAxesOptions::axes, "axes", {"xy", "xz", "yz"},
                "xy, xz or yz; without it the pair that gains most",
                valuesFrom([](const LaunchStep& launch, PassContext&) { return axesToSwap(launch); }))
          .proposes({Level::Prepare, 40, proposeExchange});
  return pass;
}

}  // namespace hone::passes
