// Reads a capture: what a program launched, as a Recorder wrote it.
#pragma once

#include <memory>

#include "capture/Recorder.h"

namespace hone::capture {

// What an array held before the launch, a part of it.
struct CapturedPiece {
  uint64_t allocation = 0, from = 0;  // bytes in the allocation
  std::vector<uint8_t> bytes;
};

struct CapturedLaunch : RecordedLaunch {
  size_t place = 0;       // in the file's list
  uint64_t launches = 0;  // like it, and those that it stands for
  double microseconds = 0;
  std::vector<std::shared_ptr<const CapturedPiece>> contents;
};

struct CapturedVariable {
  std::string name;
  uint64_t offset = 0, of = 0;  // bytes of the copy
  std::vector<uint8_t> bytes;   // as many of them as were kept
  size_t launch = 0;            // the first one in the file that comes after it
};

struct CaptureFile {
  std::string path;
  std::string recordedBy;  // "cupti", "hone run", "opencl"
  std::string device;      // its name
  std::vector<std::string> command;
  std::vector<CapturedLaunch> launches;
  std::vector<CapturedVariable> variables;
  std::vector<std::string> notes;  // what a reader of results should know: it is cut short, …
  double microseconds() const;     // of all launches
  // What share() is a part of: "time on the device", "launches", or what hone run has instead of time.
  std::string whatIsShared() const;
  // Whether parts of the time say little: the embedded device counts instructions alone.
  bool isCoarse() const { return recordedBy == "hone run"; }

  // Those of a kernel, the costliest first.
  std::vector<const CapturedLaunch*> of(const std::string& linkageName) const;
  // Its part of the time, or of the launches where no times were taken; from 0 to 1.
  double share(const std::string& linkageName) const;
  // The launch whose contents go for this one: itself or one like it but for its numbers, whose pieces belong
  // to its own allocations. Null: there is none.
  const CapturedLaunch* withContents(const CapturedLaunch& launch) const;
};

// Throws hone's usual error where the file cannot be read or is no capture; passes over lines that are
// damaged, and says so in the notes.
CaptureFile readCapture(const std::string& path);

}  // namespace hone::capture
