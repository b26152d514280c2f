// How the sizes of tiles are written, and which tests of theirs belong before the launch.
#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/shared/TileWriter.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;
using affine::ToExpr;

// The constant behind the threads of a block along an axis; none where the kernel has another number in that
// role.
ConstantRole TileWriter::blockRole(unsigned axis) {
  const ConstantRole role = blockExtent(axis);
  for (const NamedConstant& c : kernel.constants)
    if (c.role == role) return c.value == int64_t(model.block[axis]) ? role : ConstantRole{};
  return addConstant(kernel, role, model.block[axis], std::string("threads of a block along ") + "xyz"[axis]);
}

ExprPtr TileWriter::blockSize(unsigned axis) { return named(model.block[axis], blockRole(axis)); }

// blockIdx.y * kBlockY for blockIdx.y * 16.
ExprPtr TileWriter::withBlockNames(const ExprPtr& e) {
  struct Name : Rewriter {
    TileWriter* owner = nullptr;
    ExprPtr mapExpr(const ExprPtr& x) override {
      const auto* product = as<Binary>(x);
      const auto* number = product && product->op == BinaryOp::Mul ? as<IntLiteral>(product->rhs) : nullptr;
      if (!number || number->hasName()) return x;
      for (unsigned axis = 0; axis < 3; ++axis)
        if (isCoordinate(product->lhs, CoordKind::BlockIdx, axis) &&
            number->value == owner->model.block[axis])
          return makeExpr(x->type,
                          Binary{BinaryOp::Mul, product->lhs,
                                 named(int64_t(number->value), owner->blockRole(axis), product->rhs->type)},
                          x->loc);
      return x;
    }
  } rewriter;
  rewriter.owner = this;
  return rewriter.rewrite(e);
}

// The constant behind the elements of a tile along a dimension, and what is to be added to it; no role: there
// is none.
std::pair<ConstantRole, int64_t> TileWriter::countRole(const StagedTile& staged, size_t d) {
  const Tile& tile = staged.tile;
  const TileDimension& dim = tile.dimensions[d];
  if (dim.followsLoop && dim.count == tile.what.depth && staged.depthRole) return {staged.depthRole, 0};
  int64_t own = 0;  // what the block's threads take of it
  for (unsigned axis = 0; axis < 3; ++axis) {
    const int64_t size = model.block[axis];
    const Poly block = atoms.block(axis);
    if (size < 2 || dim.stride != 1 || dim.count < size || block.constant()) continue;
    if (!(dim.first.coefficient(block.atoms().front()) == Poly(size))) continue;
    own = size;
    if (dim.count == size || isLoadedDirectly(staged)) return {blockRole(axis), dim.count - size};
  }
  const size_t n = tile.dimensions.size();
  if (isLoadedDirectly(staged) || n > 3 || dim.count == 1) return {};
  const std::string& array = model.arrays[tile.array].name;
  const char* what = n == 1 ? "elements" : n - d == 1 ? "columns" : n - d == 2 ? "rows" : "planes";
  const TileSide side = n == 1       ? TileSide::Elements
                        : n - d == 1 ? TileSide::Columns
                        : n - d == 2 ? TileSide::Rows
                                     : TileSide::Planes;
  std::string comment = fmt::format("{} of a tile of {}", what, array);
  if (own && dim.count > own) comment += fmt::format(", {} of them beyond the block", dim.count - own);
  return {addConstant(kernel, {RoleKind::TileExtent, uint8_t(side), 0, array}, dim.count, comment), 0};
}

ExprPtr TileWriter::countOf(const StagedTile& staged, size_t d) {
  const int64_t count = staged.tile.dimensions[d].count;
  const auto [role, more] = countRole(staged, d);
  return more ? intLit(count) : named(count, role);
}

// Whether a condition says something of the launch's parameters alone, and nothing is written where it fails:
// then it may be tested once, before the launch.
bool TileWriter::isTestOfLaunch(const CondPtr& c) const {
  if (c->kind != CondKind::AtLeast0 || c->value.atoms().empty()) return false;
  for (AtomId id : c->value.atoms()) {
    const affine::Atom& atom = atoms[id];
    if (atom.kind != affine::AtomKind::Symbol || !atom.variable || atom.variable->storage != Storage::Param)
      return false;
  }
  // Where a guard says v >= 0, and value - v is a sum of numbers that are not negative.
  auto isLarger = [&](const Poly& value, const Poly& v) {
    const Poly difference = value - v;
    for (const auto& [monomial, factor] : difference.terms()) {
      if (factor < 0) return false;
      for (AtomId id : monomial) {
        const affine::AtomKind kind = atoms[id].kind;
        if (kind != affine::AtomKind::Thread && kind != affine::AtomKind::Block &&
            kind != affine::AtomKind::Loop)
          return false;
      }
    }
    return true;
  };
  std::function<bool(const CondPtr&)> implies = [&](const CondPtr& guard) {
    if (guard->kind == CondKind::And) return std::any_of(guard->parts.begin(), guard->parts.end(), implies);
    return guard->kind == CondKind::AtLeast0 && isLarger(c->value, guard->value);
  };
  return std::all_of(model.accesses.begin(), model.accesses.end(), [&](const affine::Access& access) {
    const bool isOwn = access.array.isSome() && model.arrays[access.array].space != Space::Global &&
                       model.arrays[access.array].space != Space::Generic;
    return !access.writes() || isOwn || implies(access.guard);
  });
}

CondPtr TileWriter::withoutTestsOfLaunch(const CondPtr& c, ToExpr& to) {
  if (!leavesTestsToPlan) return c;
  if (c->kind == CondKind::And) {
    std::vector<CondPtr> rest;
    for (const CondPtr& part : c->parts) rest.push_back(withoutTestsOfLaunch(part, to));
    return affine::allOf(std::move(rest));
  }
  if (!isTestOfLaunch(c)) return c;
  auto test = to.of(c);
  if (!test) return c;
  if (std::none_of(launchTests.begin(), launchTests.end(), [&](const ExprPtr& e) { return equal(e, *test); }))
    launchTests.push_back(*test);
  return affine::allOf({});
}

}  // namespace hone::passes
