#include "cli/choose/TunedKernel.h"

#include <fmt/core.h>

#include "cli/inputs/GivenRecipe.h"
#include "ir/Error.h"
#include "tune/CaseLengths.h"

namespace hone::cli {

std::unique_ptr<TunedKernel> prepareToTune(const passes::PassContext& context, const device::CaseMaker& maker,
                                           const ir::KernelPtr& kernel, const sim::RunOptions& run,
                                           const TuneNote& note) {
  auto out = std::make_unique<TunedKernel>(TunedKernel{context, maker, ir::originalPlan(kernel), {}});
  note("working out the arrays");
  out->judge.run = run;
  out->judge.givenGridIsLaunch = true;
  out->context.byLaunch = true;
  out->judge.compare.reassociate = out->context.reassociate;
  device::Programs programs;
  device::CaseWish wish = tune::sizesToRank(out->maker);
  // Blocks that wait for each other must all be on the device at once.
  wish.wholeGrid = !programs.of(kernel).usesGridSync;
  out->c = out->maker.make(wish);
  const auto& [gx, gy, gz] = out->c.grid;
  if (out->c.gridOrigin == device::Origin::Guess && uint64_t(gx) * gy * gz > 2048)
    fmt::print(
        stderr,
        "{}: no launch is in sight; it is measured with {} x {} x {} blocks, unless --grid says others\n",
        kernel->name, gx, gy, gz);
  const tune::CaseLengths lengths = tune::lengthsOf(out->c, out->context.facts.of(kernel, out->c.block));
  if (!lengths.problem.empty()) throw Error(lengths.problem, 1);
  out->c.lengths = lengths.elements;
  device::DataOptions describe;
  describe.describeOnly = true;
  describe.positive = tune::wantsPositiveData(*kernel);
  out->data = device::prepareData(out->c, *out->original, programs, describe);
  return out;
}

tune::Choice rankVariants(TunedKernel& kernel, const TuneNote& note) {
  tune::ChooseOptions options;
  options.verify = false;
  options.worthIt = 0;
  options.judge = kernel.judge;
  options.progress = note;
  tune::Choice choice = tune::chooseRecipe(kernel.maker, kernel.original, kernel.context, options);
  if (choice.ranked.empty()) throw Error(choice.reason, 1);
  return choice;
}

bool applyAgain(const std::string& recipe, tune::Variant& variant, const ir::PlanPtr& original,
                passes::PassContext& context) {
  try {
    variant.recipe = givenRecipe(recipe);
  } catch (const Error&) {
    return false;
  }
  passes::PassResult made = passes::applyRecipe(original, variant.recipe, context);
  if (!made.plan) return false;
  variant.plan = made.plan;
  variant.remarks = std::move(made.remarks);
  return true;
}

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

std::vector<tune::Variant> givenVariants(const std::vector<std::string>& recipes, const ir::PlanPtr& original,
                                         passes::PassContext& context) {
  std::vector<tune::Variant> out;
  for (const std::string& text : recipes) {
    tune::Variant variant;
    variant.recipe = givenRecipe(text);
    passes::PassResult made = passes::applyRecipe(original, variant.recipe, context);
    if (made.refusal) {
      fmt::print(stderr, "{}: recipe '{}' does not apply: {}\n", original->original->name, text,
                 made.refusal->reason);
      continue;
    }
    variant.plan = made.plan;
    variant.remarks = std::move(made.remarks);
    out.push_back(std::move(variant));
  }
  return out;
}

}  // namespace hone::cli
