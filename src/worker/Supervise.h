// The worker's outer process: hands jobs to one that holds the device, and outlives it. A variant that hangs,
// crashes or poisons the device costs that process; the next one opens the case again and goes on.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "worker/ChildProcess.h"
#include "worker/CompilePool.h"

namespace hone::worker {

class Supervisor {
 public:
  // `serve` is the command that serves jobs (ServeJobs.h).
  explicit Supervisor(std::vector<std::string> serve) : command(serve), compilers(std::move(serve)) {}

  // The answer to a job, whatever became of the process that should have given it. Never throws for what the
  // job says.
  nlohmann::json answer(const nlohmann::json& job);

  // A job that `answer` will get later. CUDA source is compiled meanwhile, on cores that nothing else needs;
  // for a device that is itself the CPU nothing is done, since that would disturb what is being timed.
  void ahead(const nlohmann::json& job);
  size_t jobsAhead() const { return compilers.window(); }  // so many are worth handing to `ahead`

 private:
  nlohmann::json ask(const nlohmann::json& job, double seconds);
  nlohmann::json openCase(const nlohmann::json& job);
  nlohmann::json measureOne(const nlohmann::json& job);
  void dropChild();
  // The job with its machine code, where that was made ahead; else an answer that says what is wrong with it.
  bool compiled(nlohmann::json& job, nlohmann::json& answer);

  struct KnownCase {
    nlohmann::json opening, original;
  };

  std::vector<std::string> command;
  std::unique_ptr<ChildProcess> child;
  std::string opened;  // the case that the child holds
  std::map<std::string, KnownCase> cases;
  std::map<std::string, std::string> deviceOf;   // by case, those that will be opened included
  std::map<std::string, std::string> computeOf;  // by CUDA device
  CompilePool compilers;
};

// Jobs from a stream, answers to another, line by line. Returns the exit status.
int supervise(std::istream& jobs, std::ostream& results, const std::vector<std::string>& serve);

}  // namespace hone::worker
