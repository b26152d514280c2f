// A kernel with the case that its variants are measured on.
#pragma once

#include "cli/inputs/PassSetup.h"
#include "device/WorkerTeam.h"
#include "tune/ChooseRecipe.h"

namespace hone::cli {

using TuneNote = std::function<void(const std::string&)>;  // what is being done now

struct TunedKernel {
  passes::PassContext context;
  const device::CaseMaker& maker;
  ir::PlanPtr original;
  device::JudgeOptions judge;
  device::Case c = {};
  device::CaseData data = {};
};

// The maker must live as long as what is returned. Throws hone::Error when the arrays cannot be worked out.
std::unique_ptr<TunedKernel> prepareToTune(const passes::PassContext& context, const device::CaseMaker& maker,
                                           const ir::KernelPtr& kernel, const sim::RunOptions& run,
                                           const TuneNote& note);

// Variants by estimated time. Throws hone::Error where there are none.
tune::Choice rankVariants(TunedKernel& kernel, const TuneNote& note);

// Variants by the recipes that were asked for, without estimates; which do not apply is said on stderr.
std::vector<tune::Variant> givenVariants(const std::vector<std::string>& recipes, const ir::PlanPtr& original,
                                         passes::PassContext& context);

// Gives the variant a recipe that was measured elsewhere, and its plan; false where it does not apply, or
// where that hone had passes that this one has not.
bool applyAgain(const std::string& recipe, tune::Variant& variant, const ir::PlanPtr& original,
                passes::PassContext& context);

// What --device says, once or several times; the first device here where it says nothing.
std::vector<device::WorkerAddress> addressesOf(const std::vector<std::string>& devices);
// Started when needed; what becomes of the workers is said on stderr.
std::unique_ptr<device::WorkerTeam> makeTeam(const std::vector<device::WorkerAddress>& addresses);

}  // namespace hone::cli
