// Work in child processes, so that a crash or a hang costs one item and not the run.
#pragma once

#include <functional>
#include <string>

namespace hone::cli {

struct ChildResult {
  std::string output;         // what the work returned
  std::string problem;        // not empty: "crashed (signal 11)", "took longer than 60 s"
  std::string printed, said;  // to stdout and stderr, where that is kept; of work with a problem too
  double tookSeconds = 0;     // by the clock
  bool isStarted = true;      // false: there was no time left for it
  bool isLate = false;        // ended for want of time
};

struct ChildPool {
  unsigned jobs = 1;
  double seconds = 60;                           // per item
  std::function<double(size_t)> secondsOf = {};  // in place of `seconds`
  double secondsInAll = 0;                       // 0: no limit; what has not begun by then is not started
  double processorSeconds = 0;  // per item, with all its threads; 0: no limit besides the clock's
  bool keepsTexts = false;      // what work prints comes with its result; else nobody sees it

  // Runs work(i) for i below count, each in a child of its own, and calls done(i, result) here as they end.
  void run(size_t count, const std::function<std::string(size_t)>& work,
           const std::function<void(size_t, ChildResult)>& done) const;
};

}  // namespace hone::cli
