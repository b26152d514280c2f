#include "tune/FillBundle.h"

#include <fmt/core.h>

#include <algorithm>

#include "tune/UniformDraws.h"

namespace hone::tune {

namespace {

// The case with its original.
void addCaseOf(const TunedKernel& kernel, const BundleRequest& request, BundleWriter& into) {
  worker::CaseSpec spec = caseSpecOf(kernel.c, kernel.data, MeasurerOptions().operations);
  const bool isOpenCL = kernel.original->original->language == ir::Language::OpenCL;
  spec.device = !request.device.empty() ? request.device : isOpenCL ? "opencl:0:0" : "cuda:0";
  into.addCase(spec, request.kernel, device::sizesText(kernel.c.sizes()), kernel.original, request.module,
               kernel.c, kernel.data, MeasurerOptions().isExact);
}

// What lies around a variant, in the model's order, as far as the bundle may grow.
template <class Estimated>
void addNeighbours(const Variant& variant, Space& space, const Estimated& estimated, size_t most,
                   BundleWriter& into) {
  std::vector<Variant> around;
  for (const Variant& one : space.neighbours(variant)) {
    if (one.recipe.calls.empty()) continue;  // the original, which is there
    if (Variant known = estimated(one); known.estimate.isKnown()) around.push_back(std::move(known));
  }
  std::sort(around.begin(), around.end(),
            [](const Variant& a, const Variant& b) { return a.estimate.seconds < b.estimate.seconds; });
  for (const Variant& one : around)
    if (into.size() < most) into.add(one);
}

}  // namespace

size_t fillBundle(TunedKernel& kernel, const BundleRequest& request, BundleWriter& into) {
  const size_t before = into.size();
  const TuneOptions& options = request.options;
  addCaseOf(kernel, request, into);
  Space space(kernel.original, kernel.context, breadthFor(options.strategy));
  PlanEstimator estimator(kernel.maker, kernel.original, kernel.context.target);
  auto estimated = [&](Variant variant) {
    variant.estimate = estimator.of(variant.plan);
    return variant;
  };
  for (const Variant& variant : options.given)
    if (!into.add(estimated(variant)))
      request.note(fmt::format("{} is left out: it cannot be printed, or is there already",
                               passes::str(variant.recipe)));
  const size_t most = into.size() + options.mostVariants;
  if (options.strategy == Strategy::Exhaustive) {
    for (const Variant& variant : space.all(options.mostVariants))
      if (into.size() < most) into.add(estimated(variant));
  } else if (options.mostVariants > 0) {
    // The model's own order first, then variants that it did not look at.
    if (options.strategy != Strategy::Random) {
      const Choice choice = rankVariants(kernel, request.note);
      for (const Variant& variant : choice.ranked)
        if (into.size() + options.mostVariants / 2 < most) into.add(variant);
      addNeighbours(choice.ranked.front(), space, estimated, most - options.mostVariants / 4, into);
    }
    UniformDraws draws(space, options.seed);
    while (into.size() < most) {
      const std::optional<Variant> variant = draws.next([&] {
        request.note(fmt::format("{} of {} variants, drawn from about {:.0f}", into.size() - before - 1,
                                 options.mostVariants, draws.ways()));
        return true;
      });
      if (!variant) break;
      into.add(estimated(*variant));
    }
  }
  return into.size() - before - 1;
}

size_t fillBundle(const SizedKernel& kernel, size_t point, const BundleRequest& request, BundleWriter& into) {
  const TunedKernel& at = *kernel.at[point];
  const size_t before = into.size();
  addCaseOf(at, request, into);
  for (size_t v = 1; v < kernel.variants.size(); ++v) {
    request.note(fmt::format("writing variants at {}", device::sizesText(at.c.sizes())));
    into.add(kernel.variants[v]);
  }
  return into.size() - before - 1;
}

}  // namespace hone::tune
