#include "cli/choose/ChooseRecipes.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/choose/TuneEvidence.h"
#include "cli/inputs/Arguments.h"
#include "ir/Compare.h"
#include "ir/Error.h"
#include "report/JudgeReport.h"
#include "report/Progress.h"
#include "sim/execute/TimeLimit.h"

namespace hone::cli {

namespace {

// Of the program's time on the device, below which a kernel is left alone; and of the instructions that stand
// for it in captures of hone run, of which one may take twenty times as long as another.
constexpr double leastShare = 0.01, leastShareOfCoarse = leastShare / 20;

// What the comparison of a plan with the original found first; empty: nothing.
std::string problemIn(const device::Judgement& judged) {
  for (const device::JudgedFinding& one : judged.findings)
    if (!one.inOriginal && one.finding.cls != sim::FindingClass::SameValue)
      return one.finding.message + (one.sizes.empty() ? "" : " at " + one.sizes);
  return judged.equal ? "" : "it differs from the original";
}

}  // namespace

RecipeChooser::RecipeChooser(PassSetup& passSetup, DisplayNames& displayNames, ChooseRequest chooseRequest)
    : setup(passSetup), names(displayNames), request(std::move(chooseRequest)) {
  request.run.print = [](const std::string&) {};
}

device::JudgeOptions RecipeChooser::judgeOptions(const passes::PassContext& context) const {
  device::JudgeOptions options;
  options.givenGridIsLaunch = true;
  options.run = request.run;
  options.compare.reassociate = context.reassociate;
  options.assumeNoalias = context.assumeNoalias;
  return options;
}

std::optional<MadePlan> RecipeChooser::chosenBefore(const std::string& place, const GivenFile& file,
                                                    const frontend::ImportedKernel& kernel) {
  const auto at = known.find(place);
  if (at == known.end() || !ir::equal(*ir::originalPlan(at->second.kernel), *ir::originalPlan(kernel.kernel)))
    return std::nullopt;
  MadePlan made = at->second.made;
  if (at->second.recipe.calls.empty()) return made;
  passes::PassContext context = setup.contextFor(file, kernel);
  context.block = at->second.block;
  made.result.plan =
      passes::applyRecipe(ir::originalPlan(kernel.kernel), at->second.recipe, context, {}).plan;
  if (made.result.plan) made.result.plan = tune::wherePays(made.result.plan, at->second.bounds);
  return made.result.plan ? std::optional(made) : std::nullopt;
}

report::ChoiceReport RecipeChooser::aboutOf(const frontend::ImportedKernel& kernel) const {
  report::ChoiceReport about;
  about.kernel = withArguments(kernel.name, kernel.templateArgs);
  about.place = placeOf(kernel.loc, names);
  about.target = &setup.target();
  about.placeOf = [this](const ir::SourceLoc& loc) { return placeOf(loc, names); };
  return about;
}

MadePlan RecipeChooser::choose(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  const std::string place =
      fmt::format("{}:{}: {}", kernel.body.valid() ? canonicalPath(kernel.body.file) : file.canonical,
                  kernel.body.begin, withArguments(kernel.qualifiedName, kernel.templateArgs));
  if (auto before = chosenBefore(place, file, kernel)) return *std::move(before);
  passes::PassContext context = setup.contextFor(file, kernel);
  const device::CaseMaker& maker = setup.makerOf(file, kernel);
  const std::optional<double> share = maker.capturedShare();
  const bool hasTimes = maker.captured() && maker.captured()->hasTimes;
  // A launch that the program did not live to see the end of has no time.
  const bool isUntimed = maker.captured() && share && *share == 0;
  const bool isCoarse = maker.captured() && maker.captured()->isCoarse;
  if (share && *share < (isCoarse ? leastShareOfCoarse : leastShare) && !isUntimed && !request.isNamed) {
    MadePlan left;
    const std::string& path = maker.settings().capture->path;
    left.result.refusal = passes::Refusal{
        *share > 0 ? fmt::format("it has {:.2f} % of the program's {} by {}, too little to be worth a "
                                 "change; --kernel with its name has it looked at",
                                 100 * *share, maker.captured()->sharedOf, path)
                   : fmt::format("no launch in {} is known to be of it; --kernel with its name has it "
                                 "looked at",
                                 path),
        kernel.loc};
    return left;
  }
  const auto untimelyPlan = [&] {
    ++untimely;
    MadePlan left;
    left.result.refusal = passes::Refusal{"there was no time left for it", kernel.loc};
    return left;
  };
  if (sim::secondsLeft() <= 0) return untimelyPlan();
  tune::ChooseOptions options;
  options.share = request.share;
  options.verify = request.verify;
  options.trustSizes = request.trustSizes;
  options.judge = judgeOptions(context);
  report::Progress progress(0);
  if (!request.isQuiet)
    options.progress = [&](const std::string& what) {
      progress.step(fmt::format("{}: {}", kernel.name, what));
    };
  ChosenRecipe chosen{aboutOf(kernel), {}};
  try {
    chosen.choice = tune::chooseRecipe(maker, ir::originalPlan(kernel.kernel), context, options);
  } catch (const sim::OutOfTime&) {
    return untimelyPlan();
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    const std::string text = error.what();
    chosen.choice.reason = text;
  }
  const tune::Choice& choice = chosen.choice;
  if (choice.isCutShort && !choice.best()) return untimelyPlan();
  if (request.candidates)
    fmt::print("{}", report::candidatesText(chosen.about, choice, request.candidates));
  else if (!request.isQuiet)
    fmt::print(stderr, "{}", report::toText(chosen.about, choice, request.isVerbose));
  if (request.wantsPage) gathered.push_back(modelledReport(chosen.about, choice));
  MadePlan made;
  // One launch says nothing of all of them.
  if (hasTimes && !request.trustSizes)
    made.share = CapturedShare{*share, maker.captured()->sharedOf, maker.settings().capture->path};
  if (choice.isUncompared) ++uncompared;
  const tune::Variant* best = choice.best();
  if (best) {
    made.result.plan = best->plan;
    made.result.remarks = best->remarks;
    made.recipe = passes::str(best->recipe);
    made.speedup = choice.speedupOverall();
    if (const std::string sizes = choice.guessesText(); !sizes.empty())
      made.atSizes = fmt::format("{} ({})", choice.whoseSizes(), sizes);
    if (choice.verification) made.verified = true;
  }
  for (const tune::Refused& one : choice.refused)
    made.result.remarks.push_back(
        {passes::RemarkKind::Note, one.refusal.place, kernel.name, one.refusal.reason, one.pass->name});
  if (!best) made.result.refusal = passes::Refusal{choice.reason, kernel.loc};
  made.isShown = true;
  known[place] = {kernel.kernel, made, best ? best->recipe : passes::Recipe{}, context.block,
                  choice.pays ? choice.pays->bounds : std::vector<tune::SizeBound>{}};
  return made;
}

MadePlan RecipeChooser::apply(const GivenFile& file, const frontend::ImportedKernel& kernel,
                              const passes::Recipe& recipe, const passes::AfterPass& after) {
  passes::PassContext context = setup.contextFor(file, kernel);
  const ir::PlanPtr original = ir::originalPlan(kernel.kernel);
  MadePlan made;
  made.result = passes::applyWholeRecipe(original, recipe, context, after);
  made.recipe = passes::str(recipe);
  if (!made.result.plan || !request.verify || ir::equal(*original, *made.result.plan)) return made;
  std::string problem;
  auto leaveUncompared = [&](const std::string& why) {
    made.result.plan = nullptr;
    made.result.refusal =
        passes::Refusal{fmt::format("not verified, so that only --no-verify writes it: {}", why), kernel.loc};
    ++uncompared;
    return made;
  };
  // A given recipe has more time than one of a search, but a kernel without end has an end here too.
  constexpr uint64_t mostWorkOfRun = 64'000'000, mostWorkInAll = 160'000'000;
  device::JudgeOptions judge = judgeOptions(context);
  judge.run.mostWork = mostWorkOfRun;
  judge.mostWorkInAll = mostWorkInAll;
  judge.compare.reassociate = passes::changesOrder(original, recipe, *made.result.plan, context);
  try {
    const device::Judgement judged =
        device::verify(setup.makerOf(file, kernel), original, made.result.plan, judge);
    problem = problemIn(judged);
    if (problem.empty() && !judged.uncompared.empty()) return leaveUncompared(judged.uncompared);
    if (const std::string places =
            report::unreachedText(judged.unreached, [&](const auto& f) { return names.of(f); });
        problem.empty() && !places.empty())
      made.result.remarks.push_back({passes::RemarkKind::Note,
                                     kernel.loc,
                                     kernel.name,
                                     "statements that no run of its verification came to: " + places,
                                     {}});
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    return leaveUncompared(error.what());
  }
  made.verified = problem.empty();
  if (problem.empty()) return made;
  made.result.plan = nullptr;
  made.result.refusal =
      passes::Refusal{fmt::format("internal: after the recipe {}; please report", problem), kernel.loc};
  return made;
}

void RecipeChooser::estimate(const GivenFile& file, const frontend::ImportedKernel& kernel,
                             const passes::Recipe& recipe) {
  passes::PassContext context = setup.contextFor(file, kernel);
  tune::Choice choice;
  choice.original.plan = ir::originalPlan(kernel.kernel);
  tune::Variant variant;
  variant.recipe = recipe;
  const passes::PassResult made = passes::applyRecipe(choice.original.plan, recipe, context, {});
  auto say = [&](const std::string& text) {
    fmt::print(stderr, "{}: kernel `{}`: {}\n", placeOf(kernel.loc, names), kernel.name, text);
  };
  if (made.refusal) return say(made.refusal->reason);
  variant.plan = made.plan;
  try {
    tune::PlanEstimator estimator(setup.makerOf(file, kernel), choice.original.plan, setup.target());
    choice.original.estimate = estimator.of(choice.original.plan);
    choice.setSizes(estimator);
    variant.estimate = estimator.of(variant.plan);
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    return say(error.what());
  }
  for (const tune::PlanEstimate* one : {&choice.original.estimate, &variant.estimate})
    if (!one->isKnown()) return say(fmt::format("its time cannot be estimated: {}", one->problem));
  if (variant.estimate.fellBack || variant.estimate.missesMeant)
    return say("at these sizes the original runs");
  choice.ranked.push_back(std::move(variant));
  fmt::print("{}", report::estimateText(aboutOf(kernel), choice));
}

}  // namespace hone::cli
