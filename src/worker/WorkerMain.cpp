// hone-worker: measures kernels on the devices of this machine. Jobs come in and results go out as JSON
// lines.
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "worker/CaptureProgram.h"
#include "worker/ComparePrograms.h"
#include "worker/RunBundle.h"
#include "worker/ServeJobs.h"
#include "worker/Supervise.h"

namespace {

constexpr const char* kHelp = R"(hone-worker: measures kernels on the devices of this machine for hone.

  hone-worker                    take jobs from standard input, write results to standard output, one JSON object a line
  hone-worker --jobs FILE        take jobs from a file
  hone-worker --bundle JOBS RESULTS [MINUTES]
                                 work through a file of jobs, append to a file of results, go on where an earlier run ended
  hone-worker capture [-o FILE] [--data] [--data-limit SIZE] -- PROGRAM [ARGUMENTS]
                                 record every launch of a CUDA or OpenCL program in FILE (hone.capture), for hone's commands
                                 elsewhere; with --data what arrays hold, too, SIZE (64M) of it
  hone-worker compare [--original PROGRAM] [--runs N] [--tolerance X] -- PROGRAM [ARGUMENTS]
                                 the program before and after hone side by side: what they print, and times
  hone-worker --devices          list the devices, as one JSON object
  hone-worker --help

CUDA devices need the driver and NVRTC, OpenCL devices an ICD loader; both are looked for at run time. Each device is held by a
process of its own, so that a kernel that hangs or crashes costs that kernel only. The format of jobs and results is in docs/worker.md.
)";

std::vector<std::string> serveCommand() {
  char path[PATH_MAX] = {};
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return {length > 0 ? std::string(path, static_cast<size_t>(length)) : "hone-worker", "--serve"};
}

int capture(const std::vector<std::string>& words) {
  hone::worker::CaptureRequest request;
  request.file = "hone.capture";
  const auto dashes = std::find(words.begin(), words.end(), "--");
  bool isRight = dashes != words.end() && dashes + 1 != words.end();
  for (auto word = words.begin(); isRight && word != dashes; ++word) {
    if (*word == "--data")
      request.dataBytes = request.dataBytes ? request.dataBytes : hone::worker::usualDataLimit;
    else if (*word == "-o" && word + 1 != dashes)
      request.file = *++word;
    else if (*word == "--data-limit" && word + 1 != dashes)
      request.dataBytes = hone::worker::dataLimit(*++word);
    else
      isRight = false;
  }
  if (!isRight)
    throw std::runtime_error(
        "usage: hone-worker capture [-o FILE] [--data] [--data-limit SIZE] -- PROGRAM [ARGUMENTS]");
  request.command.assign(dashes + 1, words.end());
  return captureProgram(request);
}

int compare(const std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes == words.end())
    throw std::runtime_error(
        "usage: hone-worker compare [--original PROGRAM] [--runs N] [--tolerance X] -- PROGRAM [ARGUMENTS]");
  return comparePrograms(hone::worker::compareRequest({words.begin(), dashes}, {dashes + 1, words.end()}),
                         std::cout);
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "--help" || what == "-h") {
    std::cout << kHelp;
    return 0;
  }
  try {
    if (what == "compare") return compare({argv + 2, argv + argc});
    if (what == "capture") return capture({argv + 2, argv + argc});
    if (what == "--serve" && argc == 2) return hone::worker::serveJobs(std::cin, std::cout);
    if (what == "--devices" && argc == 2) {
      std::istringstream jobs("{\"do\":\"devices\"}\n");
      return hone::worker::supervise(jobs, std::cout, serveCommand());
    }
    if (what == "--jobs" && argc == 3) {
      std::ifstream jobs(argv[2]);
      if (!jobs) {
        std::cerr << "hone-worker: '" << argv[2] << "' cannot be read: " << std::strerror(errno) << "\n";
        return 2;
      }
      return hone::worker::supervise(jobs, std::cout, serveCommand());
    }
    if (what == "--bundle" && (argc == 4 || argc == 5))
      return hone::worker::runBundle({argv[2], argv[3], argc == 5 ? std::atof(argv[4]) : 0}, serveCommand());
    if (argc == 1) return hone::worker::supervise(std::cin, std::cout, serveCommand());
  } catch (const std::exception& error) {
    std::cerr << "hone-worker: " << error.what() << "\n";
    return 2;
  }
  std::cerr << "hone-worker: unknown arguments; see hone-worker --help\n";
  return 2;
}
