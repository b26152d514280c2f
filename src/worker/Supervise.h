// The worker's outer process: hands jobs to one that holds the device, and outlives it. A variant that hangs, crashes or poisons
// the device costs that process; the next one opens the case again and goes on.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace hone::worker {

// `serve` is the command that serves jobs (ServeJobs.h). Returns the exit status.
int supervise(std::istream& jobs, std::ostream& results, const std::vector<std::string>& serve);

}  // namespace hone::worker
