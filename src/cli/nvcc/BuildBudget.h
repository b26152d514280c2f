// How much looking for faster kernels may cost in a build, by what nvcc takes for the file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::cli {

// Of the usual effort of searches, in builds.
constexpr double shareOfEffortInBuilds = 0.25;

// When runs for a file end, in processor seconds: what hone may take for one that has so many bytes with the
// headers that it includes itself, those of the runtime left out, and that took so long to read. It is read
// once more in the end.
double endOfRunsInBuild(uint64_t bytes, size_t architectures, double secondsToRead);

}  // namespace hone::cli
