// What the page of a tuning run shows besides measurements: counters before and after, refusals, the kernel's work.
#include <fmt/core.h>

#include "cli/TuneKernels.h"
#include "ir/Error.h"
#include "tune/Proposals.h"

namespace hone::cli {

namespace {

// Why proposals for the original, and for the chosen variant, were refused.
std::vector<tune::Refused> refusalsOf(const std::vector<const tune::Variant*>& variants,
                                      passes::PassContext& context) {
  std::vector<tune::Refused> out;
  for (const tune::Variant* variant : variants)
    for (tune::Level level : tune::allLevels)
      for (const std::string& proposal : tune::proposals(level, *variant, context))
        tune::extended(*variant, proposal, context, [&](const tune::Refused& one) { out.push_back(one); });
  return out;
}

}  // namespace

void KernelTuner::gatherEvidence(const device::CaseMaker& maker, passes::PassContext& context,
                                 const ir::PlanPtr& original, const device::Case& c,
                                 const device::CaseData& data, report::TuneReport& about) {
  about.target = context.target.name;
  about.strategy = tune::str(request.tune.strategy);
  tune::Variant first;
  first.plan = original;
  std::vector<const tune::Variant*> variants{&first};
  try {
    tune::PlanEstimator estimator(maker, original, context.target);
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
  about.work = tune::countWork(c, data, tune::caseSpecOf(c, data, 1), original, context.target);
}

}  // namespace hone::cli
