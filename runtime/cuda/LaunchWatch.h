// Watches over launches from a thread of its own: says that one goes on, and ends it when its time is over.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

namespace hone::cuda {

class LaunchWatch {
 public:
  // What a launch of `kernel` does while this exists is watched; 0 seconds: no limit. `option` raises it.
  class Turn {
   public:
    Turn(LaunchWatch& of, std::string kernel, double seconds, const char* option, bool isQuiet);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    LaunchWatch& watch;
  };

  const std::atomic<bool>* expired() const { return &isExpired; }
  static std::string reason(double seconds, const char* option);

 private:
  [[noreturn]] void run();

  std::mutex lock;
  bool isStarted = false, isRunning = false, isQuiet = false;
  std::string kernel;
  const char* option = "";
  double begin = 0, limit = 0, notice = 0;  // seconds
  std::atomic<bool> isExpired{false};
};

}  // namespace hone::cuda
