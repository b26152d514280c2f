#include "cli/choose/TuneSizes.h"

#include <fmt/core.h>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/GivenRecipe.h"
#include "ir/Error.h"
#include "report/Progress.h"
#include "tune/EmbeddedMeter.h"
#include "tune/FillBundle.h"
#include "tune/TuneSizes.h"

namespace hone::cli {

using tune::SizedKernel;
using tune::TunedKernel;
using tune::TuneNote;

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
  std::vector<const device::CaseMaker*> makers;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!own[i]) own[i] = setupAt(points[i]);
    makers.push_back(&own[i]->makerOf(file, kernel));
  }
  return tune::prepareSizes(file.import.module, kernel.kernel, base.contextFor(file, kernel),
                            base.makerOf(file, kernel), makers, request.run, listenerWith(note));
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

void SizesTuner::addGiven(SizedKernel& sized) const {
  for (const tune::Variant& variant : tune::givenVariants(request.recipes, sized.variants.front().plan,
                                                          sized.context, givenRecipe, listenerWith({}).warn))
    sized.add(variant);
}

void SizesTuner::pick(const GivenFile& file, const frontend::ImportedKernel& kernel, const SizedKernel& sized,
                      report::SizesReport& about, MadePlan& out, const TuneNote& note) const {
  about.variants = sized.variants.size() - 1;
  for (const auto& row : sized.measured)
    for (const tune::Measurement& one : row) about.known += one.isKnown;
  const auto makerAt = [&](const tune::SizePoint& point) {
    const std::shared_ptr<PassSetup> setup = setupAt(point);
    return std::shared_ptr<const device::CaseMaker>(setup, &setup->makerOf(file, kernel));
  };
  tune::PickedSizes picked = tune::pickSizes(sized, makerAt, request.run, listenerWith(note));
  about.rows = std::move(picked.rows);
  about.classes = std::move(picked.classes);
  about.rejected = std::move(picked.rejected);
  about.reason = std::move(picked.reason);
  about.checked = std::move(picked.checked);
  if (!picked.plan) return;
  out.recipe = fmt::format("by size, measured on {} at {} sizes", about.device.name, about.rows.size());
  for (const std::string& line : about.classes) out.recipe += "\n  " + line;
  out.recipe += "\n  " + picked.range;
  out.result.plan = picked.plan;
  out.result.remarks = std::move(picked.remarks);
  out.verified = true;
  out.speedup = picked.speedup;
}

void SizesTuner::bundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                        tune::BundleWriter& into) {
  if (isEmbedded()) throw Error("a bundle is for a real device; leave --device out or name one", exitCommand);
  const std::string name = withArguments(kernel.name, kernel.templateArgs);
  report::Progress progress(0);
  const TuneNote note = [&](const std::string& what) { progress.step(fmt::format("{}: {}", name, what)); };
  try {
    const auto sized = prepare(file, kernel, note);
    addGiven(*sized);
    tune::proposeForSizes(*sized, request.tune, note);
    const tune::BundleRequest wanted{name, file.import.module, addresses.front().device, request.tune, note};
    for (size_t i = 0; i < points.size(); ++i) {
      const size_t count = tune::fillBundle(*sized, i, wanted, into);
      fmt::print(stderr, "{}: {}: {} variants at {}\n", placeOf(kernel.loc, names), name, count,
                 device::sizesText(sized->at[i]->c.sizes()));
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
    about.device = tune::measureSizes(
        *sized,
        [&](const TunedKernel& at, tune::PlanEstimator& estimator) { return meterFor(file, at, estimator); },
        request.tune, note);
    pick(file, kernel, *sized, about, out, note);
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
        if (!tune::applyAgain(one.variant.recipe, variant, sized->variants.front().plan, sized->context,
                              givenRecipe)) {
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
    pick(file, kernel, *sized, about, out, note);
    if (request.wantsPage) gather(*sized, about, results.ceilings);
  });
}

}  // namespace hone::cli
