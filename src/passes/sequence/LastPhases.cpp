#include "passes/sequence/LastPhases.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/GlobalIdBounds.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isAlongX(const StmtPtr& body) {
  unsigned axes = 0;
  walkExprs(body, [&](const Expr& e) {
    const auto* c = e.as<Coord>();
    if (c && c->kind != CoordKind::WarpSize) axes |= 1u << c->axis;
  });
  return axes < 2;
}

// Grid-wide barriers are those of the block, which is number 0.
class FirstBlock : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = as<Coord>(e);
    if (c && c->kind == CoordKind::BlockIdx) return intLit(0, e->type);
    const auto* b = as<Binary>(e);
    if (!b || (b->op != BinaryOp::Mul && b->op != BinaryOp::Add) || !e->type->isInteger()) return e;
    auto isZero = [](const ExprPtr& side) { return constantValue(side) == std::optional<int64_t>(0); };
    return isZero(b->lhs) || isZero(b->rhs) ? simplified(e) : e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* barrier = as<Barrier>(s);
    if (!barrier || barrier->scope != SyncScope::Grid) return {s};
    return {makeStmt(Barrier{SyncScope::Block, nullptr, true, true}, s->loc)};
  }
};

}  // namespace

std::optional<int64_t> mostForFew(const LaunchStep& step, const VarPtr& counter, unsigned threads) {
  if (!launchAssumption(*step.kernel).free || !isAlongX(step.kernel->body)) return std::nullopt;
  const Variable* param = nullptr;
  for (size_t p = 0; p < step.args.size(); ++p)
    if (const auto* arg = as<VarRef>(step.args[p]); arg && counter && arg->var == counter)
      param = step.kernel->params[p].get();
  const affine::KernelModel model = affine::buildModel(step.kernel, {threads, 1, 1});
  const auto [bounds, conditions] = globalIdBounds(model, 0);
  if (bounds.empty() || !conditions.empty()) return std::nullopt;
  int64_t most = INT64_MAX;
  for (const affine::Poly& bound : bounds) {
    const int64_t room = int64_t{threads} - bound.constantPart();
    if (bound.constant()) {
      if (room < 0) return std::nullopt;
      continue;
    }
    const std::vector<affine::AtomId> atoms = bound.atoms();
    if (atoms.size() != 1 || !param || (*model.atoms)[atoms[0]].variable != param) return std::nullopt;
    const auto factor = bound.coefficient(atoms[0]).constant();
    if (bound.degree() != 1 || !factor || *factor < 1) return std::nullopt;
    most = std::min(most, affine::floorDiv(room, *factor));
  }
  return HONE_SEED(LastPhasesTooEarly, most, most == INT64_MAX ? most : most * 2);
}

bool fallsToZero(const For& loop) {
  const auto count = counted(loop);
  const auto end = count ? constantValue(count->end) : std::nullopt;
  const auto step = count ? constantValue(count->step) : std::nullopt;
  if (!end || *end < 0 || !step) return false;
  const bool isSigned = count->var->type->isSigned;
  const bool isAbove = count->compare == BinaryOp::Gt || count->compare == BinaryOp::Ge ||
                       (count->compare == BinaryOp::Ne && !isSigned && *end == 0);
  if (!isAbove) return false;
  switch (count->op) {
    case BinaryOp::Div: return *step > 1;
    case BinaryOp::Shr: return *step > 0 && *step < 32;
    case BinaryOp::Sub: return *step > 0 && isSigned;
    default: return false;
  }
}

std::optional<LaunchStep> inOneBlock(const LaunchStep& launch, unsigned threads) {
  auto kernel = std::make_shared<Kernel>(*launch.kernel);
  if (!isAlongX(kernel->body) || obstacleToOtherIds(*kernel)) return std::nullopt;
  LaunchStep out = launch;
  Names names(*kernel);
  const ExprPtr all = times(launch.grid[0], launch.block[0]);
  const VarPtr count = makeParameter(names, "threads_x", uint32());
  const StmtPtr body = withGridSize(kernel->body, {count, nullptr, nullptr});
  if (body != kernel->body) {
    kernel->params.push_back(count);
    out.args.push_back(convert(all, uint32()));
  }
  if (usedAxes(body, CoordKind::GridDim) || usedAxes(body, CoordKind::GlobalSize)) return std::nullopt;
  kernel->body = FirstBlock().rewriteBlock(body);
  kernel->launchBounds = LaunchBounds{static_cast<int>(threads), 0, 0};
  out.kernel = kernel;
  out.cooperative = false;
  for (unsigned axis = 0; axis < 3; ++axis) out.grid[axis] = out.block[axis] = intLit(1, uint32());
  out.block[0] = least(all, intLit(threads, uint32()));
  return out;
}

}  // namespace hone::passes
