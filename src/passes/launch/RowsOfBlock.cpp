#include "passes/launch/RowsOfBlock.h"

#include <algorithm>

#include "ir/Build.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/ShapeBlock.h"

namespace hone::passes {

using namespace ir;

namespace {

// Literals of one role get another role and value.
class RoleRewriter : public Rewriter {
 public:
  RoleRewriter(ConstantRole role, int64_t number, ConstantRole newRole)
      : from(std::move(role)), value(number), to(std::move(newRole)) {}

 private:
  ConstantRole from;
  int64_t value;
  ConstantRole to;
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* literal = e->as<IntLiteral>();
    if (!literal || literal->role != from) return simplifiedHere(e);
    return named(value, to, e->type);
  }
  static ExprPtr simplifiedHere(const ExprPtr& e) {
    const auto* b = e->as<Binary>();
    if (!b || !e->type->isInteger()) return e;
    auto is = [](const ExprPtr& x, int64_t n) {
      return constantValue(x) == std::optional(n) && !x->is<Binary>() && unnamed(x);
    };
    if (b->op == BinaryOp::Mul && is(b->rhs, 1)) return b->lhs;
    if (b->op == BinaryOp::Mul && is(b->lhs, 1)) return b->rhs;
    if (b->op == BinaryOp::Add && is(b->rhs, 0)) return b->lhs;
    return e;
  }
  static bool unnamed(const ExprPtr& x) {
    const auto* literal = x->as<IntLiteral>();
    return literal && !literal->hasName() && literal->spelling.empty();
  }
};

}  // namespace

LaunchResult withRows(const LaunchStep& launch, unsigned rows, PassContext& context) {
  LaunchStep free = launch;
  if (auto block = fixedBlock(launch)) free.kernel = withBlockDims(launch.kernel, *block);
  LaunchResult out = shapeBlock(free, {.x = rows}, context);
  if (out.launch) {
    auto kernel = std::make_shared<Kernel>(*withDistinctStatements(out.launch->kernel));
    out.launch->kernel = kernel;
  }
  return out;
}

void moveRows(Kernel& kernel, unsigned rows, unsigned axis) {
  kernel.body = mapCoords(kernel.body, [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
    if (c.kind != CoordKind::ThreadIdx) return nullptr;
    if (c.axis == 0 && rows > 1) return coord(CoordKind::ThreadIdx, axis, e->type);
    return intLit(0, e->type);
  });
  const auto known = std::find_if(kernel.constants.begin(), kernel.constants.end(),
                                  [](const NamedConstant& c) { return c.role == blockExtent(0); });
  ConstantRole role;
  if (known != kernel.constants.end()) kernel.constants.erase(known);
  if (rows > 1) role = addConstant(kernel, {RoleKind::RowCount}, rows, rowsComment);
  for (const unsigned other : {1, 2})
    std::erase_if(kernel.constants, [&](const NamedConstant& c) { return c.role == blockExtent(other); });
  kernel.body = RoleRewriter(blockExtent(0), rows, role).rewriteBlock(kernel.body);
  for (const unsigned other : {1, 2})
    kernel.body = RoleRewriter(blockExtent(other), 1, {}).rewriteBlock(kernel.body);
}

}  // namespace hone::passes
