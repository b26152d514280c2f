// Launches of a capture as cases of a kernel: what each hands to it, by the names of its parameters.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "device/CapturedData.h"
#include "device/Parameters.h"
#include "device/SizeExpr.h"

namespace hone::device {

struct CapturedCase {
  std::map<std::string, Number> numbers;  // by path
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t shared = 0;
  bool isCooperative = false;
  std::map<std::string, uint64_t> lengths;                         // elements behind the pointer
  std::map<std::string, std::pair<std::string, int64_t>> aliases;  // array: other array and element of it
  std::map<std::string, CapturedArray> contents;                   // of arrays of which some were recorded
  size_t place = 0;                                                // among the launches of the capture
  uint64_t launches = 0;
  double microseconds = 0;
};

struct CapturedKernel {
  std::string file;  // of the capture
  // The costliest first; where it was launched with other blocks too, the fastest of these.
  std::vector<CapturedCase> cases;
  double share = 0;      // from 0 to 1
  std::string sharedOf;  // what that is a part of (CaptureFile::whatIsShared)
  bool hasTimes = false;
  bool isCoarse = false;  // the times are hone run's
  std::string device;     // that it ran on, by its own name
  std::string problem;    // why launches of its name are not used
};

// The name that the capture has for a kernel; empty: none. Compilers agree on most names in object files; of
// the others (static kernels, some arguments of templates) what the source says must do: `title`, "add<float,
// 4>".
std::string capturedName(const capture::CaptureFile& capture, const std::string& linkageName,
                         const std::string& title);

// Whether the program that was captured ran what hone had made of the kernel in its place: the namespace that
// it writes begins with the kernel's name.
bool isRewrittenIn(const capture::CaptureFile& capture, const std::string& kernelName);

// Launches under such a name; null where there are none.
std::shared_ptr<const CapturedKernel> capturedCases(const capture::CaptureFile& capture,
                                                    const ir::Kernel& kernel, const std::string& name);

}  // namespace hone::device
