// The template that launch functions of a kernel template's instantiations are specializations of. It runs
// the original.
#pragma once

#include <set>

#include "emit/Emit.h"

namespace hone::emit {

struct LaunchTemplateSite {
  std::string kernel, launch;           // names there
  std::string head;                     // "template <typename T, int N = 4>"
  std::vector<std::string> parameters;  // of the kernel, as declared
  std::vector<std::string> names;       // of these
  std::string arguments;                // "T, N"
  bool deviceOnly = false;              // see PlanSite
};

// Formatted, without a newline at the end.
std::string emitLaunchTemplate(const LaunchTemplateSite& site, const EmitOptions& options);

}  // namespace hone::emit
