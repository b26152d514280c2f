#include "sim/execute/TimeLimit.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>

namespace hone::sim {

namespace {
constexpr double never = std::numeric_limits<double>::infinity();
std::atomic<double> endOfRuns{never}, endByClock{never};

double secondsOf(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
}  // namespace

void endRunsAt(double seconds) { endOfRuns = seconds; }

void endRunsByClockIn(double seconds) { endByClock = secondsOf(CLOCK_MONOTONIC) + seconds; }

double processorSeconds() { return secondsOf(CLOCK_PROCESS_CPUTIME_ID); }

double secondsLeft() {
  const double end = endOfRuns, clockEnd = endByClock;
  return std::min(end == never ? never : end - processorSeconds(),
                  clockEnd == never ? never : clockEnd - secondsOf(CLOCK_MONOTONIC));
}

}  // namespace hone::sim
