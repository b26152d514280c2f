// Measures variants of one kernel for one case on a device, and remembers.
#pragma once

#include "device/WorkerTeam.h"
#include "tune/MeasureJob.h"
#include "tune/Meter.h"
#include "tune/Store.h"

namespace hone::tune {

struct MeasurerOptions {
  bool isExact = false;  // floats must be equal bit for bit
  double timeoutSeconds = 30;
  double giveUpFactor = 8;   // variants so many times slower than the best are not measured to the end
  double operations = 1000;  // of a thread, for the bound on floats
};

class Measurer : public Meter {
 public:
  // Opens the case and measures the original. `store` may be null. Throws hone::Error when that does not
  // work.
  Measurer(device::WorkerTeam& workers, Store* store, const ir::Module& module, const device::Case& usedCase,
           const device::CaseData& usedData, const ir::PlanPtr& original, const MeasurerOptions& wanted);

  const Measurement& original() const override { return first; }
  const worker::DeviceInfo& device() const override { return info; }
  Measurement measure(const Variant& variant) override;
  void measureAll(const Next& next, const Done& done) override;
  size_t room() const override { return team.room(); }
  // The variant under compute-sanitizer, where the worker has it: ok, faulted or invalid, with a message.
  worker::Result sanitize(const Variant& variant);

 private:
  // A variant on its way.
  struct Under {
    const Variant* variant = nullptr;
    StoreKey key = {};
    Measurement measurement = {};
  };
  // Fills in what is sent; false when the measurement is known already, or cannot be made.
  bool prepare(const ir::PlanPtr& plan, Under& under, worker::VariantSpec& variant, bool isReference);
  void keep(const Under& under);

  device::WorkerTeam& team;
  Store* results;
  const ir::Module& module;
  const device::Case& c;
  const device::CaseData& data;
  ir::PlanPtr originalPlan;
  MeasurerOptions options;
  worker::CaseSpec spec;
  worker::DeviceInfo info;
  worker::VariantSpec reference;  // the original
  std::string dataKey;
  Measurement first;
  double best = 0;
};

}  // namespace hone::tune
