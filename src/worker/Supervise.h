// The worker's outer process: hands jobs to one that holds the device, and outlives it. A variant that hangs, crashes or poisons
// the device costs that process; the next one opens the case again and goes on.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "worker/ChildProcess.h"

namespace hone::worker {

class Supervisor {
 public:
  // `serve` is the command that serves jobs (ServeJobs.h).
  explicit Supervisor(std::vector<std::string> serve) : command(std::move(serve)) {}

  // The answer to a job, whatever became of the process that should have given it. Never throws for what the job says.
  nlohmann::json answer(const nlohmann::json& job);

 private:
  nlohmann::json ask(const nlohmann::json& job, double seconds);
  nlohmann::json openCase(const nlohmann::json& job);
  nlohmann::json measureOne(const nlohmann::json& job);
  void dropChild();

  struct KnownCase {
    nlohmann::json opening, original;
  };

  std::vector<std::string> command;
  std::unique_ptr<ChildProcess> child;
  std::string opened;  // the case that the child holds
  std::map<std::string, KnownCase> cases;
};

// Jobs from a stream, answers to another, line by line. Returns the exit status.
int supervise(std::istream& jobs, std::ostream& results, const std::vector<std::string>& serve);

}  // namespace hone::worker
