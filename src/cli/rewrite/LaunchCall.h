// The call of a launch function that takes the place of a launch.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/Import.h"

namespace hone::cli {

struct LaunchCallSite {
  std::string function;           // the launch function as named there
  std::vector<std::string> more;  // arguments that follow those of the kernel
  std::set<std::string> taken;    // names that parameters must not have
  std::string newline = "\n", indent, step = "  ";
};

// NAME_launch(grid, block, shared, stream, arguments…). Where the order of evaluation matters, a closure gets
// the configuration and evaluates the arguments, so that the one is there before the others, as a launch has
// it, and all compilers agree.
std::string launchCall(const frontend::ImportedLaunch& launch, const LaunchCallSite& site);

}  // namespace hone::cli
