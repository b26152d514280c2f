// Products of sizes that the host compares before a launch.
#pragma once

#include <vector>

#include "ir/Expr.h"

namespace hone::tune {

// In a type in which no sizes overflow: 64 bits where they fit, else double, which is near enough to tell
// small from large. One size alone keeps its type.
ir::ExprPtr sizeProduct(const std::vector<ir::ExprPtr>& sizes);

}  // namespace hone::tune
