#include "tune/Measurer.h"

#include <fmt/core.h>

#include <deque>
#include <utility>

#include "device/Judge.h"
#include "ir/Error.h"

namespace hone::tune {

Measurer::Measurer(device::WorkerTeam& workers, Store* store, const ir::Module& ofModule,
                   const device::Case& usedCase, const device::CaseData& usedData,
                   const ir::PlanPtr& original, const MeasurerOptions& wanted)
    : team(workers),
      results(store),
      module(ofModule),
      c(usedCase),
      data(usedData),
      originalPlan(original),
      options(wanted),
      spec(caseSpecOf(usedCase, usedData, wanted.operations)),
      info(workers.choose(ofModule.language == ir::Language::OpenCL ? "opencl" : "cuda")) {
  dataKey = caseKey(spec);
  spec.id = dataKey;
  team.setCase(spec);
  Under under;
  if (prepare(original, under, reference, true)) {
    bool isSent = false;
    team.measure(
        [&](worker::VariantSpec& into) {
          into = reference;
          return !std::exchange(isSent, true);
        },
        [&](size_t, const worker::Result& result) { under.measurement.result = result; });
    keep(under);
  }
  first = under.measurement;
  if (!first.isOk())
    throw Error(fmt::format("the original cannot be measured on {}: {}", info.name, first.result.message), 1);
  best = first.result.timing.median;
}

bool Measurer::prepare(const ir::PlanPtr& plan, Under& under, worker::VariantSpec& variant,
                       bool isReference) {
  worker::Result& result = under.measurement.result;
  result.status = worker::Status::Invalid;
  try {
    PlanJob job = planJob(*plan, module, c, data);
    if (job.fellBack) {
      result.message = "its conditions do not hold at these sizes: the original would run";
      return false;
    }
    variant = std::move(job.variant);
  } catch (const Error& error) {
    result.message = error.what();
    return false;
  }
  variant.isExact = options.isExact;
  variant.isReference = isReference;
  variant.timeoutSeconds = options.timeoutSeconds;
  under.key = {variantKey(variant), dataKey, info.name, info.driver};
  variant.id = under.key.source;
  variant.caseId = spec.id;
  // Asked for now, and not earlier: another tuner may have measured it meanwhile.
  if (results)
    if (auto known = results->find(under.key)) {
      result = known->result;
      under.measurement.isKnown = true;
      return false;
    }
  if (best > 0) variant.giveUpAbove = best * options.giveUpFactor;
  return true;
}

void Measurer::keep(const Under& under) {
  const Measurement& one = under.measurement;
  if (results && !one.result.id.empty())
    results->put({under.key, c.kernel->qualifiedName, one.recipe, device::sizesText(c.sizes()), "",
                  one.predicted, one.result});
}

void Measurer::measureAll(const Next& next, const Done& done) {
  // Another measurer may have used the workers for its case meanwhile.
  team.setCase(spec);
  team.setOriginal(reference);
  std::deque<Under> all;  // by the team's tags
  auto finish = [&](Under& under) {
    if (under.measurement.isOk()) best = std::min(best, under.measurement.result.timing.median);
    done(*under.variant, under.measurement);
  };
  team.measure(
      [&](worker::VariantSpec& into) {
        while (const Variant* variant = next()) {
          Under under{variant};
          under.measurement.recipe = passes::str(variant->recipe);
          under.measurement.predicted = variant->estimate.isKnown() ? variant->estimate.seconds * 1e6 : 0;
          if (prepare(variant->plan, under, into, false)) {
            all.push_back(std::move(under));
            return true;
          }
          finish(under);
        }
        return false;
      },
      [&](size_t tag, const worker::Result& result) {
        all[tag].measurement.result = result;
        keep(all[tag]);
        finish(all[tag]);
      });
}

Measurement Measurer::measure(const Variant& variant) {
  Measurement out;
  bool isGiven = false;
  measureAll([&] { return std::exchange(isGiven, true) ? nullptr : &variant; },
             [&](const Variant&, const Measurement& one) { out = one; });
  return out;
}

worker::Result Measurer::sanitize(const Variant& variant) {
  Under under;
  worker::VariantSpec what;
  prepare(variant.plan, under, what, false);
  if (what.source.empty()) return under.measurement.result;
  team.setCase(spec);
  team.setOriginal(reference);
  return team.sanitize(what);
}

}  // namespace hone::tune
