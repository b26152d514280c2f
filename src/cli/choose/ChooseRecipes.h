// Recipes for the kernels of the given files, chosen by estimated time and verified; and recipes that were
// given, verified.
#pragma once

#include "cli/inputs/PassSetup.h"
#include "cli/rewrite/RewriteProgram.h"
#include "report/ChoiceReport.h"
#include "report/TuneReport.h"

namespace hone::cli {

struct ChosenRecipe {
  report::ChoiceReport about;
  tune::Choice choice;
};

struct ChooseRequest {
  bool verify = true;
  bool trustSizes = false;  // see tune::ChooseOptions
  sim::RunOptions run;
  size_t candidates = 0;   // list as many of each kernel; 0: none
  bool wantsPage = false;  // what the HTML page shows is kept
  bool isQuiet = false;    // nothing is shown
  bool isVerbose = false;  // also why passes were not applied
  bool isNamed = false;    // the user asks for these kernels, however little they matter to the program
  double share = 1;        // of the usual effort, see tune::ChooseOptions
};

class RecipeChooser {
 public:
  // Both must live as long as this object.
  RecipeChooser(PassSetup& passSetup, DisplayNames& displayNames, ChooseRequest chooseRequest);

  // The plan chosen for a kernel; what was found is shown on stderr. For RewriteOptions::make.
  MadePlan choose(const GivenFile& file, const frontend::ImportedKernel& kernel);
  // The plan of a recipe that the user gave.
  MadePlan apply(const GivenFile& file, const frontend::ImportedKernel& kernel, const passes::Recipe& recipe,
                 const passes::AfterPass& after);
  // Shows what such a plan would cost.
  void estimate(const GivenFile& file, const frontend::ImportedKernel& kernel, const passes::Recipe& recipe);

  // Of every kernel that was chosen for, where a page is wanted.
  const std::vector<report::TuneReport>& reports() const { return gathered; }
  // Kernels that were left alone for want of time.
  unsigned leftForTime() const { return untimely; }
  // Kernels that were left alone because verification said nothing about what would take their place.
  unsigned leftUncompared() const { return uncompared; }

 private:
  // What was chosen for a kernel; another given file may see the same one, in a header.
  struct Known {
    ir::KernelPtr kernel;
    MadePlan made;
    passes::Recipe recipe;  // empty: none
    std::array<unsigned, 3> block{};
    std::vector<tune::SizeBound> bounds;  // where it pays; none: everywhere
  };

  report::ChoiceReport aboutOf(const frontend::ImportedKernel& kernel) const;
  device::JudgeOptions judgeOptions(const passes::PassContext& context) const;
  // The choice for the kernel at the same place, if it reads the same, with the plan made anew from this
  // file's view of it.
  std::optional<MadePlan> chosenBefore(const std::string& place, const GivenFile& file,
                                       const frontend::ImportedKernel& kernel);

  PassSetup& setup;
  DisplayNames& names;
  ChooseRequest request;
  std::map<std::string, Known> known;  // by place and name
  std::vector<report::TuneReport> gathered;
  unsigned uncompared = 0, untimely = 0;
};

}  // namespace hone::cli
