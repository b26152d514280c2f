// A run of a kernel on the embedded device, with every access to memory written down by the access of the
// model that made it.
#pragma once

#include "DeviceRun.h"
#include "affine/Evaluate.h"

namespace hone::test {

// A request as the device made it. Addresses count from the start of the array.
struct Request {
  uint32_t mask = 0;
  std::array<int64_t, 32> address{};
  friend auto operator<=>(const Request&, const Request&) = default;
};
using WarpKey = std::pair<uint64_t, uint32_t>;  // block in the grid, warp in the block
using Requests = std::map<WarpKey, std::vector<Request>>;

// One instruction of the device that an access became; a struct moves by several.
struct Instruction {
  sim::AccessKind kind = sim::AccessKind::Load;
  unsigned bytes = 0;
  Requests requests;
};

struct WatchedRun {
  affine::KernelModel model;
  affine::Launch launch;  // with numbers for all symbols
  std::string name;       // the sizes
  affine::ById<affine::AccessId, std::vector<Instruction>> instructions;
  affine::ById<affine::AccessId, std::map<sim::AccessKind, sim::MemoryCount>>
      counted;                                                         // what the device's counters say
  affine::ById<affine::ArrayId, std::optional<uint64_t>> sharedStart;  // where in shared memory it begins
  std::string problem;                                                 // an access that touched two buffers
};

// Makes the model of a kernel for the block that a run of the table has, and runs it, counting as for a
// target.
WatchedRun watchedRun(const ir::KernelPtr& kernel, const RunLine& line, size_t index,
                      const target::Target& target);

}  // namespace hone::test
