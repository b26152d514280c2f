// Plans whose tests hold for every launch: no arithmetic that overflows decides what runs.
#pragma once

#include "ir/Plan.h"

namespace hone::ir {

// The plan with bounds (Overflow.h) in the tests that decide between fast code and other code: choices with
// two branches, and tests that are handed to kernels. Numbers of unsigned 64 bits that new kernels take for
// signed ones are bounded too.
PlanPtr withSafeTests(const PlanPtr& plan);

}  // namespace hone::ir
