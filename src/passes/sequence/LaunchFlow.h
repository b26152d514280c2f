// Where a group of threads gets what its steps load, and what of its stores the memory must still see: proved
// for every group and every size that fits.
#pragma once

#include <functional>

#include "passes/sequence/LaunchGroups.h"

namespace hone::passes {

// What a store of one member leaves in an element.
struct LaunchValue {
  ir::VarPtr array;
  affine::Poly at;
  size_t step = 0;
  bool isLoaded = false;  // by a later step of the group
  bool isStored = false;  // the memory must have it in the end
};

// By statement of the step's code.
struct MemberFlow {
  std::vector<std::vector<int>> loads;  // by load: the value that it gets; -1: from memory
  std::vector<int> stores;              // the value that it makes; -1: it stores nothing
};

struct StepArray {
  ir::VarPtr array;
  bool isWritten = false;  // by some step
  bool isStored = false;   // by the joined kernel
  std::optional<affine::Poly>
      end;  // elements that the steps touch have numbers from 0 to below this; nothing: not known
};

struct LaunchFlow {
  std::vector<LaunchValue> values;
  std::vector<std::vector<MemberFlow>> members;  // by step and member
  std::vector<StepArray> arrays;
  // What the values of index expressions rely on.
  std::vector<LaunchValues::Limit> limits;
  std::vector<ir::ExprPtr> powersOfTwo;
};

// Whether nobody looks at what the steps leave in an array; `isLoaded`: the steps themselves load from it
// before they write to it.
using IsDead = std::function<bool(const ir::VarPtr& array, bool isLoaded)>;

// Refuses where something cannot be proved: each thread of each step is in one
// group, a group loads what its own threads wrote or what no group writes, elements that are stored belong to
// one group, and what is no longer stored is overwritten later or dead.
Result<LaunchFlow> flowOf(const std::vector<LaunchCode>& steps, const LaunchGroups& groups,
                          const IsDead& isDead);

// The flow of steps of which the last one writes over all that those before it left in an array and loads
// nothing of it; nothing is stored in it. Refuses where that, or what flowOf asks for, cannot be
// proved.
Result<LaunchFlow> flowOver(const std::vector<LaunchCode>& steps, const LaunchGroups& groups,
                            const ir::VarPtr& array);

}  // namespace hone::passes
