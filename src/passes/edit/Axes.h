// Axes of blocks and grids.
#pragma once

#include "ir/Expr.h"

namespace hone::passes {

inline constexpr const char* axisNames = "xyz";

inline bool isCoord(const ir::ExprPtr& e, ir::CoordKind kind, unsigned axis) {
  const auto* c = ir::as<ir::Coord>(e);
  return c && c->kind == kind && c->axis == axis;
}

}  // namespace hone::passes
