// What is to be said of the kernels of one program without changing it: what is wrong with them, and what
// they would gain.
#pragma once

#include "cli/choose/ChooseRecipes.h"
#include "report/CodeFinding.h"

namespace hone::cli {

struct CheckRequest {
  RewriteOptions rewrite;            // `make` is set here
  PassOptions passes;                // for further targets
  std::vector<std::string> targets;  // gains are looked for on each; the first is that of the setup
  ChooseRequest choose;
  sim::CompileOptions compile;
  double leastGain = 1.1;
};

struct CheckedFiles {
  std::vector<report::CodeFinding> findings;  // in no order
  std::set<std::string> homes;                // files that kernels stand in, canonical
  size_t kernels = 0;                         // that were run
  std::vector<std::string> notRun;            // "k.cu:3: kernel `k` was not run: …"
  std::vector<std::string> left;              // the same of what the project's file leaves alone
};

// The files must have been imported with `setup` looking for launches in them.
CheckedFiles checkFiles(const std::vector<GivenFile>& files, PassSetup& setup, const DisplayNames& names,
                        const CheckRequest& request);

}  // namespace hone::cli
