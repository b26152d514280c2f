// A progress bar on a terminal; nothing where stderr is none.
#pragma once

#include <chrono>
#include <string>

namespace hone::report {

class Progress {
 public:
  explicit Progress(size_t total);  // 0: how many steps there will be is not known
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(const std::string& what);

 private:
  size_t total, done = 0;
  bool isShown;
  std::chrono::steady_clock::time_point lastDrawn;
};

}  // namespace hone::report
