#include "cli/nvcc/BuildBudget.h"

#include <algorithm>

namespace hone::cli {

namespace {

// CPU seconds of nvcc 13.0 for a megabyte of text, by small programs, and what a further architecture adds.
constexpr double nvccSecondsOfMegabyte = 0.28, byFurtherArchitecture = 0.35;
// Of a statement of device code for one architecture: the least, by small kernels.
constexpr double nvccSecondsOfStatement = 0.003;
// Headers of the runtime, which nvcc reads for every file.
constexpr double bytesOfRuntime = 4.4e6;
// Times what nvcc takes, after which nothing is begun; what was begun then is brought to an end.
constexpr double timesNvcc = 1.75;
// The same by how long Clang takes to read it, for sources whose headers include far more than they are.
constexpr double nvccByReading = 1.6;

}  // namespace

double estimatedNvccSeconds(const SourceSize& source) {
  const auto architectures = static_cast<double>(std::max<size_t>(1, source.architectures));
  const double once =
      std::max(nvccSecondsOfMegabyte * 1e-6 * (bytesOfRuntime + static_cast<double>(source.bytes)),
               nvccByReading * source.secondsToRead);
  return once * (1 + byFurtherArchitecture * (architectures - 1)) +
         nvccSecondsOfStatement * static_cast<double>(source.statements) * architectures;
}

double endOfRunsInBuild(double nvccSeconds, double secondsToRead) {
  return timesNvcc * nvccSeconds - secondsToRead;
}

}  // namespace hone::cli
