// One run of a kernel on the embedded device, as a line of the table says.
#pragma once

#include "RunJob.h"
#include "RunTable.h"
#include "ir/Kernel.h"
#include "sim/execute/Run.h"
#include "sim/memory/Access.h"

namespace hone::test {

struct DeviceRun {
  std::string name;                   // the sizes, for messages
  std::vector<std::string> problems;  // findings, or no end
  // The arrays, in the order of the parameters: before, in `launch`, and after.
  std::vector<std::string> names;
  std::vector<ir::TypePtr> elements;
  std::vector<std::vector<uint8_t>> after;
  JobLaunch launch;          // the same for another machine
  bool hasPointers = false;  // in values or arrays, or textures: another machine cannot take them over
};

// With `onAccess` nothing is checked, and it sees every access once; `profiling` counts.
DeviceRun runOnDevice(const ir::Kernel& kernel, const sim::Program& program, const RunLine& line,
                      size_t index, const std::function<void(const sim::WarpAccess&)>& onAccess = {},
                      sim::Profiling* profiling = nullptr);

}  // namespace hone::test
