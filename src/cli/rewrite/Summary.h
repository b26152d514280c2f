// One line a file, and one for all of them: what became of the kernels.
#pragma once

#include <string>
#include <vector>

#include "cli/inputs/GivenFile.h"
#include "cli/rewrite/RewriteProgram.h"

namespace hone::cli {

// What became of kernels, in numbers.
struct RewriteCounts {
  size_t kernels = 0, rewritten = 0, launches = 0, changedLaunches = 0;
  void add(const RewriteCounts& other);
  std::string text() const;  // "2 of 3 kernels rewritten, 2 of 2 launches changed"
};
RewriteCounts countKernels(const std::vector<KernelOutcome>& outcomes);

// `hintsAtMore`: where kernels were left as they are, says how to learn why.
// `isPartOfMore`: files in which nothing was rewritten are not named, and there is no line for all.
std::string summary(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names, bool hintsAtMore,
                    bool isPartOfMore = false);

}  // namespace hone::cli
