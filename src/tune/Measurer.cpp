#include "tune/Measurer.h"

#include <fmt/core.h>

#include "device/Judge.h"
#include "ir/Error.h"

namespace hone::tune {

namespace {

// Whether a device runs kernels of this language.
bool speaks(const worker::DeviceInfo& info, ir::Language language) {
  return info.kind == (language == ir::Language::OpenCL ? "opencl" : "cuda");
}

}  // namespace

Measurer::Measurer(device::WorkerClient& worker, Store* store, const ir::Module& ofModule,
                   const device::Case& usedCase, const device::CaseData& usedData,
                   const ir::PlanPtr& original, const MeasurerOptions& wanted)
    : client(worker),
      results(store),
      module(ofModule),
      c(usedCase),
      data(usedData),
      originalPlan(original),
      options(wanted),
      spec(caseSpecOf(usedCase, usedData, wanted.operations)) {
  const auto [devices, notes] = client.devices();
  for (const worker::DeviceInfo& one : devices) {
    const bool isWanted = options.device.empty() || one.id == options.device || one.kind == options.device;
    if (info.id.empty() && isWanted && speaks(one, module.language)) info = one;
  }
  if (info.id.empty()) {
    std::string there;
    for (const worker::DeviceInfo& one : devices) there += (there.empty() ? "" : ", ") + one.id;
    throw Error(
        fmt::format(
            "there is no {} device{}; there {}", module.language == ir::Language::OpenCL ? "OpenCL" : "CUDA",
            options.device.empty() ? "" : " '" + options.device + "'",
            there.empty() ? "is none at all (--device embedded estimates without one)" : "are: " + there),
        2);
  }
  spec.device = info.id;
  dataKey = caseKey(spec);
  spec.id = dataKey;
  first = run(original, "", 0, true);
  if (!first.isOk())
    throw Error(fmt::format("the original cannot be measured on {}: {}", info.name, first.result.message), 1);
  best = first.result.timing.median;
}

void Measurer::openCase() {
  if (isOpen) return;
  client.open(spec);
  isOpen = true;
  if (reference.id.empty()) return;
  worker::VariantSpec untimed = reference;
  untimed.timeIt = false;
  const worker::Result result = client.measure(untimed);
  if (result.status != worker::Status::Ok)
    throw Error(fmt::format("the original cannot be run on {}: {}", info.name, result.message), 1);
}

Measurement Measurer::run(const ir::PlanPtr& plan, const std::string& recipe, double predicted,
                          bool isReference) {
  Measurement out;
  out.recipe = recipe;
  out.predicted = predicted;
  worker::VariantSpec variant;
  try {
    PlanJob job = planJob(*plan, module, c, data);
    if (job.fellBack) {
      out.result.status = worker::Status::Invalid;
      out.result.message = "its conditions do not hold at these sizes: the original would run";
      return out;
    }
    variant = std::move(job.variant);
  } catch (const Error& error) {
    out.result.status = worker::Status::Invalid;
    out.result.message = error.what();
    return out;
  }
  variant.isExact = options.isExact;
  variant.isReference = isReference;
  variant.timeoutSeconds = options.timeoutSeconds;
  StoreKey key{variantKey(variant), dataKey, info.name, info.driver};
  variant.id = key.source;
  variant.caseId = spec.id;
  if (isReference) reference = variant;
  if (results)
    if (auto known = results->find(key)) {
      out.result = known->result;
      out.isKnown = true;
      return out;
    }
  if (isReference)
    client.open(spec), isOpen = true;
  else
    openCase();
  if (best > 0) variant.giveUpAbove = best * options.giveUpFactor;
  out.result = client.measure(variant);
  if (results)
    results->put(
        {key, c.kernel->qualifiedName, recipe, device::sizesText(c.sizes()), "", predicted, out.result});
  return out;
}

Measurement Measurer::measure(const Variant& variant) {
  const double predicted = variant.estimate.isKnown() ? variant.estimate.seconds * 1e6 : 0;
  Measurement out = run(variant.plan, passes::str(variant.recipe), predicted, false);
  if (out.isOk()) best = std::min(best, out.result.timing.median);
  return out;
}

}  // namespace hone::tune
