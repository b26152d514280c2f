#include "tune/EmbeddedMeter.h"

#include <fmt/core.h>

#include "ir/Error.h"

namespace hone::tune {

EmbeddedMeter::EmbeddedMeter(PlanEstimator& planEstimator, const ir::PlanPtr& original,
                             const target::Target& target)
    : estimator(planEstimator), info(modelOf(target)) {
  first = measurementOf(estimator.of(original), "");
  if (!first.isOk())
    throw Error(fmt::format("the original has no estimate on {}: {}", info.name, first.result.message), 1);
}

Measurement EmbeddedMeter::measure(const Variant& variant) {
  return measurementOf(variant.estimate.isKnown() && !variant.estimate.launches.empty()
                           ? variant.estimate
                           : estimator.of(variant.plan),
                       passes::str(variant.recipe));
}

worker::DeviceInfo modelOf(const target::Target& target) {
  worker::DeviceInfo info;
  info.id = info.kind = "embedded";
  info.name = fmt::format("the model of {}", target.title);
  info.compute = target.capabilityText();
  info.multiprocessors = static_cast<int>(target.multiprocessors);
  info.clockMHz = static_cast<int>(target.clockGHz * 1000);
  info.sharedPerBlock = target.sharedPerBlockOptIn;
  info.cacheBytes = uint64_t(target.l2KiB) * 1024;
  return info;
}

Measurement measurementOf(const PlanEstimate& estimate, const std::string& recipe) {
  Measurement out;
  out.recipe = recipe;
  if (!estimate.isKnown() || estimate.fellBack) {
    out.result.status = worker::Status::Invalid;
    out.result.message = estimate.isKnown()
                             ? "its conditions do not hold at these sizes: the original would run"
                             : estimate.problem;
    return out;
  }
  const double time = estimate.seconds * 1e6;
  out.predicted = time;
  out.result.timing = {time, time, time, 1, 1, 1};
  for (const LaunchEstimate& launch : estimate.launches)
    out.result.kernels.push_back({launch.kernel, static_cast<int>(launch.registers),
                                  static_cast<int>(launch.sharedBytes), 0, 0,
                                  static_cast<int>(launch.occupancy.blocks)});
  return out;
}

worker::Ceilings ceilingsOf(const target::Target& target) {
  return {target.reachedGBs, target.peakGFlops(),
          2.0 * target.multiprocessors * target.fp64Lanes * target.clockGHz};
}

}  // namespace hone::tune
