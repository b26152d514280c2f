#include "passes/launch/ShapeBlock.h"

#include <fmt/core.h>

#include <map>

#include "affine/ToExpr.h"
#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/GlobalIdBounds.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t mostThreads = 0x7ff00000;  // along an axis: ids of 32 bits stay far from wrapping

// Threads of the launch along an axis, 64 bits wide.
ExprPtr threadsOf(const LaunchStep& launch, unsigned axis) {
  return times(convert(launch.grid[axis], int64(), true), launch.block[axis]);
}

// A bound of ids over the original's parameters and launch; null where the host does not have what it is made
// of.
ExprPtr boundOnHost(const LaunchStep& launch, const affine::KernelModel& model, const affine::Poly& bound) {
  affine::ToExpr to(model, int64());
  bool isKnown = true;
  model.atoms->forEachAtom(bound, [&](affine::AtomId id) {
    const affine::Atom& atom = (*model.atoms)[id];
    if (atom.kind != affine::AtomKind::Symbol) return;
    const ExprPtr value = hostSymbol(launch, model, atom);
    isKnown = isKnown && value;
    if (value) to.stands(id, value);
  });
  return isKnown ? to.of(bound).value_or(nullptr) : nullptr;
}

bool usesAxis(const StmtPtr& body, unsigned axis) {
  bool found = false;
  walkExprs(body, [&](const Expr& e) {
    const auto* c = e.as<Coord>();
    found = found || (c && c->axis == axis && c->kind != CoordKind::WarpSize);
  });
  return found;
}

bool usesGridSize(const StmtPtr& body, unsigned axis) {
  bool found = false;
  walkExprs(body, [&](const Expr& e) {
    const auto* c = e.as<Coord>();
    found = found ||
            (c && c->axis == axis && (c->kind == CoordKind::GridDim || c->kind == CoordKind::GlobalSize));
  });
  return found;
}

// A number that a product of numbers and others is a multiple of.
int64_t numberIn(const ExprPtr& e) {
  const ExprPtr inner = withoutIdCasts(e);
  if (const auto number = constantValue(inner)) return std::max<int64_t>(1, *number);
  const auto* b = as<Binary>(inner);
  if (!b || b->op != BinaryOp::Mul) return 1;
  const int64_t left = numberIn(b->lhs), right = numberIn(b->rhs);
  return left <= INT32_MAX && right <= INT32_MAX ? left * right : left;
}

class OffsetsGone : public Rewriter {
 public:
  explicit OffsetsGone(unsigned alongAxes) : axes(alongAxes) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = as<Coord>(e);
    return c && c->kind == CoordKind::GlobalOffset && (axes >> c->axis & 1) ? intLit(0, e->type) : e;
  }

 private:
  unsigned axes;
};

// What is divided by the threads of a block, or a multiple of them, is the same for all of them: the id of a
// thread becomes the number of its block there, which other passes see to be so.
class BlockQuotients : public Rewriter {
 public:
  BlockQuotients(const StmtPtr& body, const std::array<unsigned, 3>& blockShape) : shape(blockShape) {
    std::set<const Variable*> changing = assignedVariables(body);
    changing.merge(addressTaken(body));
    walkStmts(body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      const auto axis = d && d->init && d->var->type->is(TypeKind::Int) && d->var->type->bits >= 32 &&
                                !changing.contains(d->var.get())
                            ? axisOf(d->init)
                            : std::nullopt;
      if (axis) ids[d->var.get()] = *axis;
    });
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* b = as<Binary>(e);
    if (!b || b->op != BinaryOp::Div || !e->type->is(TypeKind::Int) || e->type->bits < 32) return e;
    const auto by = constantValue(b->rhs);
    const auto axis = axisOf(b->lhs);
    if (!axis || !by || *by < 1 || *by % shape[*axis] != 0) return e;
    const ExprPtr number = convert(coord(CoordKind::BlockIdx, *axis), e->type);
    return over(number, intLit(*by / shape[*axis], e->type));
  }

 private:
  std::array<unsigned, 3> shape;
  std::map<const Variable*, unsigned> ids;  // along an axis

  std::optional<unsigned> axisOf(const ExprPtr& e) const {
    const ExprPtr inner = withoutIdCasts(e);
    if (const auto* var = as<VarRef>(inner)) {
      const auto at = ids.find(var->var.get());
      return at == ids.end() ? std::nullopt : std::optional(at->second);
    }
    const auto* sum = as<Binary>(inner);
    if (!sum || sum->op != BinaryOp::Add) return std::nullopt;
    for (const auto& [first, thread] : {std::pair(sum->lhs, sum->rhs), std::pair(sum->rhs, sum->lhs)}) {
      const auto* product = as<Binary>(withoutIdCasts(first));
      if (!product || product->op != BinaryOp::Mul) continue;
      for (unsigned axis = 0; axis < 3; ++axis)
        if (isCoordinate(thread, CoordKind::ThreadIdx, axis) &&
            isCoordinate(product->lhs, CoordKind::BlockIdx, axis) &&
            constantValue(product->rhs) == std::optional<int64_t>(shape[axis]))
          return axis;
    }
    return std::nullopt;
  }
};

}  // namespace

LaunchResult shapeBlock(const LaunchStep& given, const BlockOptions& options, PassContext& context) {
  LaunchStep launch = given;
  if (const auto had = fixedBlock(given)) launch.kernel = withBlockDims(given.kernel, *had);
  const Kernel& before = *launch.kernel;
  const std::array<unsigned, 3> shape{static_cast<unsigned>(options.x.value_or(1)),
                                      static_cast<unsigned>(options.y.value_or(1)),
                                      static_cast<unsigned>(options.z.value_or(1))};

  // 1. Decide: whether any shape will do, and what keeps the threads that come on top from doing harm.
  LaunchAssumption assumption = launchAssumption(before);
  if (!assumption.free) return Refusal{fmt::format("its block shape is not free: {}", assumption.reason)};
  auto kernel = std::make_shared<Kernel>(*structured(launch.kernel));
  if (!launchAssumption(*kernel).free)
    return Refusal{"internal: its block shape is not free once calls are inlined; please report"};
  if (const Obstacle no = obstacleToOtherIds(*kernel)) return *no;
  Names names(*kernel);
  std::array<bool, 3> mayOvershoot{true, true, true}, isSingle{};
  ExprPtr condition, guard;
  std::array<VarPtr, 3> gridSize;
  std::vector<VarPtr> added;
  std::vector<ExprPtr> addedArgs;
  auto atMost = [&](unsigned axis, int64_t most) {
    condition = andAlso(condition, binary(BinaryOp::Le, threadsOf(launch, axis), intLit(most, int64())));
  };
  auto model = affine::buildModel(kernel, shape);
  for (unsigned axis = 0; axis < 3; ++axis) {
    // As many blocks as the grid may have.
    const int64_t most = std::min<int64_t>(mostThreads, int64_t(context.target.maxGrid[axis]) * shape[axis]);
    const bool usesSize = usesGridSize(kernel->body, axis);
    const auto [bounds, relyOn] = usesSize ? GlobalIdBounds{} : globalIdBounds(model, axis);
    if (shape[axis] == 1 && !usesAxis(kernel->body, axis)) {
      // Threads that differ along this axis alone do the same; there is one as a rule.
      for (const ExprPtr& extent : {launch.grid[axis], launch.block[axis]})
        condition = andAlso(condition, simplified(binary(BinaryOp::Eq, extent, intLit(1, uint32()))));
      isSingle[axis] = true;
      mayOvershoot[axis] = false;
      continue;
    }
    if (bounds.empty() && shape[axis] == 1 && !usesSize) {
      mayOvershoot[axis] = false;  // the grid has as many blocks as there were threads
      atMost(axis, most);
      continue;
    }
    ExprPtr covered;
    for (const affine::Poly& bound : bounds) {
      const ExprPtr value = boundOnHost(launch, model, bound);
      if (!value) {
        covered = nullptr;
        break;
      }
      covered = andAlso(covered, binary(BinaryOp::Le, value, threadsOf(launch, axis)));
    }
    for (const affine::Requirement& requirement : relyOn) {
      const ExprPtr holds = covered ? hostRequirement(launch, model, requirement) : nullptr;
      covered = holds ? andAlso(covered, holds) : nullptr;
    }
    if (!covered && !usesSize && numberIn(threadsOf(launch, axis)) % shape[axis] == 0) {
      mayOvershoot[axis] = false;  // blocks divide the threads that there were
      atMost(axis, most);
      continue;
    }
    if (covered) condition = HONE_SEED(BlockCoverUnchecked, andAlso(condition, covered), condition);
    if (!covered) {
      VarPtr threads = makeParameter(names, std::string("threads_") + "xyz"[axis], uint32());
      added.push_back(threads);
      addedArgs.push_back(convert(threadsOf(launch, axis), uint32(), true));
      if (usesSize && HONE_SEED(BlockGridSizeForgotten, true, false)) gridSize[axis] = threads;
      ExprPtr id = coordOf(*kernel, CoordKind::BlockIdx, axis);
      id = plus(times(id, coordOf(*kernel, CoordKind::BlockDim, axis)),
                coordOf(*kernel, CoordKind::ThreadIdx, axis));
      guard = andAlso(guard, binary(BinaryOp::Lt, id, ref(threads)));
    }
    atMost(axis, most);
  }

  // 2. Rewrite.
  StmtPtr body = withGridSize(kernel->body, gridSize);
  if (guard && HONE_SEED(BlockGuardDropped, true, false))
    body = block({makeStmt(If{guard, body, nullptr}, body->loc)}, body->loc);
  kernel->body = body;
  OffsetsGone gone(usedAxes(kernel->body, CoordKind::GlobalId));
  if (const ExprPtr noOffset = setBlock(*kernel, shape))
    condition = condition ? andAlso(noOffset, simplified(gone.rewrite(condition))) : noOffset;
  kernel->body = BlockQuotients(kernel->body, shape).rewriteBlock(kernel->body);
  for (const VarPtr& param : added) kernel->params.push_back(param);
  kernel->launchBounds.reset();
  LaunchResult result{launch, condition};
  for (unsigned axis = 0; axis < 3; ++axis) {
    ExprPtr size = intLit(shape[axis], uint32());
    ExprPtr threads = times(launch.grid[axis], launch.block[axis]);
    result.launch->grid[axis] = HONE_SEED(BlockGridRoundedDown, ceilDiv(threads, size), over(threads, size));
    if (isSingle[axis]) result.launch->grid[axis] = intLit(1, uint32());
    result.launch->block[axis] = size;
  }
  result.launch->args.insert(result.launch->args.end(), addedArgs.begin(), addedArgs.end());
  result.launch->mayOvershoot = mayOvershoot;
  result.launch->kernel = kernel;
  std::string text = fmt::format("blocks of {}x{}x{} threads", shape[0], shape[1], shape[2]);
  if (shape[2] == 1)
    text = shape[1] == 1 ? fmt::format("blocks of {} threads", shape[0])
                         : fmt::format("blocks of {}x{} threads", shape[0], shape[1]);
  result.remarks.push_back({RemarkKind::Done, before.loc, before.name, text + ", whatever the launch has"});
  return result;
}

const PassOf<BlockOptions>& blockPass() {
  static const PassOf<BlockOptions> pass =
      PassOf<BlockOptions>(
          "block",
          "A kernel that works under any block shape gets one of its own, which later passes rely on.",
          shapeBlock)
          .number(&BlockOptions::x, "x", "threads of a block along x (default 1)",
                  values({16, 32, 64, 128, 256}))
          .number(&BlockOptions::y, "y", "threads of a block along y (default 1)",
                  values({1, 2, 4, 8, 16, 32}))
          .number(&BlockOptions::z, "z", "threads of a block along z (default 1)", values({1, 2}))
          .with({.isShapeAlone = true, .keepsAccesses = true});
  return pass;
}

}  // namespace hone::passes
