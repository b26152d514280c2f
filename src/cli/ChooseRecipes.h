// Recipes for the kernels of the given files, chosen by estimated time and verified.
#pragma once

#include "cli/PassSetup.h"
#include "report/ChoiceReport.h"

namespace hone::cli {

struct ChosenRecipe {
  const GivenFile* file = nullptr;
  const frontend::ImportedKernel* kernel = nullptr;
  report::ChoiceReport about;
  tune::Choice choice;
};

struct ChooseRequest {
  std::vector<std::string> kernels;  // names; empty: all
  bool verify = true;
  CaseOptions cases;  // sizes and data that the user gives
};

// One for every kernel that can be run; `leftAlone` hears of the others.
std::vector<ChosenRecipe> chooseRecipes(
    const std::vector<GivenFile>& files, PassSetup& setup, ChooseRequest& request, DisplayNames& names,
    const std::function<void(const frontend::ImportedKernel&, const std::string&)>& leftAlone);

}  // namespace hone::cli
