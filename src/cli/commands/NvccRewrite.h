// One source on its way to nvcc: what hone makes of it.
#pragma once

#include <string>
#include <vector>

#include "cli/nvcc/CopyKey.h"

namespace hone::cli {

struct RewrittenSource {
  SourceCopy copy;
  std::vector<std::string> included;  // files that were read
  std::string problem;                // why there is none; empty: there is one, of nothing perhaps
  std::string said;                   // by hone, where there is a problem
};

// Rewrites the source as `hone opt` does, in a process of its own that ends after `seconds`.
RewrittenSource rewriteForNvcc(const CopyRequest& request, double seconds);

}  // namespace hone::cli
