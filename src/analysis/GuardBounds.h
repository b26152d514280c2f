// What the guards and loops around an access say of a value, worked out term by term: quick, and often right
// where many pieces meet.
#pragma once

#include "affine/KernelModel.h"

namespace hone::analysis {

// A polynomial of symbols and the grid's size that is not below (`greatest`) or not above `value` wherever
// the access happens. What the guards say comes before the ends of the grid. Nothing when terms are left over
// that vary.
std::optional<affine::Poly> boundUnderGuards(const affine::KernelModel& model, const affine::Access& access,
                                             const affine::Poly& value, bool greatest);

}  // namespace hone::analysis
