#include "sim/execute/TimeLimit.h"

#include <atomic>
#include <ctime>
#include <limits>

namespace hone::sim {

namespace {
std::atomic<double> endOfRuns{std::numeric_limits<double>::infinity()};
}

void endRunsAt(double seconds) { endOfRuns = seconds; }

double processorSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double secondsLeft() {
  const double end = endOfRuns;
  return end == std::numeric_limits<double>::infinity() ? end : end - processorSeconds();
}

}  // namespace hone::sim
