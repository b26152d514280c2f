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
#include "tune/UniformDraws.h"

namespace hone::cli {

using Note = TuneNote;

namespace {

constexpr double kLineSeconds = 10;  // between lines of progress where there is no terminal

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

// What lies around a variant, in the model's order, as far as the bundle may grow.
template <class Estimated>
void addNeighbours(const tune::Variant& variant, tune::Space& space, const Estimated& estimated, size_t most,
                   tune::BundleWriter& into) {
  std::vector<tune::Variant> around;
  for (const tune::Variant& one : space.neighbours(variant)) {
    if (one.recipe.calls.empty()) continue;  // the original, which is there
    if (tune::Variant known = estimated(one); known.estimate.isKnown()) around.push_back(std::move(known));
  }
  std::sort(around.begin(), around.end(), [](const tune::Variant& a, const tune::Variant& b) {
    return a.estimate.seconds < b.estimate.seconds;
  });
  for (const tune::Variant& one : around)
    if (into.size() < most) into.add(one);
}

}  // namespace

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
                       request.run, note);
}

std::vector<tune::Variant> KernelTuner::given(TunedKernel& kernel, tune::PlanEstimator& estimator) {
  std::vector<tune::Variant> out = givenVariants(request.recipes, kernel.original, kernel.context);
  for (tune::Variant& variant : out) variant.estimate = estimator.of(variant.plan);
  return out;
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

// The fastest that the embedded device finds right at other sizes too.
void KernelTuner::pick(TunedKernel& kernel, report::TuneReport& about, MadePlan& out, const Note& note) {
  std::vector<const tune::Tried*> order;
  for (const tune::Tried& one : about.outcome.tried)
    if (one.measurement.isOk()) order.push_back(&one);
  std::sort(order.begin(), order.end(), [](const tune::Tried* a, const tune::Tried* b) {
    return a->measurement.result.timing.median < b->measurement.result.timing.median;
  });
  const double originalTime = about.outcome.original.result.timing.median;
  for (const tune::Tried* one : order) {
    if (one->measurement.result.timing.median >= originalTime) break;
    note(fmt::format("verifying {}", one->measurement.recipe));
    const device::Judgement judged =
        device::verify(kernel.maker, kernel.original, one->variant.plan, kernel.judge);
    if (!judged.equal || judged.errors() > 0) {
      about.rejected.push_back(one->measurement.recipe);
      continue;
    }
    about.chosen = static_cast<int>(one - about.outcome.tried.data());
    out.result.plan = one->variant.plan;
    out.result.remarks = one->variant.remarks;
    out.recipe = one->measurement.recipe;
    out.verified = true;
    out.speedup = originalTime / one->measurement.result.timing.median;
    return;
  }
  about.reason = "nothing that was measured is faster than the original";
}

std::unique_ptr<tune::Meter> KernelTuner::meterFor(const GivenFile& file, TunedKernel& kernel,
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
    report::Progress progress(0, kLineSeconds);
    const Note note = [&](const std::string& what) {
      progress.step(fmt::format("{}: {}", about.kernel, what));
    };
    const auto prepared = prepare(file, kernel, note);
    const tune::Choice choice =
        request.tune.mostVariants > 0 ? rankVariants(*prepared, note) : tune::Choice();

    about.isModelled = isEmbedded();
    tune::PlanEstimator estimator(prepared->maker, prepared->original, prepared->context.target);
    const std::unique_ptr<tune::Meter> meter = meterFor(file, *prepared, estimator);
    about.device = meter->device();
    about.sizes = device::sizesText(prepared->c.sizes());

    tune::Space space(prepared->original, prepared->context, tune::breadthFor(request.tune.strategy));
    tune::TuneOptions options = request.tune;
    options.note = note;
    options.given = given(*prepared, estimator);
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
    worker::CaseSpec spec = tune::caseSpecOf(prepared->c, prepared->data, tune::MeasurerOptions().operations);
    const bool isOpenCL = kernel.kernel->language == ir::Language::OpenCL;
    const std::string& named = addresses.front().device;
    spec.device = !named.empty() ? named : isOpenCL ? "opencl:0:0" : "cuda:0";
    const size_t before = into.size();
    into.addCase(spec, name, device::sizesText(prepared->c.sizes()), prepared->original, file.import.module,
                 prepared->c, prepared->data, tune::MeasurerOptions().isExact);
    tune::Space space(prepared->original, prepared->context, tune::breadthFor(request.tune.strategy));
    tune::PlanEstimator estimator(prepared->maker, prepared->original, prepared->context.target);
    auto estimated = [&](tune::Variant variant) {
      variant.estimate = estimator.of(variant.plan);
      return variant;
    };
    for (const tune::Variant& variant : given(*prepared, estimator))
      if (!into.add(variant))
        note(fmt::format("{} is left out: it cannot be printed, or is there already",
                         passes::str(variant.recipe)));
    const size_t most = into.size() + request.tune.mostVariants;
    if (request.tune.strategy == tune::Strategy::Exhaustive) {
      for (const tune::Variant& variant : space.all(request.tune.mostVariants))
        if (into.size() < most) into.add(estimated(variant));
    } else if (request.tune.mostVariants > 0) {
      // The model's own order first, then variants that it did not look at.
      if (request.tune.strategy != tune::Strategy::Random) {
        const tune::Choice choice = rankVariants(*prepared, note);
        for (const tune::Variant& variant : choice.ranked)
          if (into.size() + request.tune.mostVariants / 2 < most) into.add(variant);
        addNeighbours(choice.ranked.front(), space, estimated, most - request.tune.mostVariants / 4, into);
      }
      tune::UniformDraws draws(space, request.tune.seed);
      while (into.size() < most) {
        const std::optional<tune::Variant> variant = draws.next([&] {
          note(fmt::format("{} of {} variants, drawn from about {:.0f}", into.size() - before - 1,
                           request.tune.mostVariants, draws.ways()));
          return true;
        });
        if (!variant) break;
        into.add(estimated(*variant));
      }
    }
    fmt::print(stderr, "{}: {}: {} variants at {}\n", placeOf(kernel.loc, names), name,
               into.size() - before - 1, device::sizesText(prepared->c.sizes()));
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
      if (applyAgain(one.measurement.recipe, one.variant, prepared->original, prepared->context)) continue;
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
