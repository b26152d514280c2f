// A progress bar on a terminal; where stderr is none a line every ten seconds.
#pragma once

#include <chrono>
#include <string>

namespace hone::report {

class Progress {
 public:
  // A total of 0: how many steps there will be is not known.
  explicit Progress(size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(const std::string& what);
  void clear() const;  // before something else is printed
  // Nothing is shown any more in this process: another one shows how far all are.
  static void silence();

 private:
  size_t total, done = 0;
  bool isShown;
  std::chrono::steady_clock::time_point lastDrawn;
};

}  // namespace hone::report
