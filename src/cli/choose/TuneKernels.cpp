#include "cli/choose/TuneKernels.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "cli/choose/TuneEvidence.h"
#include "cli/inputs/Arguments.h"
#include "cli/inputs/GivenRecipe.h"
#include "ir/Error.h"
#include "report/Progress.h"
#include "tune/EmbeddedMeter.h"
#include "tune/FillBundle.h"

namespace hone::cli {

using tune::TunedKernel;
using Note = tune::TuneNote;

namespace {

// "last unroll 12.10 us; 12 of 40, about 3:20 min left; best 8.10 us"
std::string progressText(const tune::Measurement& last, size_t count, const tune::Measurement& best,
                         const tune::TuneOptions& options, std::chrono::steady_clock::time_point begin) {
  const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const size_t most = options.mostVariants + options.given.size();
  const double atThisPace =
      gone / static_cast<double>(count) * static_cast<double>(most - std::min(most, count));
  const int left = static_cast<int>(std::clamp(atThisPace, 0.0, std::max(0.0, options.mostSeconds - gone)));
  return fmt::format("last {} {}; {} of {}, about {}:{:02} min left; best {:.2f} us{}", last.recipe,
                     last.isOk() ? fmt::format("{:.2f} us", last.result.timing.median)
                                 : std::string(worker::name(last.result.status)),
                     count, most, left / 60, left % 60, best.result.timing.median,
                     best.recipe.empty() ? " (the original)" : "");
}

}  // namespace

std::vector<device::WorkerAddress> addressesOf(const std::vector<std::string>& devices) {
  std::vector<device::WorkerAddress> out;
  for (const std::string& device : devices) out.push_back(device::workerAddress(device));
  if (out.empty()) out.push_back(device::workerAddress(""));
  return out;
}

std::unique_ptr<device::WorkerTeam> makeTeam(const std::vector<device::WorkerAddress>& addresses) {
  return std::make_unique<device::WorkerTeam>(
      addresses, [](const std::string& what) { fmt::print(stderr, "hone tune: {}\n", what); });
}

tune::TuneListener listenerWith(tune::TuneNote note) {
  return {std::move(note), [](const std::string& what) { fmt::print(stderr, "{}\n", what); }};
}

KernelTuner::KernelTuner(PassSetup& passSetup, DisplayNames& displayNames, TuneRequest tuneRequest)
    : setup(passSetup),
      names(displayNames),
      request(std::move(tuneRequest)),
      addresses(addressesOf(request.devices)) {
  if (!request.store.empty()) store = std::make_unique<tune::Store>(request.store);
  request.run.print = [](const std::string&) {};
}

device::WorkerTeam& KernelTuner::workers() {
  if (!team) team = makeTeam(addresses);
  return *team;
}

std::unique_ptr<TunedKernel> KernelTuner::prepare(const GivenFile& file,
                                                  const frontend::ImportedKernel& kernel, const Note& note) {
  return prepareToTune(setup.contextFor(file, kernel), setup.makerOf(file, kernel), kernel.kernel,
                       request.run, listenerWith(note));
}

std::vector<tune::Variant> KernelTuner::given(TunedKernel& kernel) const {
  return tune::givenVariants(request.recipes, kernel.original, kernel.context, givenRecipe,
                             listenerWith({}).warn);
}

MadePlan KernelTuner::made(const frontend::ImportedKernel& kernel,
                           const std::function<void(report::TuneReport&, MadePlan&)>& make) {
  report::TuneReport about;
  about.kernel = withArguments(kernel.name, kernel.templateArgs);
  about.place = placeOf(kernel.loc, names);
  about.shown = request.shown;
  MadePlan out;
  out.isShown = true;
  try {
    make(about, out);
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    const std::string text = error.what();
    about.reason = text;
  }
  fmt::print(stderr, "{}", report::toText(about));
  if (!out.result.plan) out.result.refusal = passes::Refusal{about.reason, kernel.loc};
  if (request.wantsPage) gathered.push_back(std::move(about));
  return out;
}

void KernelTuner::pick(const TunedKernel& kernel, report::TuneReport& about, MadePlan& out,
                       const Note& note) {
  about.chosen = tune::pickFastest(kernel, about.outcome, about.rejected, note);
  if (about.chosen < 0) {
    about.reason = "nothing that was measured is faster than the original";
    return;
  }
  const tune::Tried& one = about.outcome.tried[static_cast<size_t>(about.chosen)];
  out.result.plan = one.variant.plan;
  out.result.remarks = one.variant.remarks;
  out.recipe = one.measurement.recipe;
  out.verified = true;
  out.speedup = about.outcome.original.result.timing.median / one.measurement.result.timing.median;
}

std::unique_ptr<tune::Meter> KernelTuner::meterFor(const GivenFile& file, const TunedKernel& kernel,
                                                   tune::PlanEstimator& estimator) {
  if (isEmbedded())
    return std::make_unique<tune::EmbeddedMeter>(estimator, kernel.original, kernel.context.target);
  return std::make_unique<tune::Measurer>(workers(), store.get(), file.import.module, kernel.c, kernel.data,
                                          kernel.original, tune::MeasurerOptions());
}

// A variant in which something is found is not written.
void KernelTuner::sanitize(tune::Meter& meter, report::TuneReport& about, MadePlan& out) {
  const tune::Tried& chosen = about.outcome.tried[static_cast<size_t>(about.chosen)];
  auto* measurer = dynamic_cast<tune::Measurer*>(&meter);
  const worker::Result result = measurer ? measurer->sanitize(chosen.variant) : worker::Result();
  fmt::print(stderr, "{}: {}\n", about.kernel,
             measurer ? result.message : "compute-sanitizer needs a real device, through a worker");
  if (result.status != worker::Status::Faulted) return;
  about.reason = fmt::format("compute-sanitizer found errors in {}", chosen.measurement.recipe);
  about.chosen = -1;
  out.result = {};
}

MadePlan KernelTuner::tune(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  return made(kernel, [&](report::TuneReport& about, MadePlan& out) {
    report::Progress progress(0);
    const Note note = [&](const std::string& what) {
      progress.step(fmt::format("{}: {}", about.kernel, what));
    };
    const auto prepared = prepare(file, kernel, note);
    const tune::Choice choice =
        request.tune.mostVariants > 0 ? tune::rankVariants(*prepared, note) : tune::Choice();

    about.isModelled = isEmbedded();
    tune::PlanEstimator estimator(prepared->maker, prepared->original, prepared->context.target);
    const std::unique_ptr<tune::Meter> meter = meterFor(file, *prepared, estimator);
    about.device = meter->device();
    about.sizes = device::sizesText(prepared->c.sizes());

    tune::Space space(prepared->original, prepared->context, tune::breadthFor(request.tune.strategy));
    tune::TuneOptions options = request.tune;
    options.note = note;
    options.given = given(*prepared);
    for (tune::Variant& variant : options.given) variant.estimate = estimator.of(variant.plan);
    const auto begin = std::chrono::steady_clock::now();
    options.progress = [&](const tune::Measurement& last, size_t count, const tune::Measurement& best) {
      note(progressText(last, count, best, options, begin));
    };
    about.outcome = tune::tune(
        space, *meter, choice.ranked,
        [&](tune::Variant& variant) { variant.estimate = estimator.of(variant.plan); }, options);
    pick(*prepared, about, out, note);
    if (request.sanitize && about.chosen >= 0) {
      note("running the chosen one under compute-sanitizer");
      sanitize(*meter, about, out);
    }
    about.refused = choice.refused;
    if (request.wantsPage) {
      note("counting for the report");
      about.strategy = tune::str(request.tune.strategy);
      gatherEvidence(*prepared, about);
      findCeilings(prepared->context.target, team.get(), store.get(), about);
    }
  });
}

void KernelTuner::bundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                         tune::BundleWriter& into) {
  if (isEmbedded()) throw Error("a bundle is for a real device; leave --device out or name one", exitCommand);
  const std::string name = withArguments(kernel.name, kernel.templateArgs);
  report::Progress progress(0);
  const Note note = [&](const std::string& what) { progress.step(fmt::format("{}: {}", name, what)); };
  try {
    const auto prepared = prepare(file, kernel, note);
    tune::BundleRequest wanted{name, file.import.module, addresses.front().device, request.tune, note};
    wanted.options.given = given(*prepared);
    const size_t count = tune::fillBundle(*prepared, wanted, into);
    fmt::print(stderr, "{}: {}: {} variants at {}\n", placeOf(kernel.loc, names), name, count,
               device::sizesText(prepared->c.sizes()));
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    fmt::print(stderr, "{}: {}: left out: {}\n", placeOf(kernel.loc, names), name, error.what());
  }
}

MadePlan KernelTuner::fromBundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                 const tune::BundleResults& results) {
  return made(kernel, [&](report::TuneReport& about, MadePlan& out) {
    report::Progress progress(0);
    const Note note = [&](const std::string& what) {
      progress.step(fmt::format("{}: {}", about.kernel, what));
    };
    const auto prepared = prepare(file, kernel, note);
    const std::string caseId =
        tune::caseKey(tune::caseSpecOf(prepared->c, prepared->data, tune::MeasurerOptions().operations));
    about.sizes = device::sizesText(prepared->c.sizes());
    for (const tune::BundleResults::One& one : results.all) {
      if (one.variant.caseId != caseId) continue;
      about.device = results.devices.at(caseId);
      about.ceilings = results.ceilings;
      const tune::Measurement measurement{one.variant.recipe, one.result, one.variant.predicted, false};
      if (one.variant.recipe.empty()) {
        about.outcome.original = measurement;
        continue;
      }
      about.outcome.tried.push_back({{}, measurement});
    }
    if (about.outcome.tried.empty())
      throw Error(fmt::format("the bundle has no results for it at {}; give the sizes and flags that the "
                              "bundle was made with",
                              about.sizes),
                  1);
    about.outcome.stopped = "the bundle's end";
    note("applying the recipes again");
    for (tune::Tried& one : about.outcome.tried) {
      if (!one.measurement.isOk() ||
          one.measurement.result.timing.median >= about.outcome.original.result.timing.median)
        continue;
      if (tune::applyAgain(one.measurement.recipe, one.variant, prepared->original, prepared->context,
                           givenRecipe))
        continue;
      one.measurement.result.status = worker::Status::Invalid;
      one.measurement.result.message = "the recipe no longer applies";
    }
    pick(*prepared, about, out, note);
    if (request.wantsPage) {
      note("counting for the report");
      about.strategy = tune::str(request.tune.strategy);
      gatherEvidence(*prepared, about);
      findCeilings(prepared->context.target, team.get(), store.get(), about);
    }
  });
}

}  // namespace hone::cli
