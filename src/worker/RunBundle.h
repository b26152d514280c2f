// Works through a file of jobs unattended: results are appended as they come, a run that was ended goes on
// where it was, and variants that are hopeless beside the best so far are given up early.
#pragma once

#include <string>
#include <vector>

namespace hone::worker {

struct BundleRun {
  std::string jobs, results;  // files
  double minutes = 0;         // 0: as long as it takes
  double giveUpFactor = 8;    // times the best of the case so far
};

// Progress goes to stderr. Returns the exit status.
int runBundle(const BundleRun& run, const std::vector<std::string>& serve);

}  // namespace hone::worker
