// Computes IR expressions on the host: grids and counts of plans, bounds in kernels.
#pragma once

#include <functional>
#include <optional>

#include "device/SizeExpr.h"
#include "ir/Expr.h"

namespace hone::device {

struct ExprNames {
  std::function<std::optional<Number>(const ir::ExprPtr&)> place;  // value of a variable or of a field of one
  std::function<std::optional<Number>(const ir::Coord&)> coord;
};

// Nothing when the value depends on what the names do not give, or on memory. Pointers are whole numbers.
std::optional<Number> evaluate(const ir::ExprPtr& expr, const ExprNames& names);

}  // namespace hone::device
