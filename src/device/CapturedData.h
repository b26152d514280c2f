// What arrays of a captured launch held before it, as far as that was recorded (`--data`).
#pragma once

#include "capture/CaptureFile.h"

namespace hone::device {

struct CapturedArray {
  std::vector<std::shared_ptr<const capture::CapturedPiece>> pieces;  // by place, without overlap
  uint64_t begin = 0;                                                 // of the array, bytes in the allocation
};

// None where nothing of the array was recorded. `pointer` is the array's in a launch with the same pointers
// as `launch`, which has contents.
CapturedArray capturedArray(const capture::CapturedLaunch& launch, const capture::RecordedPointer& pointer);

// The first elements of the array. What was not recorded is what was, over again, unless `mustBeWhole`.
// Empty: it was not recorded so.
std::vector<uint8_t> capturedBytes(const CapturedArray& array, uint64_t elements, uint64_t elementBytes,
                                   bool mustBeWhole);

// A name as the source has it, "add(float const*, int)", of one in object files.
std::string demangled(const std::string& linkageName);

// What the program had copied to a variable of this name in object files and of so many bytes before a
// launch. Empty: not all of it is known.
std::vector<uint8_t> capturedVariable(const capture::CaptureFile& capture, size_t launch,
                                      const std::string& name, uint64_t bytes);

}  // namespace hone::device
