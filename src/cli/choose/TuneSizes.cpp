#include "cli/choose/TuneSizes.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/GivenRecipe.h"
#include "ir/Compare.h"
#include "ir/Error.h"
#include "report/Progress.h"
#include "tune/EmbeddedMeter.h"
#include "tune/UniformDraws.h"

namespace hone::cli {

SizesTuner::SizesTuner(const PassOptions& passOptions, const device::Settings& settings,
                       std::vector<tune::SizePoint> sizePoints, DisplayNames& displayNames,
                       TuneRequest tuneRequest)
    : options(passOptions),
      commandLine(settings),
      points(std::move(sizePoints)),
      names(displayNames),
      request(std::move(tuneRequest)),
      addresses(addressesOf(request.devices)),
      base(passOptions, settings) {
  if (!request.store.empty()) store = std::make_unique<tune::Store>(request.store);
  request.run.print = [](const std::string&) {};
  own.resize(points.size());
  for (const auto& [name, value] : points.front())
    if (commandLine.set.contains(name)) throw Error(fmt::format("'{}' stands in --set and in --sizes", name));
}

std::unique_ptr<PassSetup> SizesTuner::setupAt(const tune::SizePoint& point) const {
  device::Settings settings = commandLine;
  for (const auto& [name, value] : point) settings.set[name] = {value, "--sizes " + name};
  return std::make_unique<PassSetup>(options, settings);
}

std::unique_ptr<SizedKernel> SizesTuner::prepare(const GivenFile& file,
                                                 const frontend::ImportedKernel& kernel,
                                                 const TuneNote& note) {
  auto out = std::make_unique<SizedKernel>(
      SizedKernel{file, kernel, base.contextFor(file, kernel), base.makerOf(file, kernel)});
  std::set<std::map<std::string, int64_t>> different;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!own[i]) own[i] = setupAt(points[i]);
    out->at.push_back(
        prepareToTune(out->context, own[i]->makerOf(file, kernel), kernel.kernel, request.run, note));
    const device::Case& c = out->at.back()->c;
    different.insert(numbersOf(c));
    if (c.block != out->context.block)
      throw Error(fmt::format("its block is {} at {} and {} elsewhere; give one with --block",
                              device::extentsText(c.block), device::sizesText(c.sizes()),
                              device::extentsText(out->context.block)),
                  1);
  }
  if (different.size() < points.size())
    throw Error("two of the sizes are the same for it: --sizes must name whole numbers among its parameters",
                1);
  tune::Variant original;
  original.plan = ir::originalPlan(kernel.kernel);
  out->measured.resize(points.size());
  out->isMeasured.resize(points.size());
  out->add(original);
  return out;
}

MadePlan SizesTuner::made(const frontend::ImportedKernel& kernel,
                          const std::function<void(report::SizesReport&, MadePlan&, const TuneNote&)>& make) {
  report::SizesReport about;
  about.kernel = withArguments(kernel.name, kernel.templateArgs);
  about.place = placeOf(kernel.loc, names);
  MadePlan out;
  out.isShown = true;
  {
    report::Progress progress(0);
    const TuneNote note = [&](const std::string& what) {
      progress.step(fmt::format("{}: {}", about.kernel, what));
    };
    try {
      make(about, out, note);
    } catch (const Error& error) {
      if (error.status == exitCommand) throw;
      const std::string text = error.what();
      about.reason = text;
    }
  }
  if (request.wantsPage && about.rows.empty()) {
    report::TuneReport page;
    page.kernel = about.kernel;
    page.place = about.place;
    page.reason = about.reason;
    gathered.push_back(std::move(page));
  }
  fmt::print(stderr, "{}", report::toText(about));
  if (!out.result.plan) out.result.refusal = passes::Refusal{about.reason, kernel.loc};
  return out;
}

void SizesTuner::addGiven(SizedKernel& sized) {
  for (const tune::Variant& variant :
       givenVariants(request.recipes, sized.variants.front().plan, sized.context))
    sized.add(variant);
}

// The model's best at some of the sizes in turn, then variants that it did not look at.
void SizesTuner::propose(SizedKernel& sized, size_t most, const TuneNote& note) {
  addGiven(sized);
  most += sized.variants.size() - 1;
  if (request.tune.strategy == tune::Strategy::Exhaustive) {
    tune::Space space(sized.variants.front().plan, sized.context);
    for (const tune::Variant& variant : space.all(most + 1)) sized.add(variant);
    return;
  }
  std::set<uint64_t> seen = {ir::hash(*sized.variants.front().plan)};
  auto add = [&](const tune::Variant& variant) {
    if (!seen.insert(ir::hash(*variant.plan)).second) return false;
    sized.add(variant);
    return true;
  };
  if (request.tune.strategy != tune::Strategy::Random) {
    std::vector<tune::Choice> choices;
    std::set<size_t> at = {0, points.size() / 2, points.size() - 1};
    for (size_t i : at) {
      note(fmt::format("ranking at size {} of {}", i + 1, points.size()));
      choices.push_back(rankVariants(*sized.at[i], note));
    }
    for (size_t rank = 0; sized.variants.size() <= (most + 1) / 2; ++rank) {
      bool isAny = false;
      for (const tune::Choice& choice : choices)
        if (rank < choice.ranked.size()) isAny = true, add(choice.ranked[rank]);
      if (!isAny) break;
    }
  }
  tune::Space space(sized.variants.front().plan, sized.context, tune::breadthFor(request.tune.strategy));
  tune::UniformDraws draws(space, request.tune.seed);
  while (sized.variants.size() <= most) {
    note(fmt::format("{} of {} variants", sized.variants.size() - 1, most));
    const std::optional<tune::Variant> variant = draws.next();
    if (!variant) break;
    add(*variant);
  }
}

void SizesTuner::bundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                        tune::BundleWriter& into) {
  if (isEmbedded()) throw Error("a bundle is for a real device; leave --device out or name one", exitCommand);
  const std::string name = withArguments(kernel.name, kernel.templateArgs);
  report::Progress progress(0);
  const TuneNote note = [&](const std::string& what) { progress.step(fmt::format("{}: {}", name, what)); };
  try {
    const auto sized = prepare(file, kernel, note);
    propose(*sized, request.tune.mostVariants, note);
    for (size_t i = 0; i < points.size(); ++i) {
      const TunedKernel& at = *sized->at[i];
      worker::CaseSpec spec = tune::caseSpecOf(at.c, at.data, tune::MeasurerOptions().operations);
      const bool isOpenCL = kernel.kernel->language == ir::Language::OpenCL;
      const std::string& named = addresses.front().device;
      spec.device = !named.empty() ? named : isOpenCL ? "opencl:0:0" : "cuda:0";
      const std::string sizes = device::sizesText(at.c.sizes());
      const size_t before = into.size();
      into.addCase(spec, name, sizes, at.original, file.import.module, at.c, at.data,
                   tune::MeasurerOptions().isExact);
      for (size_t v = 1; v < sized->variants.size(); ++v) {
        note(fmt::format("writing variants at {}", sizes));
        into.add(sized->variants[v]);
      }
      fmt::print(stderr, "{}: {}: {} variants at {}\n", placeOf(kernel.loc, names), name,
                 into.size() - before - 1, sizes);
    }
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    fmt::print(stderr, "{}: {}: left out: {}\n", placeOf(kernel.loc, names), name, error.what());
  }
}

std::unique_ptr<tune::Meter> SizesTuner::meterFor(const GivenFile& file, const TunedKernel& at,
                                                  tune::PlanEstimator& estimator) {
  if (isEmbedded()) return std::make_unique<tune::EmbeddedMeter>(estimator, at.original, at.context.target);
  if (!team) team = makeTeam(addresses);
  const tune::MeasurerOptions wanted;
  return std::make_unique<tune::Measurer>(*team, store.get(), file.import.module, at.c, at.data, at.original,
                                          wanted);
}

MadePlan SizesTuner::tune(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  return made(kernel, [&](report::SizesReport& about, MadePlan& out, const TuneNote& note) {
    const auto sized = prepare(file, kernel, note);
    addGiven(*sized);
    std::vector<std::unique_ptr<tune::PlanEstimator>> estimators(points.size());
    std::vector<std::unique_ptr<tune::Meter>> meters(points.size());
    auto turnTo = [&](size_t point) {
      if (meters[point]) return;
      const TunedKernel& at = *sized->at[point];
      estimators[point] = std::make_unique<tune::PlanEstimator>(at.maker, at.original, at.context.target);
      meters[point] = meterFor(file, at, *estimators[point]);
      sized->put(point, 0, meters[point]->original());
      about.device = meters[point]->device();
    };
    tune::TuneOptions search = request.tune;
    search.mostVariants = std::max<size_t>(1, request.tune.mostVariants / points.size());
    search.mostSeconds = request.tune.mostSeconds / 2 / static_cast<double>(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      TunedKernel& at = *sized->at[i];
      const std::string sizes = device::sizesText(at.c.sizes());
      const tune::Choice choice = rankVariants(at, note);
      turnTo(i);
      tune::Space space(at.original, at.context, tune::breadthFor(request.tune.strategy));
      search.note = note;
      search.progress = [&](const tune::Measurement&, size_t count, const tune::Measurement& best) {
        note(fmt::format("{}: {} of {} measured, best {:.2f} us", sizes, count, search.mostVariants,
                         best.result.timing.median));
      };
      const tune::TuneOutcome outcome = tune::tune(
          space, *meters[i], choice.ranked,
          [&](tune::Variant& variant) { variant.estimate = estimators[i]->of(variant.plan); }, search);
      for (const tune::Tried& one : outcome.tried) sized->put(i, sized->add(one.variant), one.measurement);
    }
    for (size_t i = 0; i < points.size(); ++i) {
      turnTo(i);
      for (size_t v = 1; v < sized->variants.size(); ++v) {
        note(fmt::format("{}: variant {} of {}", device::sizesText(sized->at[i]->c.sizes()), v,
                         sized->variants.size() - 1));
        if (sized->isMeasured[i].size() <= v || !sized->isMeasured[i][v])
          sized->put(i, v, meters[i]->measure(sized->variants[v]));
      }
    }
    pick(*sized, about, out, note);
    if (request.wantsPage) gather(*sized, about, {});
  });
}

MadePlan SizesTuner::fromBundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                const tune::BundleResults& results) {
  return made(kernel, [&](report::SizesReport& about, MadePlan& out, const TuneNote& note) {
    const auto sized = prepare(file, kernel, note);
    std::map<std::string, size_t> caseIds, before;
    for (size_t i = 0; i < points.size(); ++i) {
      const std::string key = tune::caseKey(
          tune::caseSpecOf(sized->at[i]->c, sized->at[i]->data, tune::MeasurerOptions().operations));
      caseIds[tune::bundleCase(key, before[key]++)] = i;
    }
    note("applying the recipes again");
    std::set<std::string> gone;
    std::map<std::string, size_t> numbers = {{"", 0}};  // of variants, by recipe as the bundle has it
    for (const tune::BundleResults::One& one : results.all) {
      const auto found = caseIds.find(one.variant.caseId);
      if (found == caseIds.end() || gone.contains(one.variant.recipe)) continue;
      about.device = results.devices.at(one.variant.caseId);
      auto known = numbers.find(one.variant.recipe);
      if (known == numbers.end()) {
        tune::Variant variant;
        if (!applyAgain(one.variant.recipe, variant, sized->variants.front().plan, sized->context)) {
          gone.insert(one.variant.recipe);
          continue;
        }
        known = numbers.emplace(one.variant.recipe, sized->add(variant)).first;
      }
      sized->put(found->second, known->second,
                 {one.variant.recipe, one.result, one.variant.predicted, false});
    }
    for (size_t i = 0; i < points.size(); ++i)
      if (sized->measured[i].empty() || !sized->measured[i][0].isOk() ||
          sized->measured[i][0].result.timing.median <= 0)
        throw Error(fmt::format("the bundle has no results for it at {}; give the sizes and flags that the "
                                "bundle was made with",
                                device::sizesText(sized->at[i]->c.sizes())),
                    1);
    pick(*sized, about, out, note);
    if (request.wantsPage) gather(*sized, about, results.ceilings);
  });
}

}  // namespace hone::cli
