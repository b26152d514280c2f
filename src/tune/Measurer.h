// Measures variants of one kernel for one case on a device, and remembers.
#pragma once

#include "device/WorkerClient.h"
#include "tune/MeasureJob.h"
#include "tune/Meter.h"
#include "tune/Store.h"

namespace hone::tune {

struct MeasurerOptions {
  std::string device;    // "cuda:0"; empty: the first that speaks the kernel's language
  bool isExact = false;  // floats must be equal bit for bit
  double timeoutSeconds = 30;
  double giveUpFactor = 8;   // variants so many times slower than the best are not measured to the end
  double operations = 1000;  // of a thread, for the bound on floats
};

class Measurer : public Meter {
 public:
  // Opens the case and measures the original. `store` may be null. Throws hone::Error when that does not work.
  Measurer(device::WorkerClient& worker, Store* store, const ir::Module& module, const device::Case& usedCase,
           const device::CaseData& usedData, const ir::PlanPtr& original, const MeasurerOptions& wanted);

  const Measurement& original() const override { return first; }
  const worker::DeviceInfo& device() const override { return info; }
  Measurement measure(const Variant& variant) override;
  // The worker has another case open from now on; the next measurement opens this one again.
  void leave() { isOpen = false; }

 private:
  Measurement run(const ir::PlanPtr& plan, const std::string& recipe, double predicted, bool isReference);
  void openCase();

  device::WorkerClient& client;
  Store* results;
  const ir::Module& module;
  const device::Case& c;
  const device::CaseData& data;
  ir::PlanPtr originalPlan;
  MeasurerOptions options;
  worker::CaseSpec spec;
  worker::DeviceInfo info;
  worker::VariantSpec reference;
  std::string dataKey;
  bool isOpen = false;
  Measurement first;
  double best = 0;
};

}  // namespace hone::tune
