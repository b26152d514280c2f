// Writes launches of a running program to a file of JSON lines (docs/capture.md), each when it is first seen,
// so that a program that is killed leaves all but the last counts. Needs the standard library alone: it is
// part of what is loaded into programs on machines without hone.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hone::capture {

// A word of the arguments that points into memory of the device.
struct RecordedPointer {
  uint32_t at = 0;          // in the arguments
  uint64_t allocation = 0;  // its begin, by which allocations are told apart
  uint64_t bytes = 0;       // of the allocation
  uint64_t offset = 0;      // in it
  bool isPool = false;      // a pool may have cut it from more: `bytes` is an upper bound
  bool isManaged = false;
};

struct RecordedLaunch {
  std::string kernel;  // its name in object files
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t shared = 0;  // bytes, dynamic
  int device = 0;
  unsigned stream = 0;  // 0: the default one; others by number, in the order they came
  bool isCooperative = false, isInGraph = false;
  std::vector<std::pair<uint32_t, uint32_t>> parameters;  // offset and size
  std::vector<uint8_t> bytes;                             // the arguments
  std::vector<RecordedPointer> pointers;
};

class Recorder {
 public:
  Recorder() = default;
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Appends to the file. `about` is what the first line says, values as JSON.
  bool open(const std::string& path, const std::vector<std::pair<std::string, std::string>>& about);
  bool isOpen() const { return file >= 0; }

  // Counts a launch (`times` 0: a node of a graph, which is not launched yet) and gives the number under
  // which those like it are. Of very many different launches of a kernel some are written, ever more
  // sparsely, and stand for the others.
  uint32_t add(const RecordedLaunch& launch, unsigned times = 1);
  // Of a launch that had this number; `times` of them, for launches that graphs repeat.
  void addTime(uint32_t number, double microseconds, uint64_t times = 0);
  // What the program copied to a variable, at most 64 KiB of it, and its first contents alone where they
  // change often.
  void setVariable(const std::string& name, uint64_t offset, const uint8_t* data, uint64_t bytes);
  // The name of the device, where it is known only later.
  void setDevice(const std::string& name);
  // A remark for whoever reads the capture, once.
  void note(const std::string& text);
  void writeCounts();
  void close();

 private:
  struct Count {
    uint64_t launches = 0, others = 0;  // like it; that it stands for
    double microseconds = 0;
    bool isNew = true;
  };
  struct OfKernel {
    uint64_t different = 0;
    uint32_t last = 0;  // number of the last one written
  };
  void writeLine(const std::string& line);
  void writeNewCounts(bool all);

  std::mutex mutex;
  int file = -1;
  int process = 0;
  std::unordered_map<std::string, uint32_t> numbers;  // by what makes launches different
  std::unordered_set<uint64_t> others;                // hashes of those that were not written
  std::map<std::string, OfKernel> kernels;
  std::vector<Count> counts;
  std::unordered_set<std::string> notes;
  std::map<std::string, std::pair<unsigned, size_t>>
      variables;  // how often written, and the hash of the last contents
  std::chrono::steady_clock::time_point lastCounts;
};

// A string as JSON has it.
std::string quoted(const std::string& text);

}  // namespace hone::capture
