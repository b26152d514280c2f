#include "cli/nvcc/BuildBudget.h"

#include <algorithm>

namespace hone::cli {

namespace {

// CPU seconds of nvcc 13.0 for a megabyte of text, by small programs, and what a further architecture adds.
constexpr double nvccSecondsOfMegabyte = 0.28, byFurtherArchitecture = 0.35;
// Headers of the runtime, which nvcc reads for every file.
constexpr double bytesOfRuntime = 4.4e6;
// Times what nvcc takes, after which nothing is begun; what was begun then is brought to an end.
constexpr double timesNvcc = 1.75;
// The same by how long Clang takes to read it, for sources whose headers include far more than they are.
constexpr double nvccByReading = 1.6;

}  // namespace

double endOfRunsInBuild(uint64_t bytes, size_t architectures, double secondsToRead) {
  const double further = static_cast<double>(std::max<size_t>(1, architectures) - 1);
  const double once = std::max(nvccSecondsOfMegabyte * 1e-6 * (bytesOfRuntime + static_cast<double>(bytes)),
                               nvccByReading * secondsToRead);
  return timesNvcc * once * (1 + byFurtherArchitecture * further) - secondsToRead;
}

}  // namespace hone::cli
