// Variants "measured" on the embedded device: a sample of their blocks is run there, and the model of the
// target makes a time of what was counted.
#pragma once

#include "tune/Meter.h"

namespace hone::tune {

class EmbeddedMeter : public Meter {
 public:
  // The estimator lives as long as this object. Throws hone::Error where the original has no estimate.
  EmbeddedMeter(PlanEstimator& planEstimator, const ir::PlanPtr& original, const target::Target& target);

  const Measurement& original() const override { return first; }
  const worker::DeviceInfo& device() const override { return info; }
  Measurement measure(const Variant& variant) override;

 private:
  PlanEstimator& estimator;
  worker::DeviceInfo info;
  Measurement first;
};

// An estimate in the place of a measurement.
Measurement measurementOf(const PlanEstimate& estimate, const std::string& recipe);

// The model as a device.
worker::DeviceInfo modelOf(const target::Target& target);

// What the target reaches at most, by its description.
worker::Ceilings ceilingsOf(const target::Target& target);

}  // namespace hone::tune
