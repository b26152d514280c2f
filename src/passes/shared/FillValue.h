// What a statement puts into an element of a tile: values of global memory, chosen by conditions.
#pragma once

#include "affine/KernelModel.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// A value as it is written, made of loads and numbers without arithmetic: conversions, lanes, members.
struct FillLeaf {
  ir::ExprPtr value;
  std::map<const ir::Expr*, affine::AccessId> loads;  // by their places in the value
};

// The first leaf whose condition holds; the last one's is not asked.
struct FillValue {
  struct Choice {
    affine::CondPtr when;  // for the thread and the iteration that stores
    FillLeaf leaf;
  };
  std::vector<Choice> choices;
};

// The value that a store writes. Refuses where it is made of more than that: by arithmetic, of shared memory,
// of variables that hold several values.
Result<FillValue> fillValue(const affine::KernelModel& model, affine::AccessId store);

}  // namespace hone::passes
