#include "passes/launch/FixBlock.h"

#include <fmt/core.h>

#include "affine/KernelModel.h"
#include "ir/Build.h"
#include "ir/InlineCalls.h"
#include "ir/StructureReturns.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

// Conditions that were negated by moving what follows a return into the other branch read better turned
// round.
class TurnRound : public Rewriter {
 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* choice = s->as<If>();
    const auto* no = choice ? ir::as<Unary>(choice->cond) : nullptr;
    if (!no || no->op != UnaryOp::Not) return {s};
    return {makeStmt(If{negated(no->operand), choice->then, choice->otherwise}, s->loc)};
  }
};

class BlockNumbers : public Rewriter {
 public:
  BlockNumbers(std::array<ExprPtr, 3> literals, bool withOffset)
      : block(std::move(literals)), keepsOffset(withOffset) {}

  std::array<bool, 3> hadOffset{};  // by axis: an offset was left out

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = ir::as<Coord>(e);
    if (!c || c->axis > 2) return e;
    const TypePtr& type = e->type;
    auto number = [&](unsigned axis) {
      const auto* literal = ir::as<IntLiteral>(block[axis]);
      return named(static_cast<int64_t>(literal->value), literal->role, type);
    };
    auto part = [&](CoordKind kind) { return coord(kind, c->axis, type, e->loc); };
    switch (c->kind) {
      case CoordKind::BlockDim: return number(c->axis);
      case CoordKind::GlobalSize: return times(part(CoordKind::GridDim), number(c->axis));
      case CoordKind::GlobalId: {
        ExprPtr first = times(part(CoordKind::BlockIdx), number(c->axis));
        if (keepsOffset)
          first = plus(part(CoordKind::GlobalOffset), first);
        else
          hadOffset[c->axis] = true;
        return plus(first, part(CoordKind::ThreadIdx));
      }
      default: return e;
    }
  }

 private:
  std::array<ExprPtr, 3> block;
  bool keepsOffset;
};

}  // namespace

KernelPtr structured(const KernelPtr& kernel) {
  KernelPtr inlined = affine::withCallsInlined(kernel);
  const auto* body = ir::as<Block>(inlined->body);
  if (!body || !containsReturn(inlined->body) || !hasTailReturns(body->stmts)) return inlined;
  auto copy = std::make_shared<Kernel>(*inlined);
  copy->body = TurnRound().rewriteBlock(block(assignTailReturns(body->stmts, nullptr), inlined->body->loc));
  return copy;
}

Obstacle obstacleToModel(const Kernel& kernel) {
  Obstacle found;
  walkExprs(kernel.body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (!found && call && call->function && concernsAddresses(*call->function))
      found = Refusal{fmt::format("the call of {} cannot be inlined", call->function->name), e.loc};
  });
  return found;
}

ExprPtr setBlock(Kernel& kernel, const std::array<unsigned, 3>& block, bool keepsOffset) {
  bool isUsed[3] = {};
  walkExprs(kernel.body, [&](const Expr& e) {
    const auto* c = e.as<Coord>();
    if (c && c->axis < 3 &&
        (c->kind == CoordKind::BlockDim || c->kind == CoordKind::GlobalId ||
         c->kind == CoordKind::GlobalSize))
      isUsed[c->axis] = true;
  });
  std::array<ExprPtr, 3> literals;
  for (unsigned axis = 0; axis < 3; ++axis) {
    ConstantRole role = blockExtent(axis);
    if (isUsed[axis])
      role = addConstant(kernel, role, block[axis], std::string("threads of a block along ") + "xyz"[axis]);
    literals[axis] = named(block[axis], role);
  }
  BlockNumbers numbers(literals, keepsOffset);
  kernel.body = numbers.rewriteBlock(kernel.body);
  ExprPtr condition;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (numbers.hadOffset[axis])
      condition = andAlso(condition, binary(BinaryOp::Eq, coord(CoordKind::GlobalOffset, axis, uint64()),
                                            intLit(0, uint64())));
  return condition;
}

FixedLaunch withFixedBlock(const LaunchStep& launch, const PassContext& context) {
  FixedLaunch out{launch, context.block, nullptr};
  auto known = fixedBlock(launch);
  if (known) out.block = *known;
  const KernelPtr plain = structured(launch.kernel);
  auto kernel = std::make_shared<Kernel>(*plain);
  // Where nothing else is asked of the launch, nothing is asked about its offset either.
  out.condition = setBlock(*kernel, out.block, known.has_value());
  // The same kernel where nothing changes, about which facts may be known.
  out.launch.kernel = kernel->body == plain->body ? plain : kernel;
  if (known) return out;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (auto number = constantValue(launch.block[axis]); number && *number == out.block[axis]) continue;
    out.condition =
        andAlso(out.condition, binary(BinaryOp::Eq, launch.block[axis], intLit(out.block[axis], uint32())));
    out.launch.block[axis] = intLit(out.block[axis], uint32());
  }
  return out;
}

FixedLaunch withBlockWhereItMatters(const LaunchStep& launch, const PassContext& context) {
  FixedLaunch fixed{launch, fixedBlock(launch).value_or(context.block), nullptr};
  const KernelPtr base = structured(launch.kernel);
  fixed.launch.kernel = base;
  const bool usesGrid =
      usedAxes(base->body, CoordKind::GridDim) | usedAxes(base->body, CoordKind::GlobalSize);
  if (usesGrid || !launchAssumption(*base).free) fixed = withFixedBlock(launch, context);
  fixed.launch.kernel = withDistinctStatements(fixed.launch.kernel);
  return fixed;
}

}  // namespace hone::passes
