// The GPU that copies are made for, by the architectures that nvcc compiles for.
#pragma once

#include <optional>
#include <string>

#include "cli/nvcc/NvccCall.h"
#include "target/Target.h"

namespace hone::cli {

struct BuildTarget {
  std::string model;                                // whose times are estimated; empty: hone's default
  std::optional<target::ComputeCapability> lowest;  // whose instructions may be used
};

// The model is that of the highest architecture which has a target, the instructions are those of the lowest.
// What names none (nvcc's default, "native", "all") is taken for the lowest that the toolkit knows.
BuildTarget buildTarget(const NvccCall& call, int toolkitVersion);

}  // namespace hone::cli
