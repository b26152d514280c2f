// What a kernel needs of a multiprocessor, how many blocks of it fit there, and what would let more fit.
#pragma once

#include <functional>
#include <optional>

#include "ir/Kernel.h"
#include "target/Occupancy.h"

namespace hone::analysis {

// Registers of a thread of a kernel on a target: a compiler's figure or an estimate; nothing when it cannot
// say.
using RegisterOracle = std::function<std::optional<unsigned>(const ir::Kernel&, const target::Target&)>;

// Memory that a kernel declares, bytes.
struct DeclaredMemory {
  uint64_t staticShared = 0;       // of a block
  bool usesDynamicShared = false;  // more is given at the launch: extern __shared__, or __local arguments
  uint64_t local = 0;  // arrays of one thread that subscripts go through, which registers may not hold
  std::vector<std::string> localArrays;
};
DeclaredMemory declaredMemory(const ir::Kernel& kernel);

// One way to more warps on a multiprocessor.
struct NextOccupancy {
  unsigned threads = 0;               // per block
  std::optional<unsigned> registers;  // at most so many per thread, where there are too many now
  std::optional<unsigned> shared;     // at most so many bytes per block, the same
  unsigned blocks = 0, warps = 0;     // on a multiprocessor then
};

struct Resources {
  std::optional<unsigned> registers;  // per thread
  DeclaredMemory memory;
  uint64_t sharedPerBlock = 0;                // static and dynamic
  target::Occupancy occupancy;                // without registers where they are not known: then at most that
  std::optional<NextOccupancy> oneMore;       // what one block more needs; nothing where no saving makes room
  std::optional<NextOccupancy> smallerBlock;  // the nearest smaller block with more warps, all else as it is
};
Resources resources(const ir::Kernel& kernel, const std::array<unsigned, 3>& block, uint64_t dynamicShared,
                    const target::Target& target, const RegisterOracle& registers);

}  // namespace hone::analysis
