#include "passes/edit/Coordinates.h"

#include <fmt/core.h>

#include <set>

#include "ir/Build.h"
#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "passes/edit/Names.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether a function uses coordinates, itself or further down.
bool usesCoordinates(const Function& function, std::set<const Function*>& seen) {
  if (!seen.insert(&function).second) return false;
  if (!function.body) return function.usesCoords;
  bool found = false;
  walkExprs(function.body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    found = found || e.is<Coord>() || (call && call->function && usesCoordinates(*call->function, seen));
  });
  return found;
}

// The first call of such a function; null: there is none.
const Expr* callWithCoords(const StmtPtr& body) {
  const Expr* found = nullptr;
  std::set<const Function*> seen;
  walkExprs(body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (!found && call && call->function && usesCoordinates(*call->function, seen)) found = &e;
  });
  return found;
}

class CoordMapper : public Rewriter {
 public:
  using Map = std::function<ExprPtr(const Coord&, const ExprPtr&)>;
  explicit CoordMapper(const Map& fn) : map(fn) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = as<Coord>(e);
    if (!c) return e;
    ExprPtr made = map(*c, e);
    return made ? made : e;
  }

 private:
  const Map& map;
};

// Conversions as the importer makes them of `int x = get_local_id(0)`: one, from the language's type to what
// is wanted.
class CoordTypes : public Rewriter {
 public:
  explicit CoordTypes(Language language) : type(language == Language::OpenCL ? uint64() : uint32()) {}
  std::set<ExprPtr> made;

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* c = as<Coord>(e)) {
      const bool isSize = c->kind != CoordKind::WorkDim && c->kind != CoordKind::WarpSize;
      if (!isSize || sameType(e->type, type)) return e;
      return *made.insert(convert(coord(c->kind, c->axis, type, e->loc), e->type)).first;
    }
    const auto* cast = as<Cast>(e);
    if (!cast || !made.contains(cast->operand) || !e->type->is(TypeKind::Int)) return e;
    return convert(as<Cast>(cast->operand)->operand, e->type, cast->isExplicit);
  }

 private:
  TypePtr type;
};

class BlockDims : public Rewriter {
 public:
  explicit BlockDims(const std::array<unsigned, 3>& shape) : block(shape) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* literal = as<IntLiteral>(e);
    for (unsigned axis = 0; literal && axis < 3; ++axis)
      if (literal->role == blockExtent(axis) && literal->value == block[axis])
        return coord(CoordKind::BlockDim, axis, e->type, e->loc);
    return e;
  }

 private:
  std::array<unsigned, 3> block;
};

class GridSize : public Rewriter {
 public:
  explicit GridSize(std::array<VarPtr, 3> given) : threads(std::move(given)) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* c = ir::as<Coord>(e); c && c->kind == CoordKind::GlobalSize && threads[c->axis])
      return convert(ref(threads[c->axis]), e->type);
    const auto* product = ir::as<Binary>(e);
    if (!product || product->op != BinaryOp::Mul) return e;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (threads[axis] && isCoord(product->lhs, product->rhs, axis))
        return convert(ref(threads[axis]), e->type);
    return e;
  }

 private:
  std::array<VarPtr, 3> threads;
  static bool is(ExprPtr e, CoordKind kind, unsigned axis) {
    while (const auto* cast = ir::as<Cast>(e)) e = cast->operand;
    const auto* c = ir::as<Coord>(e);
    return c && c->kind == kind && c->axis == axis;
  }
  static bool isCoord(const ExprPtr& a, const ExprPtr& b, unsigned axis) {
    return (is(a, CoordKind::GridDim, axis) && is(b, CoordKind::BlockDim, axis)) ||
           (is(b, CoordKind::GridDim, axis) && is(a, CoordKind::BlockDim, axis));
  }
};

}  // namespace

ExprPtr coordOf(const Kernel& kernel, CoordKind kind, unsigned axis) {
  return coord(kind, axis, kernel.language == Language::OpenCL ? uint64() : uint32());
}

StmtPtr withGridSize(const StmtPtr& body, const std::array<VarPtr, 3>& threads) {
  return GridSize(threads).rewriteBlock(body);
}

Obstacle obstacleToOtherIds(const Kernel& kernel) {
  const Expr* call = callWithCoords(kernel.body);
  if (!call) return std::nullopt;
  return Refusal{fmt::format("the call of {} uses coordinates of the thread and cannot be inlined",
                             call->as<Call>()->function->name),
                 call->loc};
}

Result<KernelPtr> withCoordsInBody(const KernelPtr& kernel) {
  if (!callWithCoords(kernel->body)) return kernel;
  KernelPtr inlined = inlineCalls(
      kernel, [](const Function& function) { return !function.isRunOnly && touchesMachine(function); });
  if (const Obstacle no = obstacleToOtherIds(*inlined)) return *no;
  return inlined;
}

KernelPtr withBlockDims(const KernelPtr& kernel, const std::array<unsigned, 3>& block) {
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = BlockDims(block).rewriteBlock(kernel->body);
  for (unsigned axis = 0; axis < 3; ++axis)
    copy->body = changedRoleInExtents(copy->body, blockExtent(axis), {});
  std::erase_if(copy->constants, [&](const NamedConstant& constant) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (constant.role == blockExtent(axis) && constant.value == block[axis]) return true;
    return false;
  });
  return copy;
}

StmtPtr mapCoords(const StmtPtr& body, const std::function<ExprPtr(const Coord&, const ExprPtr&)>& fn) {
  CoordMapper mapper(fn);
  return mapper.rewriteBlock(body);
}

KernelPtr withCoordTypes(const KernelPtr& kernel) {
  CoordTypes types(kernel->language);
  StmtPtr body = types.rewriteBlock(kernel->body);
  if (types.made.empty()) return kernel;
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = std::move(body);
  return copy;
}

bool isCoordinate(const ExprPtr& e, CoordKind kind, unsigned axis) {
  const ExprPtr inner = withoutIdCasts(e);
  const auto* c = as<Coord>(inner);
  return c && c->kind == kind && c->axis == axis;
}

unsigned usedAxes(const StmtPtr& body, CoordKind kind) {
  unsigned axes = 0;
  walkExprs(body, [&](const Expr& e) {
    if (const auto* c = e.as<Coord>(); c && c->kind == kind && c->axis < 3) axes |= 1u << c->axis;
  });
  return axes;
}

}  // namespace hone::passes
