// Takes jobs from a stream, one JSON object a line, and writes results, in the process that holds the device.
#pragma once

#include <iosfwd>

namespace hone::worker {

// Returns the exit status: 0 at the end of the jobs, kBrokenDevice when only a new process can go on.
constexpr int kBrokenDevice = 3;
int serveJobs(std::istream& in, std::ostream& out);

}  // namespace hone::worker
