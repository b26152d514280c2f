// Writes launches of a running program to a file of JSON lines (docs/capture.md), each when it is first seen,
// so that a program that is killed leaves all but the last counts. Needs the standard library alone: it is
// part of what is loaded into programs on machines without hone.
#pragma once

#include <chrono>
#include <mutex>
#include <unordered_map>

#include "capture/ChooseContents.h"

namespace hone::capture {

class Recorder {
 public:
  Recorder() = default;
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Appends to the file; its first line says who records, the process's command line, and the device where it
  // is known yet. Contents are recorded where HONE_CAPTURE_DATA says how many bytes of them.
  bool open(const std::string& path, const std::string& by, const std::string& device = "");
  bool isOpen() const { return file >= 0; }

  // Counts a launch (`times` 0: a node of a graph, which is not launched yet) and gives the number under
  // which those like it are. Of very many different launches of a kernel some are written, ever more
  // sparsely, and stand for the others.
  uint32_t add(const RecordedLaunch& launch, unsigned times = 1);
  // What of its arrays is to be given to addContents, before the launch is done; `number` is what `add` gave.
  std::vector<ContentsPiece> contentsOf(const RecordedLaunch& launch, uint32_t number);
  bool hasContents() const { return contents.isOn(); }
  void addContents(uint32_t number, const ContentsPiece& piece, const uint8_t* data);
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
  void writeNote(const std::string& text);

  std::mutex mutex;
  int file = -1;
  int process = 0;
  std::string id;                                     // of its lines
  std::unordered_map<std::string, uint32_t> numbers;  // by what makes launches different
  std::unordered_set<uint64_t> others;                // hashes of those that were not written
  std::map<std::string, OfKernel> kernels;
  std::vector<Count> counts;
  std::unordered_set<std::string> notes;
  std::map<std::string, std::pair<unsigned, size_t>>
      variables;  // how often written, and the hash of the last contents
  std::chrono::steady_clock::time_point begin, lastCounts;
  ContentsChooser contents;
};

}  // namespace hone::capture
