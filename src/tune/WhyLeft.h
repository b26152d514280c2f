// Why a kernel stays as it is though passes apply to it, in words that its estimate bears out.
#pragma once

#include <optional>

#include "tune/EstimatePlan.h"

namespace hone::tune {

// How near a launch comes, once it has begun, to what no rewriting could better: moving the bytes that it
// uses through DRAM, or its floating-point arithmetic.
struct RoofShare {
  sim::Limiter roof = sim::Limiter::Dram;
  double share = 0;  // of the estimated time
};
// None: there is no estimate.
std::optional<RoofShare> roofShare(const PlanEstimate& estimate);

// The most times as fast that launches made as often could be: one that takes as long as the roof, or as
// starting it.
double mostGain(const PlanEstimate& estimate);

// "good already …" near the roof; else what the bottleneck is. `variants` were estimated, and none of them is
// `worthIt` times as fast. `areContentsMadeUp`: of arrays that decide what the kernel does.
std::string whyLeft(const PlanEstimate& original, size_t variants, double worthIt, bool areContentsMadeUp);
// The same where `mostGain` is so little that none was looked for.
std::string whyNotTried(const PlanEstimate& original, double worthIt, bool areContentsMadeUp);

}  // namespace hone::tune
