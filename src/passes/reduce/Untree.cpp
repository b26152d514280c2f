#include "passes/reduce/Untree.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/SubstituteConstants.h"
#include "passes/launch/FixBlock.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/reduce/AsOneThread.h"
#include "passes/reduce/RowLoops.h"
#include "passes/reduce/SplitTails.h"

namespace hone::passes {

using namespace ir;

namespace {

// A kernel as one thread for each group of the original's has it, in blocks of as many threads as blocks had
// groups.
struct OneThreadKernel {
  KernelPtr kernel;
  std::vector<DealtLoop> loops;
  std::vector<BlockTree> trees;
};

// Places of groups in the grid by the ids of the threads that take their place.
class GroupIds : public Rewriter {
 public:
  GroupIds(const Kernel& kernel, unsigned groupsOfBlock, VarPtr groupOf)
      : of(kernel), groups(groupsOfBlock), group(std::move(groupOf)) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* sum = ir::as<Binary>(e);
    if (groups == 1 || !sum || !e->type->isInteger()) return e;
    if (sum->op == BinaryOp::Mul && isTimesGroups(e, CoordKind::GridDim)) return convert(size(0), e->type);
    if (sum->op != BinaryOp::Add) return e;
    for (const auto& [blocks, own] : {std::pair(sum->lhs, sum->rhs), std::pair(sum->rhs, sum->lhs)}) {
      const auto* var = ir::as<VarRef>(withoutIdCasts(own));
      if (var && var->var == group && isTimesGroups(withoutIdCasts(blocks), CoordKind::BlockIdx))
        return convert(id(0), e->type);
    }
    return e;
  }

 private:
  const Kernel& of;
  unsigned groups;
  VarPtr group;

  bool isTimesGroups(const ExprPtr& e, CoordKind kind) const {
    const auto* product = ir::as<Binary>(e);
    if (!product || product->op != BinaryOp::Mul) return false;
    for (const auto& [blocks, number] :
         {std::pair(product->lhs, product->rhs), std::pair(product->rhs, product->lhs)})
      if (isCoordinate(blocks, kind, 0) && constantValue(number) == std::optional<int64_t>(groups))
        return true;
    return false;
  }

 public:
  ExprPtr id(unsigned axis) const {
    return plus(times(coordOf(of, CoordKind::BlockIdx, axis), coordOf(of, CoordKind::BlockDim, axis)),
                coordOf(of, CoordKind::ThreadIdx, axis));
  }
  ExprPtr size(unsigned axis) const {
    return times(coordOf(of, CoordKind::GridDim, axis), coordOf(of, CoordKind::BlockDim, axis));
  }
};

// What is left of the places of blocks, and of the groups in them, after whole ids were found.
class PlacesLeft : public Rewriter {
 public:
  PlacesLeft(const Kernel& kernel, const GroupIds& wholeIds, unsigned groupsOfBlock, VarPtr groupOf)
      : of(kernel), ids(wholeIds), groups(groupsOfBlock), group(std::move(groupOf)) {}

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (isWhole(e)) return e;
    const auto* var = ir::as<VarRef>(e);
    if (var && group && var->var == group)
      return convert(remainder(ids.id(0), intLit(groups, coordOf(of, CoordKind::BlockIdx, 0)->type)),
                     e->type);
    const auto* at = ir::as<Coord>(e);
    if (!at || at->axis > 2) return Rewriter::rewrite(e);
    const bool isBlock = at->kind == CoordKind::BlockIdx;
    if (!isBlock && at->kind != CoordKind::GridDim) return e;
    const ExprPtr whole = isBlock ? ids.id(at->axis) : ids.size(at->axis);
    return convert(at->axis == 0 && groups > 1 ? over(whole, intLit(groups, whole->type)) : whole, e->type);
  }
  StmtList rewrite(const StmtPtr& s) override { return Rewriter::rewrite(s); }

 private:
  const Kernel& of;
  const GroupIds& ids;
  unsigned groups;
  VarPtr group;

  bool isWhole(const ExprPtr& e) const { return equal(e, ids.id(0)) || equal(e, ids.size(0)); }
};

// Where groups of so many threads of a block wait for others of it, which may go by what these have done.
Obstacle obstacleToGroups(const Kernel& kernel, unsigned lanes) {
  Obstacle found;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* barrier = s.as<Barrier>();
    const auto* alone = s.as<Eval>();
    const auto* call = alone ? ir::as<Call>(alone->call) : nullptr;
    bool waits = barrier && (barrier->scope != SyncScope::Warp || lanes < 32);
    if (call && call->intrinsic && call->intrinsic->id == "group_sync") {
      const unsigned tile = lanesOfTile(call->args[0]);
      waits = tile == 0 || tile > lanes;
    }
    if (waits && !found)
      found =
          Refusal{fmt::format("groups of {} threads, which make a sum each, wait for others", lanes), s.loc};
  });
  return HONE_SEED(UntreeGroupsWait, found, Obstacle());
}

// `hasTrees`: whether groups of that size put values together at all.
Result<OneThreadKernel> asOneThread(const KernelPtr& base, const std::array<unsigned, 3>& block,
                                    unsigned lanes, PassContext& context, bool& hasTrees) {
  const TreeKernel kernel(*base, block);
  auto trees = blockTrees(kernel, context.facts.of(base, block), context.reassociate,
                          {.lanes = lanes, .takesAll = true});
  hasTrees = static_cast<bool>(trees);
  if (!trees) return trees.refusal();
  TreeRewriter rewriter(kernel, *std::move(trees));
  if (const Obstacle no = rewriter.check()) return *no;
  if (lanes < kernel.threads)
    if (const Obstacle no = obstacleToGroups(*base, lanes)) return *no;

  OneThreadKernel out;
  out.trees = rewriter.left();
  auto made = std::make_shared<Kernel>(*base);
  TreeMarks marks;
  const StmtPtr marked = rewriter.marked(*made, marks);
  Names names(*made);
  const unsigned groups = kernel.threads / lanes;
  const VarPtr group = groups > 1 ? makeLocal(names, "group", uint32(), true) : nullptr;
  AsOneThread one(kernel, marks, lanes, group, names);
  Result<StmtPtr> body = one.write(marked);
  if (!body) return body.refusal();
  out.loops = one.loops();
  made->body = withConstants(*body, {});
  GroupIds ids(*made, groups, group);
  made->body = ids.rewriteBlock(made->body);
  made->body = PlacesLeft(*made, ids, groups, group).rewriteBlock(made->body);
  // Numbers of the original's block are none of the new one's.
  for (unsigned axis = 0; axis < 3; ++axis) {
    made->body = changedRole(made->body, blockExtent(axis), {});
    std::erase_if(made->constants, [&](const NamedConstant& one) { return one.role == blockExtent(axis); });
  }
  made->requiredBlock.reset();
  made->launchBounds.reset();
  made->story.push_back(
      lanes == kernel.threads
          ? "One thread does what the threads of a block did, which put their values together."
          : "One thread does what several threads did, which put their values together.");
  out.kernel = made;
  // Loops are known by their variables from here on.
  if (withDistinctStatements(made) != out.kernel)
    return unexpected("statement that stands in several places");
  return out;
}

// Whether some threads of a block may put values together without the others.
bool mayBeOfGroups(const Kernel& kernel) {
  const std::vector<CooperationUse> uses = cooperationOf(kernel.body);
  return std::any_of(uses.begin(), uses.end(), [](const CooperationUse& use) {
    return use.kind == Cooperation::WarpExchange || use.kind == Cooperation::WarpBarrier ||
           use.kind == Cooperation::VolatileShared;
  });
}

// What threads of the kernel still do together.
Obstacle obstacleToAlone(const Kernel& kernel) {
  for (const CooperationUse& use : cooperationOf(kernel.body))
    if (use.kind != Cooperation::FloatAtomic)
      return Refusal{fmt::format("by {} its threads know more of each other than their sums", use.name),
                     use.loc};
  return std::nullopt;
}

// Iterations that threads shared may be done in any order: one that is in the original's is among them.
Result<ExprPtr> mayBeInAnyOrder(const LaunchStep& made, const OneThreadKernel& one,
                                const std::array<unsigned, 3>& block, PassContext& context) {
  const affine::KernelModel& model = context.facts.of(made.kernel, block).model();
  bool stores = false;
  std::vector<StmtPtr> found;
  for (const affine::LoopId l : model.loops.ids()) {
    const auto* loop = as<For>(model.loops[l].stmt);
    const auto count = loop ? counted(*loop) : std::nullopt;
    const DealtLoop* dealt = nullptr;
    std::map<const Variable*, Combine> sums;
    for (const DealtLoop& known : one.loops) {
      if (!count || counted(*as<For>(known.loop))->var != count->var) continue;
      dealt = &known;
      stores = stores || known.stores;
      for (const auto& [var, how] : known.sums) sums[var.get()] = how;
    }
    if (!dealt) continue;
    const Result<ReductionLoop> reduction =
        dealt->stores ? loopWithStores(model, l) : reductionLoop(model, l);
    if (!reduction) return reduction.refusal();
    for (const Accumulator& sum : reduction->sums) {
      const auto at = sums.find(sum.var.get());
      if (at == sums.end() || at->second != sum.how)
        return unexpected("sum of a shared loop", loop->body->loc);
      if (!sum.isExact && !context.reassociate)
        return Refusal{fmt::format("the order of the {} of {} would change; pass --reassociate to permit it",
                                   str(sum.how), sum.var->name),
                       model.loops[l].stmt->loc};
    }
    found.push_back(model.loops[l].stmt);
  }
  if (!stores) return ExprPtr();
  RowLoops rows(made, model, context, 32);
  if (const Obstacle no = rows.decide()) return *no;
  for (const StmtPtr& loop : found)
    if (!rows.dealt(loop) || rows.testOf(loop))
      return Refusal{"threads of a block store what others of them may touch in a loop that they share",
                     loop->loc};
  return rows.condition();
}

}  // namespace

LaunchResult untree(const LaunchStep& launch, const UntreeOptions& options, PassContext& context) {
  // 1. Who puts values together: all threads of a block, or neighbours.
  const FixedLaunch fixed = withFixedBlock(launch, context);
  const unsigned threads = fixed.block[0] * fixed.block[1] * fixed.block[2];
  if (threads > mostTreeThreads || threads < 2)
    return Refusal{fmt::format("blocks of {} threads put no values together", threads)};
  if (!doThreadsMeet(fixed.launch.kernel->body)) return Refusal{"its threads put no values together"};
  const KernelPtr base =
      withDistinctStatements(withTailsSplit(withDistinctStatements(fixed.launch.kernel), fixed.block));
  Obstacle why;
  bool isOfTrees = false;
  for (const unsigned lanes : {threads, 32u, 16u, 8u, 4u}) {
    if (lanes > threads || threads % lanes || (lanes == threads && why)) continue;
    if (lanes < threads && !mayBeOfGroups(*base)) break;
    bool hasTrees = false;
    Result<OneThreadKernel> one = asOneThread(base, fixed.block, lanes, context, hasTrees);
    if (!one) {
      if (!why || (hasTrees && !isOfTrees)) why = one.refusal();
      isOfTrees = isOfTrees || hasTrees;
      continue;
    }
    // 2. One thread for each of these.
    const unsigned groups = threads / lanes;
    LaunchStep made = fixed.launch;
    made.kernel = one->kernel;
    const std::array<unsigned, 3> block{groups, 1, 1};
    for (unsigned axis = 0; axis < 3; ++axis) made.block[axis] = intLit(block[axis], uint32());
    if (made.kernel->language == Language::Cuda) made.sharedBytes = nullptr;
    if (const Obstacle no = obstacleToAlone(*made.kernel)) return *no;
    const Result<ExprPtr> order = mayBeInAnyOrder(made, *one, block, context);
    if (!order) return order.refusal();
    LaunchResult result = shapeBlock(made, {.x = options.x.value_or(256)}, context);
    if (result.refusal) return result;
    result.condition = andAlso(andAlso(fixed.condition, *order), result.condition);
    result.remarks.clear();
    for (const BlockTree& tree : one->trees)
      for (const TreeTotal& total : tree.totals)
        result.remarks.push_back(
            {RemarkKind::Done, tree.loc(), launch.kernel->name,
             fmt::format("one thread makes the {} that {} threads put together", str(total.how), lanes)});
    return result;
  }
  return *why;
}

const PassOf<UntreeOptions>& untreePass() {
  static const PassOf<UntreeOptions> pass =
      PassOf<UntreeOptions>("untree",
                            "A sum that the threads of a block or a warp make together, each its share of a "
                            "loop, is made by one "
                            "thread, so that split-reduction may share it anew.",
                            untree)
          .number(&UntreeOptions::x, "x", "threads of a block, each of which makes a sum (256)")
          .with({.hasSerialIterations = true});
  return pass;
}

}  // namespace hone::passes
