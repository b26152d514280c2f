// Runs of neighbouring elements that threads write, those of neighbouring threads side by side.
#pragma once

#include "affine/KernelModel.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

struct RunStore {
  affine::AccessId access;
  affine::Poly slot;  // which element of the run, over the counters of loops around the store
};

// Thread t of a block writes the elements first + length * t + slot, each slot once, where `guard` holds for
// it.
struct StoreRun {
  affine::ArrayId array;
  ir::TypePtr element;
  int64_t length = 0;
  affine::Poly first;  // in elements from the array's start, the same for all threads of a block
  affine::CondPtr guard;
  std::vector<RunStore> stores;
};

// Refuses where what threads write to the array are no such runs, or the writes cannot wait until the
// end of the kernel. Other arrays that are touched meanwhile, which must lie apart from it, are added to
// `meanwhile`.
Result<StoreRun> storeRun(const affine::KernelModel& model, affine::ArrayId array,
                          std::vector<affine::ArrayId>& meanwhile);

}  // namespace hone::passes
