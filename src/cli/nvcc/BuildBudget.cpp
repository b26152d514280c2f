#include "cli/nvcc/BuildBudget.h"

#include <algorithm>
#include <ctime>

#include "sim/execute/Run.h"

namespace hone::cli {

namespace {

// CPU seconds of nvcc 13.0 for a megabyte of text, by small programs, and what a further architecture adds.
constexpr double nvccSecondsOfMegabyte = 0.24, byFurtherArchitecture = 0.35;
// Headers of the runtime, which nvcc reads for every file.
constexpr double bytesOfRuntime = 4.4e6;
// Times what nvcc takes, after which no kernel is begun: the last one is brought to an end.
constexpr double timesNvcc = 2;
constexpr double workOfSecond = 2.5e6;  // as the embedded device does it on the same machine
// What is not counted as work; it differs from kernel to kernel.
constexpr double leniency = 1.25;

double cpuSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

BuildBudget::BuildBudget(uint64_t bytes, size_t architectures) {
  const double further = static_cast<double>(std::max<size_t>(1, architectures) - 1);
  const double seconds = timesNvcc * nvccSecondsOfMegabyte * 1e-6 *
                         (bytesOfRuntime + static_cast<double>(bytes)) *
                         (1 + byFurtherArchitecture * further);
  mostWork = seconds * workOfSecond;
  mostSeconds = leniency * seconds;
}

bool BuildBudget::isSpent() const {
  return static_cast<double>(sim::workSoFar()) > mostWork || (mostSeconds > 0 && cpuSeconds() > mostSeconds);
}

}  // namespace hone::cli
