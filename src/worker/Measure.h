// One variant on one case: built, run, compared with the original, timed.
#pragma once

#include <functional>

#include "worker/CaseOnDevice.h"

namespace hone::worker {

// What the original left in the arrays of a case; empty for those that nobody compares.
using Reference = std::vector<std::vector<uint8_t>>;

// Throws DeviceError only: everything else becomes the result's status. A variant that is the reference fills
// `reference`.
Result measure(Device& device, CaseOnDevice& onDevice, const VariantSpec& variant, Reference& reference);

// The median of the samples and the interval that holds it with a probability of 95 %, whatever their
// distribution.
Timing timingOf(std::vector<double> samples);

}  // namespace hone::worker
