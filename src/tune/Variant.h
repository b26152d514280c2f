// A plan, the recipe that made it, and what it would cost.
#pragma once

#include "passes/recipe/Pass.h"
#include "tune/EstimatePlan.h"

namespace hone::tune {

struct Variant {
  passes::Recipe recipe;
  ir::PlanPtr plan;
  std::vector<passes::Remark> remarks;  // of the passes that applied
  PlanEstimate estimate;
};

}  // namespace hone::tune
