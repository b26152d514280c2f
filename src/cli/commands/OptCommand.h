// hone opt: its options, and what it does with the files of one program; runs over many programs use the
// same.
#pragma once

#include <optional>

#include "cli/commands/RewriteCommand.h"
#include "cli/inputs/DatabaseFiles.h"
#include "cli/rewrite/Summary.h"
#include "passes/recipe/Recipe.h"

namespace CLI {
class Option;
}

namespace hone::cli {

struct OptCommand : RewriteCommand {
  std::string recipe, emitLanguage, printAfter, page;
  bool noRecheck = false, noVerify = false, estimate = false, trustSizes = false, strict = false;
  size_t candidates = 0;
  std::optional<double> minutes, fileMinutes;
  bool check = false, writeBaseline = false, noGuessed = false;
  std::string sarif, baseline, annotations;
  std::optional<double> gain;      // the least that is worth a report
  bool isTargetOfProject = false;  // the command line names none
  passes::Recipe parsed;           // the recipe
  double share = 1;                // of the usual effort of a search
  unsigned leftForTime = 0;        // kernels, once `output` is written

  void addOptions(CLI::App& app);
  // After parsing; throws hone::Error.
  void takeOptions();
  // What the project's file says, once `setUp` was called.
  void takeProjectOptions();
  bool hasRecipe() const;

  // Rewrites the kernels of `paths`, in this process; the exit status. `counts` may be null.
  int run(PassSetup& setup, const Arguments& arguments, RewriteCounts* counts);

 private:
  CLI::Option* recipeOption = nullptr;
};

// The same for files of a compilation database, each program of it in a process of its own.
int optDatabase(OptCommand& command, PassSetup& setup, const Arguments& arguments, const ChosenFiles& files);
// --check: reports and changes nothing.
int optCheck(OptCommand& command, PassSetup& setup, const ChosenFiles& files);

}  // namespace hone::cli
