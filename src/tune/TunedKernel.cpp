#include "tune/TunedKernel.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Error.h"
#include "tune/CaseLengths.h"

namespace hone::tune {

std::unique_ptr<TunedKernel> prepareToTune(const passes::PassContext& context, const device::CaseMaker& maker,
                                           const ir::KernelPtr& kernel, const sim::RunOptions& run,
                                           const TuneListener& listener) {
  auto out = std::make_unique<TunedKernel>(TunedKernel{context, maker, ir::originalPlan(kernel), {}});
  listener.note("working out the arrays");
  out->judge.run = run;
  out->judge.givenGridIsLaunch = true;
  out->context.byLaunch = true;
  out->judge.compare.reassociate = out->context.reassociate;
  out->judge.assumeNoalias = out->context.assumeNoalias;
  device::Programs programs;
  const device::CaseWish wish = sizesToRank(out->maker);
  out->c = out->maker.make(wish);
  const auto& [gx, gy, gz] = out->c.grid;
  if (out->c.gridOrigin == device::Origin::Guess && !out->c.isGridRead && uint64_t(gx) * gy * gz > 2048)
    listener.warn(fmt::format(
        "{}: no launch is in sight; it is measured with {} x {} x {} blocks, unless --grid says others",
        kernel->name, gx, gy, gz));
  const CaseLengths lengths = lengthsOf(out->c, out->context.facts.of(kernel, out->c.block));
  if (!lengths.problem.empty()) throw Error(lengths.problem, 1);
  out->c.lengths = lengths.elements;
  device::DataOptions describe;
  describe.describeOnly = true;
  describe.positive = wantsPositiveData(*kernel);
  out->data = device::prepareData(out->c, *out->original, programs, describe);
  return out;
}

Choice rankVariants(TunedKernel& kernel, const TuneNote& note) {
  ChooseOptions options;
  options.verify = false;
  options.worthIt = options.worthItAlone = 0;
  options.trustSizes = true;  // measured at these sizes
  options.judge = kernel.judge;
  options.progress = note;
  Choice choice = chooseRecipe(kernel.maker, kernel.original, kernel.context, options);
  if (choice.ranked.empty()) throw Error(choice.reason, 1);
  return choice;
}

bool applyAgain(const std::string& recipe, Variant& variant, const ir::PlanPtr& original,
                passes::PassContext& context, const ReadRecipe& read) {
  try {
    variant.recipe = read(recipe);
  } catch (const Error&) {
    return false;
  }
  passes::PassResult made = passes::applyRecipe(original, variant.recipe, context);
  if (!made.plan) return false;
  variant.plan = made.plan;
  variant.remarks = std::move(made.remarks);
  return true;
}

std::vector<Variant> givenVariants(const std::vector<std::string>& recipes, const ir::PlanPtr& original,
                                   passes::PassContext& context, const ReadRecipe& read,
                                   const TuneNote& warn) {
  std::vector<Variant> out;
  for (const std::string& text : recipes) {
    Variant variant;
    variant.recipe = read(text);
    passes::PassResult made = passes::applyRecipe(original, variant.recipe, context);
    if (made.refusal) {
      warn(fmt::format("{}: recipe '{}' does not apply: {}", original->original->name, text,
                       made.refusal->reason));
      continue;
    }
    variant.plan = made.plan;
    variant.remarks = std::move(made.remarks);
    out.push_back(std::move(variant));
  }
  return out;
}

int pickFastest(const TunedKernel& kernel, const TuneOutcome& outcome, std::vector<std::string>& rejected,
                const TuneNote& note) {
  std::vector<const Tried*> order;
  for (const Tried& one : outcome.tried)
    if (one.measurement.isOk()) order.push_back(&one);
  std::sort(order.begin(), order.end(), [](const Tried* a, const Tried* b) {
    return a->measurement.result.timing.median < b->measurement.result.timing.median;
  });
  const double originalTime = outcome.original.result.timing.median;
  for (const Tried* one : order) {
    if (one->measurement.result.timing.median >= originalTime) break;
    note(fmt::format("verifying {}", one->measurement.recipe));
    const device::Judgement judged =
        device::verify(kernel.maker, kernel.original, one->variant.plan, kernel.judge);
    if (judged.passed()) return static_cast<int>(one - outcome.tried.data());
    rejected.push_back(one->measurement.recipe);
  }
  return -1;
}

}  // namespace hone::tune
