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
  bool isLate = false;                // the problem is that the time was over
  bool isUnread = false;              // that hone's front end does not take it, as nvcc may not either
  double nvccSeconds = 0;             // that nvcc is estimated to take for it; 0: unknown
};

struct RewriteTime {
  double seconds = 0;    // after which the process is ended: by the clock, of processors where none is given
  bool isGiven = false;  // by the user; else a BuildBudget ends searches before that
  bool isOneCore = false;  // others work beside it
  double nvccTimes = 1;    // what nvcc takes here, through what is estimated
};

// Rewrites the source as `hone opt` does, in a process of its own.
RewrittenSource rewriteForNvcc(const CopyRequest& request, const RewriteTime& time);

}  // namespace hone::cli
