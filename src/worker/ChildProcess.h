// A program run beside this one, spoken to by lines. What it writes to its standard error goes to ours.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::worker {

class ChildProcess {
 public:
  // With `diesWithUs` it is killed when the thread that started it ends, however that ends. Throws
  // std::runtime_error.
  explicit ChildProcess(const std::vector<std::string>& command, bool diesWithUs = false);
  ~ChildProcess();  // kills it if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool write(const std::string& line);  // false when it no longer listens
  enum class Read : uint8_t { Line, Ended, TimedOut };
  // Negative seconds wait as long as it takes.
  Read read(std::string& line, double seconds);
  int handle() const { return out; }  // readable when `read` has something to do
  // Closes its input and waits for its end; false when that takes longer.
  bool endsWithin(double seconds);
  void kill();
  void lowerPriority();  // it gets what other processes leave of the cores
  void closeInput();     // so that it sees the end of its jobs
  // Waits for its end: "exit status 3", "killed by signal 11 (Segmentation fault)".
  std::string end();
  std::optional<int> exitStatus() const { return status; }

 private:
  pid_t pid = -1;
  int in = -1, out = -1;  // our ends
  std::string pending;
  std::optional<int> status;
  std::string ending;
};

}  // namespace hone::worker
