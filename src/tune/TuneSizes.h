// Looks for variants of a kernel that are fast at several sizes.
#pragma once

#include "tune/EstimatePlan.h"
#include "tune/SizedKernel.h"

namespace hone::tune {

// Adds as many variants as the options say, without measuring: the model's best at some of the sizes in turn,
// then variants that it did not look at.
void proposeForSizes(SizedKernel& sized, const TuneOptions& options, const TuneNote& note);

using MeterAt = std::function<std::unique_ptr<Meter>(const TunedKernel& point, PlanEstimator& estimator)>;

// Searches at each size by itself, then measures all that was found at all sizes. The budget of the options
// is that of all sizes together. The device is what the meters say.
worker::DeviceInfo measureSizes(SizedKernel& sized, const MeterAt& meterAt, const TuneOptions& options,
                                const TuneNote& note);

}  // namespace hone::tune
