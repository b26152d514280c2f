#include "passes/merge/MergeThreads.h"

#include <fmt/core.h>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Axes.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DropImplied.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/launch/FixBlock.h"
#include "passes/merge/MergeGrid.h"
#include "passes/merge/Replicate.h"
#include "target/CoalescingRules.h"

namespace hone::passes {

using namespace ir;

namespace {

// Coordinates of a thread of the original by those of the thread that does its work.
class NewCoordinates : public Rewriter {
 public:
  CoordKind merged;  // that is made of the new one and the replica's number
  Replicas replicas;
  std::array<ConstantRole, 3> per;  // constants
  bool adjacent = true;             // replica r of thread t is t * count + r, else t + r * stride
  std::array<ExprPtr, 3> stride;
  // Where set, replicas lie in groups of `run` neighbours: r of thread t is t * run + r + r / run * skip.
  std::array<ExprPtr, 3> run, skip;

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = ir::as<Coord>(e);
    if (const auto* sum = ir::as<Binary>(e)) return flattened(e, *sum);
    if (!c || c->axis > 2 || c->kind != merged || !replicas.number[c->axis]) return e;
    const unsigned axis = c->axis;
    const TypePtr& type = e->type;
    ExprPtr number = convert(ref(replicas.number[axis]), type);
    const ExprPtr distance = HONE_SEED(MergeSwappedStride, stride[axis], intLit(replicas.count[axis]));
    if (!adjacent) return plus(e, convert(times(ref(replicas.number[axis]), distance), type));
    if (run[axis]) {
      const ExprPtr beyond =
          times(makeExpr(int32(), Binary{BinaryOp::Div, ref(replicas.number[axis]), run[axis]}), skip[axis]);
      return plus(plus(times(e, convert(run[axis], type)), number), convert(beyond, type));
    }
    const unsigned count = HONE_SEED(MergeReplicasOverlap, replicas.count[axis], replicas.count[axis] - 1);
    return plus(times(e, convert(named(count, per[axis]), type)), number);
  }

 private:
  // a + (thread + r) without the parentheses, which unsigned numbers do not need.
  ExprPtr flattened(const ExprPtr& e, const Binary& sum) const {
    const auto* inner = ir::as<Binary>(sum.rhs);
    if (sum.op != BinaryOp::Add || !inner || inner->op != BinaryOp::Add || !beginsWithThread(inner->lhs) ||
        !e->type->is(TypeKind::Int) || e->type->isSigned)
      return e;
    ExprPtr first = makeExpr(e->type, Binary{BinaryOp::Add, sum.lhs, inner->lhs}, e->loc);
    first = flattened(first, *ir::as<Binary>(first));
    return makeExpr(e->type, Binary{BinaryOp::Add, first, inner->rhs}, e->loc);
  }
  bool beginsWithThread(const ExprPtr& e) const {
    if (const auto* thread = ir::as<Coord>(e)) return thread->kind == merged;
    const auto* op = ir::as<Binary>(e);
    return op && (op->op == BinaryOp::Mul || op->op == BinaryOp::Add) && beginsWithThread(op->lhs);
  }
};

std::string shapeText(const std::array<unsigned, 3>& count) {
  if (count[2] > 1) return fmt::format("{}x{}x{}", count[0], count[1], count[2]);
  return count[1] > 1 ? fmt::format("{}x{}", count[0], count[1]) : fmt::format("{}", count[0]);
}

}  // namespace

LaunchResult mergeThreads(const LaunchStep& launch, const MergeThreadsOptions& options,
                          PassContext& context) {
  const Kernel& before = *launch.kernel;
  const MergedThreads how = options.how.value_or(MergedThreads::Blocks);
  const bool ofBlocks = how == MergedThreads::Blocks;
  const std::array<unsigned, 3> count{static_cast<unsigned>(options.x.value_or(1)),
                                      static_cast<unsigned>(options.y.value_or(1)),
                                      static_cast<unsigned>(options.z.value_or(1))};
  const unsigned total = count[0] * count[1] * count[2];
  const auto run = static_cast<unsigned>(options.run.value_or(4));
  if (how != MergedThreads::Groups && options.run) return Refusal{"run is for how=groups"};

  // 1. Decide: nothing may depend on who shares a warp, and the block must divide.
  if (total == 1) return Refusal{"merge-threads needs x, y or z above 1"};
  if (total > 1024) return Refusal{fmt::format("{} threads in one would need far too many registers", total)};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (ofBlocks && count[axis] > 1 && constantValue(launch.grid[axis]) == std::optional<int64_t>(1))
      return Refusal{fmt::format("the grid has one block along {}", axisNames[axis])};
  if (const Obstacle no = obstacleToMerging(before, context.reassociate)) return *no;
  FixedLaunch fixed{launch, {}, nullptr};
  if (ofBlocks) {
    fixed.launch.kernel = withSplitIds(structured(launch.kernel));
  } else {
    fixed = withFixedBlock(launch, context);
    for (unsigned axis = 0; axis < 3; ++axis)
      if (fixed.block[axis] % count[axis])
        return Refusal{fmt::format("blocks have {} threads along {}, which {} does not divide",
                                   fixed.block[axis], axisNames[axis], count[axis])};
  }
  if (const Obstacle no = obstacleToOtherIds(*fixed.launch.kernel)) return *no;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (how == MergedThreads::Groups && count[axis] > run && count[axis] % run)
      return Refusal{
          fmt::format("{} threads along {} do not make groups of {}", count[axis], axisNames[axis], run)};

  // 2. Rewrite the coordinates.
  auto kernel = std::make_shared<Kernel>(*fixed.launch.kernel);
  Names names(*kernel);
  NewCoordinates coordinates;
  coordinates.merged = ofBlocks ? CoordKind::BlockIdx : CoordKind::ThreadIdx;
  coordinates.adjacent = how != MergedThreads::Strided;
  Replicas& replicas = coordinates.replicas;
  replicas.count = count;
  replicas.ownShared = ofBlocks;
  LaunchStep made = fixed.launch;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (count[axis] == 1) continue;
    replicas.number[axis] = makeLocal(names, std::string("r") + axisNames[axis], int32());
    coordinates.per[axis] =
        addConstant(*kernel, {RoleKind::MergeFactor, uint8_t(axis)}, count[axis],
                    fmt::format("threads of the original in one thread, along {}", axisNames[axis]));
    if (ofBlocks) continue;
    // The numbers of the block before stay what they are under a new name.
    const unsigned threads = fixed.block[axis] / count[axis];
    const ConstantRole old = blockExtent(axis);
    for (NamedConstant& constant : kernel->constants) {
      if (constant.role != old || constant.value != fixed.block[axis]) continue;
      constant.role = freshRole(*kernel, {RoleKind::OriginalExtent, uint8_t(axis)});
      constant.comment = fmt::format("threads of the original in a block, along {}", axisNames[axis]);
      kernel->body = changedRole(kernel->body, old, constant.role);
    }
    if (!coordinates.adjacent) {
      const ConstantRole role =
          addConstant(*kernel, old, threads, fmt::format("threads of a block along {}", axisNames[axis]));
      coordinates.stride[axis] = named(threads, role);
    }
    if (how == MergedThreads::Groups && count[axis] > run) {
      const ConstantRole length =
          addConstant(*kernel, {RoleKind::RunLength}, run, "neighbours among the threads in one");
      const ConstantRole skip =
          addConstant(*kernel, {RoleKind::RunSkip, uint8_t(axis)}, uint64_t(threads) * run - run,
                      fmt::format("from the end of such neighbours to the next, along {}", axisNames[axis]));
      coordinates.run[axis] = named(run, length);
      coordinates.skip[axis] = named(threads * run - run, skip);
    }
    made.block[axis] = intLit(threads, uint32());
  }
  MergedGrid grid;
  ExprPtr condition = fixed.condition;
  auto attempt = [&](bool guarded) {
    auto copy = std::make_shared<Kernel>(*kernel);
    made.args = fixed.launch.args;
    grid = {};
    if (ofBlocks) grid = mergeGrid(*copy, made, fixed.launch, replicas.count, guarded);
    NewCoordinates now = coordinates;
    copy->body = now.rewriteBlock(copy->body);
    for (ExprPtr& exists : grid.exists) exists = now.rewrite(exists);
    Result<Replicated> out = replicate(*copy, replicas, grid.exists, coordinates.per);
    if (out) copy->body = out->body;
    made.kernel = copy;
    return out;
  };
  Result<Replicated> replicated = attempt(true);
  if (!replicated && grid.guards) replicated = attempt(false);
  if (!replicated) return replicated.refusal();

  const uint64_t bytes = analysis::declaredMemory(*made.kernel).staticShared;
  if (bytes > context.target.sharedPerBlock && bytes > analysis::declaredMemory(before).staticShared)
    return Refusal{fmt::format("copies for the merged blocks need {} bytes of shared memory; {}", bytes,
                               target::sharedLimitText(context.target))};

  // 3. Tell.
  auto done = std::make_shared<Kernel>(*made.kernel);
  done->body = withoutImplied(done->body);
  std::string shared;
  for (const std::string& array : replicated->loadedOnce) shared += (shared.empty() ? "" : ", ") + array;
  std::string text =
      fmt::format("merged {} threads {} into one", shapeText(count),
                  ofBlocks                        ? "of neighbouring blocks"
                  : how == MergedThreads::Strided ? "of a block, strided,"
                  : how == MergedThreads::Groups  ? fmt::format("of a block, in groups of {},", run)
                                                  : "of a block");
  if (!shared.empty()) text += fmt::format("; what they share of {} is loaded once", shared);
  done->story.push_back(fmt::format("Each thread does the work of {} threads{}{}.", shapeText(count),
                                    ofBlocks ? " of neighbouring blocks" : " of its block",
                                    shared.empty() ? "" : ", which share what they load of " + shared));
  if (!ofBlocks) done->launchBounds.reset(), done->requiredBlock.reset();
  made.kernel = done;
  LaunchResult result{made, andAlso(condition, grid.condition), {}};
  if (isTrue(result.condition)) result.condition = nullptr;
  result.remarks.push_back({RemarkKind::Done, before.loc, before.name, text});
  return result;
}

namespace {

PassCall threadsAlong(unsigned axis, int64_t count, std::optional<MergedThreads> how = {}) {
  return axis == 0 ? mergeThreadsPass()({.x = count, .how = how})
                   : mergeThreadsPass()({.y = count, .how = how});
}

// What neighbours load in common is loaded once and kept in registers.
std::vector<Recipe> proposeMerging(const Candidate& candidate) {
  if (candidate.has(mergeThreadsPass())) return {};
  const bool alongX = candidate.sharesAlong(0), alongY = candidate.sharesAlong(1);
  std::vector<Recipe> out;
  if (target::worksByHalfWarps(candidate.target())) {
    if (alongY)
      for (unsigned n : {4u, 8u, 16u, 32u}) out.push_back({{threadsAlong(1, n)}});
    return out;
  }
  if (alongX && alongY)
    for (const auto& [x, y] : {std::pair{2, 2}, {4, 4}, {8, 4}, {4, 8}, {8, 8}})
      out.push_back({{mergeThreadsPass()({.x = x, .y = y})}});
  if (alongY)
    for (unsigned n : {2u, 4u, 8u}) out.push_back({{threadsAlong(1, n)}});
  if (alongX)
    for (unsigned n : {2u, 4u}) out.push_back({{threadsAlong(0, n)}});
  // Threads that share nothing, but are so short that there are too many of them.
  if (out.empty() && candidate.estimate.startsBlocks && candidate.usedAxes() & 1)
    for (unsigned n : {2u, 4u}) {
      out.push_back({{threadsAlong(0, n)}});
      if (candidate.block()[0] % n == 0 && candidate.threads() / n >= 32)
        out.push_back({{threadsAlong(0, n, MergedThreads::Strided)}});
    }
  return out;
}

// Merged threads need share nothing: fewer and longer ones have more loads under way.
std::vector<Recipe> proposeAllMerging(const Candidate& candidate) {
  constexpr unsigned warp = 32;
  if (candidate.has(mergeThreadsPass())) return {};
  const uint8_t used = candidate.usedAxes();
  // A sum that was split has its own threads of a block, which stay.
  const bool isSplit = candidate.has(&PassTraits::sharesSums);
  std::vector<Recipe> out;
  for (unsigned axis = 0; axis < 2; ++axis) {
    if (!(used >> axis & 1)) continue;
    for (unsigned n : {2u, 4u, 8u}) {
      out.push_back({{threadsAlong(axis, n)}});
      for (MergedThreads how : {MergedThreads::Adjacent, MergedThreads::Strided})
        if (!isSplit && candidate.block()[axis] % n == 0 && candidate.threads() / n >= warp)
          out.push_back({{threadsAlong(axis, n, how)}});
    }
  }
  if ((used & 3) == 3)
    for (const auto& [x, y] : {std::pair{2, 2}, {2, 4}, {4, 2}, {4, 4}, {8, 4}, {4, 8}, {8, 8}})
      out.push_back({{mergeThreadsPass()({.x = x, .y = y})}});
  return out;
}

}  // namespace

const PassOf<MergeThreadsOptions>& mergeThreadsPass() {
  static const PassOf<MergeThreadsOptions> pass =
      PassOf<MergeThreadsOptions>(
          "merge-threads",
          "Each thread does the work of several threads, in lockstep, and loads once what they share.",
          mergeThreads)
          .number(&MergeThreadsOptions::x, "x", "threads in one along x (default 1)", values({1, 2, 4, 8}))
          .number(&MergeThreadsOptions::y, "y", "threads in one along y (default 1)",
                  values({1, 2, 4, 8, 16}))
          .number(&MergeThreadsOptions::z, "z", "threads in one along z (default 1)", values({1, 2}))
          .word(
              &MergeThreadsOptions::how, "how", {"blocks", "adjacent", "strided", "groups"},
              "which: those of neighbouring blocks (blocks, the default), neighbours in a block (adjacent), "
              "spread over a block (strided), or groups of neighbours spread over it (groups)",
              values({"blocks", "adjacent", "strided", "groups"}))
          .number(&MergeThreadsOptions::run, "run", "neighbours in a group, with how=groups (default 4)", {},
                  2)
          .proposes({Level::MergeThreads, 10, proposeMerging})
          .proposes({Level::MergeThreads, 10, proposeAllMerging, ProposedTo::Spaces});
  return pass;
}

}  // namespace hone::passes
