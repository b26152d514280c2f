#include "cli/choose/TuneEvidence.h"

#include <fmt/core.h>

#include "ir/Error.h"
#include "tune/EmbeddedMeter.h"
#include "tune/Proposals.h"

namespace hone::cli {

namespace {

// Why proposals for the original, and for the chosen variant, were refused.
std::vector<tune::Refused> refusalsOf(const std::vector<const tune::Variant*>& variants,
                                      passes::PassContext& context) {
  std::vector<tune::Refused> out;
  for (const tune::Variant* variant : variants)
    for (tune::Level level : tune::allLevels)
      for (const passes::Recipe& proposal : tune::proposals(level, *variant, context))
        tune::extended(*variant, proposal, context, [&](const tune::Refused& one) { out.push_back(one); });
  return out;
}

}  // namespace

void gatherEvidence(tune::TunedKernel& kernel, report::TuneReport& about) {
  passes::PassContext& context = kernel.context;
  const ir::PlanPtr& original = kernel.original;
  about.target = context.target.name;
  tune::Variant first;
  first.plan = original;
  std::vector<const tune::Variant*> variants{&first};
  try {
    tune::PlanEstimator estimator(kernel.maker, original, context.target);
    about.before = estimator.of(original);
    if (about.chosen >= 0) {
      const tune::Variant& chosen = about.outcome.tried[static_cast<size_t>(about.chosen)].variant;
      about.after = estimator.of(chosen.plan);
      variants.push_back(&chosen);
    }
    const std::string sizes = device::sizesText(estimator.usedCase().sizes());
    if (sizes != about.sizes) about.estimatedAt = sizes;
  } catch (const Error&) {
    // The page does without counters.
    about.before = about.after = {};
  }
  if (!about.before.isKnown() || (about.chosen >= 0 && !about.after.isKnown()))
    about.before = about.after = {};
  if (about.refused.empty()) about.refused = refusalsOf(variants, context);
  // The model's times belong to its own sizes.
  if (about.isModelled && !about.estimatedAt.empty()) {
    about.work.problem = fmt::format("times are for {}", about.estimatedAt);
    return;
  }
  about.work = tune::countWork(kernel.c, kernel.data, tune::caseSpecOf(kernel.c, kernel.data, 1), original,
                               context.target);
}

void findCeilings(const target::Target& target, device::WorkerTeam* team, tune::Store* store,
                  report::TuneReport& about) {
  if (!about.isModelled && !about.ceilings.isKnown()) {
    if (auto known = store ? store->ceilings(about.device.name, about.device.driver) : std::nullopt) {
      about.ceilings = *known;
    } else if (team) {
      about.ceilings = team->ceilings();
      if (store && about.ceilings.isKnown())
        store->putCeilings(about.device.name, about.device.driver, about.ceilings);
    }
  }
  about.areCeilingsMeasured = about.ceilings.isKnown();
  if (!about.areCeilingsMeasured && (about.isModelled || target.title.starts_with(about.device.name)))
    about.ceilings = tune::ceilingsOf(target);
}

report::TuneReport modelledReport(const report::ChoiceReport& about, const tune::Choice& choice) {
  report::TuneReport out;
  out.kernel = about.kernel;
  out.place = about.place;
  out.target = about.target->name;
  out.device = tune::modelOf(*about.target);
  out.isModelled = true;
  out.isVerified = choice.verification.has_value();
  out.sizes = device::sizesText(choice.sizes);
  out.reason = choice.reason;
  out.rejected = choice.rejected;
  out.refused = choice.refused;
  out.work.problem = "it is for times that were measured";
  if (!choice.original.estimate.isKnown() || choice.original.estimate.launches.empty()) return out;
  out.before = choice.original.estimate;
  out.outcome.original = tune::measurementOf(choice.original.estimate, "");
  for (const tune::Variant& variant : choice.ranked)
    out.outcome.tried.push_back(
        {variant, tune::measurementOf(variant.estimate, passes::str(variant.recipe))});
  out.outcome.stopped = "all that was proposed; shown by estimated time";
  out.chosen = choice.chosen;
  if (const tune::Variant* best = choice.best()) out.after = best->estimate;
  return out;
}

}  // namespace hone::cli
