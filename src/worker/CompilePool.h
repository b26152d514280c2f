// Compiles variants before their turn, in processes of their own with low priority, while one that is ready
// is measured. A compiler that crashes or hangs costs its process.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hone::worker {

class CompilePool {
 public:
  // `serve` is the command that serves jobs (ServeJobs.h); 0 processes: one for each core but two, none where
  // there is one core.
  explicit CompilePool(std::vector<std::string> serve, unsigned processes = 0);
  ~CompilePool();
  CompilePool(const CompilePool&) = delete;
  CompilePool& operator=(const CompilePool&) = delete;

  bool isUseful() const { return most > 0; }
  // How many jobs to hand in ahead, so that no process waits.
  size_t window() const { return size_t(most) * 3; }

  // Hands in a job {"do": "compile", …}; does nothing when it has it already.
  void want(const std::string& key, nlohmann::json job);
  // The answer, waited for; nothing when the job was never handed in. It is forgotten then.
  std::optional<nlohmann::json> take(const std::string& key);

 private:
  struct Entry {
    nlohmann::json job, answer;
    bool isDone = false;
  };
  void work();

  std::vector<std::string> command;
  unsigned most;
  std::mutex guard;
  std::condition_variable changed;
  std::map<std::string, Entry> entries;
  std::deque<std::string> waiting;
  bool isEnding = false;
  std::vector<std::thread> threads;
};

}  // namespace hone::worker
