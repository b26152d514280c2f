// How much looking for faster kernels may cost in a build, by what nvcc takes for the file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::cli {

// Of the usual effort of searches, in builds.
constexpr double shareOfEffortInBuilds = 0.25;

struct SourceSize {
  uint64_t bytes = 0;        // with the headers that it includes itself, those of the runtime left out
  uint64_t statements = 0;   // of its kernels and of what they call
  size_t architectures = 1;  // that nvcc compiles for
  double secondsToRead = 0;  // that Clang took
};

// Processor seconds that nvcc takes for it on the machine that the constants are of; see NvccPace.
double estimatedNvccSeconds(const SourceSize& source);

// When runs for a file end, in processor seconds of hone's. It is read once more in the end.
double endOfRunsInBuild(double nvccSeconds, double secondsToRead);

}  // namespace hone::cli
