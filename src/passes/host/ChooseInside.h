// A plan that keeps the geometry of the original as one kernel: the condition is tested at its entry.
#pragma once

#include "ir/Plan.h"

namespace hone::passes {

// `if (condition) { the fast body } else { the original body }`, to stand in the original's place. Null: the
// plan changes geometry, arguments or parameters, or is no choice between one launch and the original.
ir::KernelPtr chooseInside(const ir::Plan& plan);

}  // namespace hone::passes
