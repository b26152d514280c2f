// A progress bar on a terminal; where stderr is none nothing, or a line now and then.
#pragma once

#include <chrono>
#include <string>

namespace hone::report {

constexpr double secondsBetweenLines = 10;

class Progress {
 public:
  // A total of 0: how many steps there will be is not known. `lineSeconds`: where there is no terminal a line
  // after so long each; 0: none.
  explicit Progress(size_t total, double lineSeconds = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(const std::string& what);

 private:
  size_t total, done = 0;
  double lineEvery;
  bool isShown;
  std::chrono::steady_clock::time_point lastDrawn;
};

}  // namespace hone::report
