#include "cli/ChooseRecipes.h"

#include <fmt/core.h>

#include "cli/Command.h"
#include "ir/Error.h"
#include "report/Progress.h"

namespace hone::cli {

std::vector<ChosenRecipe> chooseRecipes(
    const std::vector<GivenFile>& files, PassSetup& setup, ChooseRequest& request, DisplayNames& names,
    const std::function<void(const frontend::ImportedKernel&, const std::string&)>& leftAlone) {
  std::vector<ChosenRecipe> out;
  const device::Settings settings = request.cases.settings();
  tune::ChooseOptions options;
  options.verify = request.verify;
  options.judge.run = request.cases.runOptions();
  options.judge.run.print = [](const std::string&) {};
  for (const GivenFile& file : files) {
    std::vector<RunnableKernel> runnable = runnableKernels(file, request.kernels, settings, leftAlone);
    for (const RunnableKernel& one : runnable) {
      if (!one.imported->kernel) {
        leftAlone(*one.imported, one.imported->reason);
        continue;
      }
      passes::PassContext context = setup.contextFor(*one.maker);
      options.judge.compare.reassociate = context.reassociate;
      report::Progress progress(0);
      options.progress = [&](const std::string& what) {
        progress.step(fmt::format("{}: {}", one.name, what));
      };
      ChosenRecipe chosen{&file, one.imported, {}, {}};
      chosen.about.kernel = one.name;
      chosen.about.place = placeOf(one.imported->loc, names);
      chosen.about.target = &setup.target();
      chosen.about.placeOf = [&names](const ir::SourceLoc& loc) { return placeOf(loc, names); };
      try {
        chosen.choice = tune::chooseRecipe(*one.maker, ir::originalPlan(one.kernel), context, options);
      } catch (const Error& error) {
        if (error.status == exitCommand) throw;
        chosen.choice.reason = error.what();
      }
      out.push_back(std::move(chosen));
    }
  }
  return out;
}

}  // namespace hone::cli
