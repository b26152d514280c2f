// What two programs printed, compared as a person would: numbers within a tolerance, times left out.
#pragma once

#include <string>
#include <vector>

namespace hone::worker {

struct OutputComparison {
  bool isSame = true;    // all that was compared
  size_t compared = 0;   // lines, but for those that have nothing but times
  size_t withTimes = 0;  // lines of which times are left out
  size_t unsteady = 0;   // left out: they differ between runs of the original itself
  bool isUnsteady =
      false;           // the original prints another number of lines from run to run: nothing was compared
  double largest = 0;  // difference of two numbers, relative to the larger one, of what counts as the same
  std::string difference;  // the first one: "line 12: `sum 3.5`, was `sum 4.5`"
};

// Outputs of runs of the original and of the other one.
OutputComparison compareOutputs(const std::vector<std::string>& originals,
                                const std::vector<std::string>& others, double tolerance);

}  // namespace hone::worker
