#include "tune/TuneSizes.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Compare.h"
#include "tune/UniformDraws.h"

namespace hone::tune {

void proposeForSizes(SizedKernel& sized, const TuneOptions& options, const TuneNote& note) {
  const size_t most = options.mostVariants + sized.variants.size() - 1;
  if (options.strategy == Strategy::Exhaustive) {
    Space space(sized.variants.front().plan, sized.context);
    for (const Variant& variant : space.all(most + 1)) sized.add(variant);
    return;
  }
  std::set<uint64_t> seen = {ir::hash(*sized.variants.front().plan)};
  auto add = [&](const Variant& variant) {
    if (!seen.insert(ir::hash(*variant.plan)).second) return false;
    sized.add(variant);
    return true;
  };
  const size_t points = sized.at.size();
  if (options.strategy != Strategy::Random) {
    std::vector<Choice> choices;
    const std::set<size_t> at = {0, points / 2, points - 1};
    for (size_t i : at) {
      note(fmt::format("ranking at size {} of {}", i + 1, points));
      choices.push_back(rankVariants(*sized.at[i], note));
    }
    for (size_t rank = 0; sized.variants.size() <= (most + 1) / 2; ++rank) {
      bool isAny = false;
      for (const Choice& choice : choices)
        if (rank < choice.ranked.size()) isAny = true, add(choice.ranked[rank]);
      if (!isAny) break;
    }
  }
  Space space(sized.variants.front().plan, sized.context, breadthFor(options.strategy));
  UniformDraws draws(space, options.seed);
  while (sized.variants.size() <= most) {
    note(fmt::format("{} of {} variants", sized.variants.size() - 1, most));
    const std::optional<Variant> variant = draws.next();
    if (!variant) break;
    add(*variant);
  }
}

worker::DeviceInfo measureSizes(SizedKernel& sized, const MeterAt& meterAt, const TuneOptions& options,
                                const TuneNote& note) {
  const size_t points = sized.at.size();
  worker::DeviceInfo device;
  std::vector<std::unique_ptr<PlanEstimator>> estimators(points);
  std::vector<std::unique_ptr<Meter>> meters(points);
  auto turnTo = [&](size_t point) {
    if (meters[point]) return;
    const TunedKernel& at = *sized.at[point];
    estimators[point] = std::make_unique<PlanEstimator>(at.maker, at.original, at.context.target);
    meters[point] = meterAt(at, *estimators[point]);
    sized.put(point, 0, meters[point]->original());
    device = meters[point]->device();
  };
  TuneOptions search = options;
  search.mostVariants = std::max<size_t>(1, options.mostVariants / points);
  search.mostSeconds = options.mostSeconds / 2 / static_cast<double>(points);
  for (size_t i = 0; i < points; ++i) {
    TunedKernel& at = *sized.at[i];
    const std::string sizes = device::sizesText(at.c.sizes());
    const Choice choice = rankVariants(at, note);
    turnTo(i);
    Space space(at.original, at.context, breadthFor(options.strategy));
    search.note = note;
    search.progress = [&](const Measurement&, size_t count, const Measurement& best) {
      note(fmt::format("{}: {} of {} measured, best {:.2f} us", sizes, count, search.mostVariants,
                       best.result.timing.median));
    };
    const TuneOutcome outcome = tune(
        space, *meters[i], choice.ranked,
        [&](Variant& variant) { variant.estimate = estimators[i]->of(variant.plan); }, search);
    for (const Tried& one : outcome.tried) sized.put(i, sized.add(one.variant), one.measurement);
  }
  for (size_t i = 0; i < points; ++i) {
    turnTo(i);
    for (size_t v = 1; v < sized.variants.size(); ++v) {
      note(fmt::format("{}: variant {} of {}", device::sizesText(sized.at[i]->c.sizes()), v,
                       sized.variants.size() - 1));
      if (!sized.has(i, v)) sized.put(i, v, meters[i]->measure(sized.variants[v]));
    }
  }
  return device;
}

}  // namespace hone::tune
