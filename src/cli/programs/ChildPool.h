// Work in child processes, so that a crash or a hang costs one item and not the run.
#pragma once

#include <functional>
#include <string>

namespace hone::cli {

struct ChildResult {
  std::string output;   // what the work returned
  std::string problem;  // not empty: "crashed (signal 11)", "took longer than 60 s"
};

struct ChildPool {
  unsigned jobs = 1;
  double seconds = 60;  // per item

  // Runs work(i) for i below count, each in a child of its own, and calls done(i, result) here as they end.
  void run(size_t count, const std::function<std::string(size_t)>& work,
           const std::function<void(size_t, ChildResult)>& done) const;
};

}  // namespace hone::cli
