#include "passes/merge/MergeGrid.h"

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

class SplitIds : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = ir::as<Coord>(e);
    if (!c) return e;
    auto part = [&](CoordKind kind) { return coord(kind, c->axis, e->type, e->loc); };
    if (c->kind == CoordKind::GlobalSize) return times(part(CoordKind::GridDim), part(CoordKind::BlockDim));
    if (c->kind != CoordKind::GlobalId) return e;
    return plus(
        plus(part(CoordKind::GlobalOffset), times(part(CoordKind::BlockIdx), part(CoordKind::BlockDim))),
        part(CoordKind::ThreadIdx));
  }
};

class GridSizes : public Rewriter {
 public:
  std::array<VarPtr, 3> blocks;

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = ir::as<Coord>(e);
    if (!c || c->kind != CoordKind::GridDim || c->axis > 2 || !blocks[c->axis]) return e;
    return HONE_SEED(MergeGridSizeForgotten, convert(ref(blocks[c->axis]), e->type), e);
  }
};

}  // namespace

KernelPtr withSplitIds(const KernelPtr& kernel) {
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = SplitIds().rewriteBlock(kernel->body);
  return copy;
}

MergedGrid mergeGrid(Kernel& kernel, LaunchStep& made, const LaunchStep& before,
                     const std::array<unsigned, 3>& count, bool guarded) {
  MergedGrid result;
  Names names(kernel);
  GridSizes sizes;
  ExprPtr guard;
  std::array<bool, 3> isUsed{};
  const bool inside = containsBarrier(kernel.body);
  walkExprs(kernel.body, [&](const Expr& e) {
    const auto* c = e.as<Coord>();
    if (c && c->kind == CoordKind::GridDim && c->axis < 3) isUsed[c->axis] = true;
  });
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (count[axis] == 1) continue;
    const ExprPtr size = intLit(count[axis], uint32());
    made.grid[axis] =
        HONE_SEED(MergeGridRoundedDown, ceilDiv(before.grid[axis], size), over(before.grid[axis], size));
    const bool isGuard = !before.mayOvershoot[axis] && guarded;
    if (isUsed[axis] || isGuard) {
      sizes.blocks[axis] = makeParameter(names, std::string("blocks_") + "xyz"[axis], uint32());
      kernel.params.push_back(sizes.blocks[axis]);
      made.args.push_back(convert(before.grid[axis], uint32()));
    }
    if (isGuard) {
      ExprPtr exists = binary(HONE_SEED(MergeGuardOneTooFar, BinaryOp::Lt, BinaryOp::Le),
                              coord(CoordKind::BlockIdx, axis), ref(sizes.blocks[axis]));
      if (inside)
        result.exists[axis] = exists;
      else
        guard = andAlso(guard, exists);
      result.guards = true;
      made.mayOvershoot[axis] = !inside;  // inside, what the first of the merged blocks does is not asked for
    } else if (!before.mayOvershoot[axis]) {
      result.condition = andAlso(
          result.condition, binary(BinaryOp::Eq, remainder(before.grid[axis], size), intLit(0, uint32())));
    }
  }
  kernel.body = sizes.rewriteBlock(kernel.body);
  if (guard) kernel.body = block({makeStmt(If{guard, kernel.body, nullptr}, kernel.loc)}, kernel.body->loc);
  return result;
}

}  // namespace hone::passes
