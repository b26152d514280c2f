// Running kernels on the embedded device.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "sim/bytecode/Program.h"
#include "sim/check/Finding.h"
#include "sim/compile/Compile.h"
#include "sim/count/Counters.h"
#include "sim/memory/Memory.h"
#include "sim/memory/Textures.h"
#include "target/Target.h"

namespace hone::sim {

struct LaunchConfig {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t dynamicShared = 0;              // bytes
  std::array<uint64_t, 3> globalOffset{};  // OpenCL
  unsigned workDim = 3;
  bool cooperative = false;
  std::vector<uint8_t> arguments;  // argument block, laid out by Program::parameters
};

struct Schedule {
  bool random = false;
  uint64_t seed = 0;
};

struct Profiling;   // Profile.h
struct WarpAccess;  // Access.h

struct RunOptions {
  bool checkRaces = true;
  bool checkUninitialized = true;
  bool rerunInOrder = true;  // run again in block order where blocks conflict; needs a copy of memory
  // Where threads of a block race in global memory, run once more with all warps in step, as hardware comes
  // close to, and keep that outcome: programs that are wrong and work all the same then work here too.
  bool stepOnRace = false;
  // Of the blocks only the first, the last and one between along each axis: what lies at the ends of arrays
  // is theirs, and no result is whole. Not for blocks that wait for each other.
  bool edgesOnly = false;
  bool stopAtFirst = false;            // end the launch at the first error
  uint64_t mostBadAccesses = 400'000;  // end it after so many, each of which costs far more than a good one
  Schedule schedule;
  unsigned jobs = 0;                 // host threads, 0: all cores
  uint64_t stepLimit = 400'000'000;  // instructions of one warp
  // Set from another thread, it ends the launch, and `canceled` says why.
  const std::atomic<bool>* cancel = nullptr;
  std::string canceled;
  uint64_t mostWork = UINT64_MAX;                 // of all warps (RunResult::work): more ends the launch
  uint64_t mostBytesMade = UINT64_MAX;            // of arrays without an end: more ends the launch as well
  const target::Target* target = nullptr;         // limits to check and rules to count by; null: no limits
  Profiling* profiling = nullptr;                 // counts when set
  std::vector<uint8_t>* executed = nullptr;       // by instruction: set to 1 where a warp came to it
  std::function<void(const std::string&)> print;  // printf of kernels; null: standard output
  std::function<void(const WarpAccess&)>
      onAccess;  // sees every access; from several threads unless jobs is 1
};

struct RunResult {
  bool completed = false;   // every thread came to its end
  bool isOverWork = false;  // it was ended by RunOptions::mostWork or mostBytesMade; what it did until then
                            // differs from run to run
  std::vector<Finding> findings;
  uint64_t warpInstructions = 0;
  // What the run took of the machine it ran on, as a count that is the same on every machine: instructions,
  // and more for accesses lane by lane. Of a launch that was ended it is what that allows.
  uint64_t work = 0;
};

class Device {
 public:
  Device();
  ~Device();
  Memory memory;
  Textures textures;

  // Addresses of __device__ and __constant__ variables, made at first sight of the name and then kept.
  uint64_t globalVariable(const GlobalVariable& variable);
  void placeGlobal(const GlobalVariable& variable, uint64_t address);  // at memory that exists already
  void resetGlobals();                                                 // back to their initializers

  RunResult run(const Program& program, const LaunchConfig& launch, const RunOptions& options = {});

 private:
  std::map<std::string, std::pair<uint64_t, GlobalVariable>> globals;
};

// Fills LaunchConfig::arguments. Bytes must be as long as the parameter.
void setArgument(const Program& program, LaunchConfig& launch, unsigned index, const void* bytes,
                 size_t size);

}  // namespace hone::sim
