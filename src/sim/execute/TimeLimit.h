// An end to all runs of the embedded device in this process, by its processor time or by the clock.
#pragma once

#include <exception>

namespace hone::sim {

// Processor seconds of this process, all threads together, after which no run begins: Device::run throws.
void endRunsAt(double seconds);
// The same once so many seconds have gone by from now; what comes first ends them.
void endRunsByClockIn(double seconds);
double processorSeconds();
double secondsLeft();  // until then; infinity: there is no such end

// Not an ir::Error: nobody goes on with something else.
struct OutOfTime : std::exception {
  const char* what() const noexcept override { return "the time for runs is over"; }
};

}  // namespace hone::sim
