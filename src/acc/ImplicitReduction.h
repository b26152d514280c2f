// Sums and the like that a loop makes without a clause that says so.
#pragma once

#include <optional>

#include "acc/WorkRegion.h"

namespace hone::acc {

/// The operator with which every iteration of a loop takes part in a variable that it does not use otherwise.
std::optional<frontend::AccReductionOp> implicitReduction(const ir::For& loop, const ir::Variable& var);

}  // namespace hone::acc
