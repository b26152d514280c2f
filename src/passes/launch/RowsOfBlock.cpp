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

// Literals of one name get another name and value.
class Renamer : public Rewriter {
 public:
  Renamer(std::string name, int64_t number, std::string newName)
      : from(std::move(name)), value(number), to(std::move(newName)) {}

 private:
  std::string from;
  int64_t value;
  std::string to;
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* literal = e->as<IntLiteral>();
    if (!literal || literal->name != from) return simplifiedHere(e);
    return to.empty() ? intLit(value, e->type) : named(value, to, e->type);
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
    return literal && literal->name.empty() && literal->spelling.empty();
  }
};

}  // namespace

LaunchResult withRows(const LaunchStep& launch, unsigned rows, PassContext& context) {
  LaunchStep free = launch;
  if (auto block = fixedBlock(launch)) free.kernel = withBlockDims(launch.kernel, *block);
  const PassCall shape{"block", {{"x", std::to_string(rows)}}, 0};
  LaunchResult out = shapeBlock(free, shape, context);
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
                                  [](const NamedConstant& c) { return c.name == "kBlockX"; });
  std::string name;
  if (known != kernel.constants.end()) kernel.constants.erase(known);
  if (rows > 1) name = addConstant(kernel, "kRows", rows, rowsComment);
  for (const char* unit : {"kBlockY", "kBlockZ"})
    std::erase_if(kernel.constants, [&](const NamedConstant& c) { return c.name == unit; });
  kernel.body = Renamer("kBlockX", rows, name).rewriteBlock(kernel.body);
  for (const char* unit : {"kBlockY", "kBlockZ"})
    kernel.body = Renamer(unit, 1, "").rewriteBlock(kernel.body);
}

}  // namespace hone::passes
