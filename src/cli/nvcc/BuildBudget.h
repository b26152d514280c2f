// How much looking for faster kernels may cost in a build, by what nvcc takes for the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace hone::cli {

// In work that is the same on every machine (sim::RunResult::work), so that builds are; and in CPU seconds,
// for what is not counted as work.
class BuildBudget {
 public:
  // Of the usual effort of searches, in builds.
  static constexpr double shareOfEffort = 0.25;

  BuildBudget() = default;  // without an end
  // For a file that has so many bytes with the headers that it includes, those of the runtime left out.
  BuildBudget(uint64_t bytes, size_t architectures);

  bool isSpent() const;

 private:
  double mostWork = std::numeric_limits<double>::infinity();
  double mostSeconds = 0;  // of this process; 0: any
};

}  // namespace hone::cli
