// Rows of arrays of which nothing is known before the launch (a gather by an index in memory): whether they
// lie apart the kernel itself can ask where it walks them.
#pragma once

#include "passes/reduce/ReductionLoop.h"

namespace hone::passes {

// What must hold before the loop for the memory of two of its accesses, over all its iterations, to lie
// apart; null: that cannot be said there.
ir::ExprPtr apartBeforeLoop(const affine::KernelModel& model, const ReductionLoop& loop,
                            affine::AccessId first, affine::AccessId second);

}  // namespace hone::passes
