// Machine descriptions: the limits and rates of one GPU, as data in targets/*.toml.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hone::target {

struct Target {
  std::string name;                  // "h200": the file's name without .toml
  std::vector<std::string> aliases;  // "sm_90": each belongs to one target
  std::string title;                 // "NVIDIA H200 SXM"
  std::string computeCapability;     // "9.0"

  // machine
  unsigned multiprocessors = 0;
  unsigned lanesPerMultiprocessor = 0;  // 32-bit float units
  double clockGHz = 0;                  // of those units, boost
  double bandwidthGBs = 0;              // global memory, 10^9 bytes a second
  unsigned l2KiB = 0;                   // 0: no cache for global memory
  double memoryGB = 0;                  // as sold

  // limits
  unsigned warpSize = 32;
  unsigned threadsPerBlock = 0;
  unsigned threadsPerMultiprocessor = 0;
  unsigned blocksPerMultiprocessor = 0;
  unsigned registersPerMultiprocessor = 0;
  unsigned registersPerBlock = 0;
  unsigned registersPerThread = 0;
  unsigned sharedPerBlock = 0;           // bytes, without asking for more
  unsigned sharedPerBlockOptIn = 0;      // bytes, the most that can be asked for
  unsigned sharedPerMultiprocessor = 0;  // bytes
  std::array<uint64_t, 3> maxBlock{}, maxGrid{};

  double peakGFlops() const { return 2.0 * multiprocessors * lanesPerMultiprocessor * clockGHz; }
};

// Reads every description in a folder, sorted by compute capability and name. Throws hone::Error naming file and line.
std::vector<Target> loadTargets(const std::string& folder);

// Reads one description; `where` is its name in messages.
Target parseTarget(const std::string& toml, const std::string& name, const std::string& where);

// The folder with the descriptions that belong to this executable; HONE_TARGETS_DIR overrides it.
std::string targetsFolder();

// By name or alias; throws hone::Error with the nearest name when there is none.
const Target& findTarget(const std::vector<Target>& targets, const std::string& name);

}  // namespace hone::target
