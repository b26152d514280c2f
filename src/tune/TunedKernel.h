// A kernel with the case that its variants are measured on.
#pragma once

#include "tune/ChooseRecipe.h"
#include "tune/Tune.h"

namespace hone::tune {

using TuneNote = std::function<void(const std::string&)>;

// What whoever tunes wants to hear of.
struct TuneListener {
  TuneNote note;  // what is being done now
  TuneNote warn;  // what the user should know, one line each
};

// Reads a recipe that somebody gave or stored, and tells him what there is to tell.
using ReadRecipe = std::function<passes::Recipe(const std::string&)>;

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
                                           const TuneListener& listener);

// Variants by estimated time. Throws hone::Error where there are none.
Choice rankVariants(TunedKernel& kernel, const TuneNote& note);

// Variants by the recipes that were asked for, without estimates; the user is told which do not apply.
std::vector<Variant> givenVariants(const std::vector<std::string>& recipes, const ir::PlanPtr& original,
                                   passes::PassContext& context, const ReadRecipe& read,
                                   const TuneNote& warn);

// Gives the variant a recipe that was measured elsewhere, and its plan; false where it does not apply, or
// where that hone had passes that this one has not.
bool applyAgain(const std::string& recipe, Variant& variant, const ir::PlanPtr& original,
                passes::PassContext& context, const ReadRecipe& read);

// The fastest of those tried that beats the original and that the embedded device finds right at other sizes
// too; -1: none. Recipes that it finds wrong are added to `rejected`.
int pickFastest(const TunedKernel& kernel, const TuneOutcome& outcome, std::vector<std::string>& rejected,
                const TuneNote& note);

}  // namespace hone::tune
