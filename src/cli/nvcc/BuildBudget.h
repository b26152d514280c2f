// How much looking for faster kernels may cost in a build, by what nvcc takes for the file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::cli {

// Of the usual effort of searches, in builds.
constexpr double shareOfEffortInBuilds = 0.25;

// Processor seconds that hone may take for a file that has so many bytes with the headers that it includes,
// those of the runtime left out.
double secondsForBuild(uint64_t bytes, size_t architectures);

}  // namespace hone::cli
