#include "cli/TuneKernels.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/Command.h"
#include "ir/Error.h"
#include "report/Progress.h"
#include "tune/CaseLengths.h"
#include "tune/ChooseRecipe.h"

namespace hone::cli {

KernelTuner::KernelTuner(PassSetup& passSetup, DisplayNames& displayNames, TuneRequest tuneRequest)
    : setup(passSetup),
      names(displayNames),
      request(std::move(tuneRequest)),
      address(device::workerAddress(request.device)),
      worker(address) {
  if (!request.store.empty()) store = std::make_unique<tune::Store>(request.store);
  request.run.print = [](const std::string&) {};
}

MadePlan KernelTuner::tune(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  report::TuneReport about;
  about.kernel = withArguments(kernel.name, kernel.templateArgs);
  about.place = placeOf(kernel.loc, names);
  about.shown = request.shown;
  MadePlan made;
  made.isShown = true;
  try {
    measure(file, kernel, about, made);
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    about.reason = error.what();
  }
  fmt::print(stderr, "{}", report::toText(about));
  if (!made.result.plan)
    made.result.remarks.push_back({passes::RemarkKind::LeftAlone, kernel.loc, kernel.name, about.reason, {}});
  return made;
}

void KernelTuner::measure(const GivenFile& file, const frontend::ImportedKernel& kernel,
                          report::TuneReport& about, MadePlan& made) {
  passes::PassContext context = setup.contextFor(file, kernel);
  const device::CaseMaker& maker = setup.makerOf(file, kernel);
  const ir::PlanPtr original = ir::originalPlan(kernel.kernel);
  report::Progress progress(0);
  auto note = [&](const std::string& what) { progress.step(fmt::format("{}: {}", about.kernel, what)); };

  tune::ChooseOptions choose;
  choose.verify = false;
  choose.worthIt = 0;
  choose.judge.run = request.run;
  choose.judge.compare.reassociate = context.reassociate;
  choose.progress = note;
  const tune::Choice choice = tune::chooseRecipe(maker, original, context, choose);
  if (choice.ranked.empty()) throw Error(choice.reason, 1);

  device::Case c = maker.make(tune::sizesToRank(maker));
  const tune::CaseLengths lengths = tune::lengthsOf(c, context.facts.of(kernel.kernel, c.block));
  if (!lengths.problem.empty()) throw Error(lengths.problem, 1);
  c.lengths = lengths.elements;
  device::Programs programs;
  device::DataOptions describe;
  describe.describeOnly = true;
  const device::CaseData data = device::prepareData(c, *original, programs, describe);

  tune::MeasurerOptions wanted;
  wanted.device = address.device;
  tune::Measurer measurer(worker, store.get(), file.import.module, c, data, original, wanted);
  about.device = measurer.device();
  about.sizes = device::sizesText(c.sizes());

  tune::Space space(original, context);
  tune::PlanEstimator estimator(maker, original, context.target);
  tune::TuneOptions options = request.tune;
  options.note = note;
  options.progress = [&](const tune::Measurement& last, size_t count, const tune::Measurement& best) {
    note(fmt::format("{} of {} measured, best {:.2f} us, last {} {}", count, options.mostVariants,
                     best.result.timing.median, last.recipe,
                     last.isOk() ? fmt::format("{:.2f} us", last.result.timing.median)
                                 : std::string(worker::name(last.result.status))));
  };
  about.outcome = tune::tune(
      space, measurer, choice.ranked,
      [&](tune::Variant& variant) { variant.estimate = estimator.of(variant.plan); }, options);

  // The fastest that the embedded device finds right at other sizes too.
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
    const device::Judgement judged = device::verify(maker, original, one->variant.plan, choose.judge);
    if (!judged.equal || judged.errors() > 0) {
      about.rejected.push_back(one->measurement.recipe);
      continue;
    }
    about.chosen = static_cast<int>(one - about.outcome.tried.data());
    made.result.plan = one->variant.plan;
    made.result.remarks = one->variant.remarks;
    made.recipe = one->measurement.recipe;
    made.verified = true;
    made.speedup = originalTime / one->measurement.result.timing.median;
    return;
  }
  about.reason = "nothing that was measured is faster than the original";
}

}  // namespace hone::cli
