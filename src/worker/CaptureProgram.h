// Runs a program with its launches recorded in a file (src/capture).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::worker {

struct CaptureRequest {
  std::string file;
  std::vector<std::string> command;
  uint64_t dataBytes = 0;  // contents of arrays that are recorded too
};

// What `--data-limit` says, "64M"; throws std::runtime_error.
uint64_t dataLimit(const std::string& text);
constexpr uint64_t usualDataLimit = 64 << 20;

// The exit status of the program. Throws std::runtime_error where there is no such program, or the file
// cannot be written.
int captureProgram(const CaptureRequest& request);

// What the driver loads into a program to record it; empty: it is not here.
std::string injectionLibrary();

// Takes a capture of before out of the way; throws std::runtime_error where the file is something else.
void clearCapture(const std::string& file);

}  // namespace hone::worker
