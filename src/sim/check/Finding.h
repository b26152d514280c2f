// What the checks of the embedded device report.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hone::sim {

enum class FindingKind : uint8_t {
  OutOfBounds,
  Misaligned,
  NullPointer,
  WildPointer,
  WriteToConstant,
  Uninitialized,    // read of memory or of a variable that nothing wrote
  Race,             // within a block or between blocks
  MissingWarpSync,  // lanes of one warp exchange data through memory without __syncwarp
  DivergentBarrier,
  Deadlock,   // threads wait for a barrier that others can no longer reach
  StepLimit,  // no end in sight
  DivideByZero,
  SharedTooLarge,
  BlockTooLarge,
  InvalidExchange,  // a value taken from a lane that does not take part
  AssertFailed,
  Trap,
  BadCall,        // through a pointer to no function, or of an object of no class that the device knows
  StackOverflow,  // calls nested deeper than a thread's stack holds
  HostAccess,     // the host touches memory that is the device's, or still being written
  Leak            // memory that was never freed
};
const char* str(FindingKind kind);  // "out-of-bounds", "race", …: the names in JSON

enum class FindingClass : uint8_t {
  Error,
  Race,
  SameValue
};  // SameValue is a warning: both wrote the same bytes
const char* str(FindingClass cls);

// A thread of the launch.
struct ThreadId {
  std::array<uint32_t, 3> thread{}, block{};
};

struct Party {
  std::string file;
  unsigned line = 0, column = 0;
  ThreadId who;
  bool writes = false, atomic = false;
};

struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  FindingClass cls = FindingClass::Error;
  std::string kernel;
  Party party;
  bool hasOther = false;
  Party other;  // races: the earlier access
  bool betweenBlocks = false;
  std::string space;       // "global", "shared", "local"; empty when there is no memory in it
  std::string array;       // name, "" when not known
  int64_t index = -1;      // element of the array (bytes / element size); may be negative
  int64_t length = -1;     // elements the array has, -1 when not known
  bool isInBytes = false;  // index and length count bytes: what the elements are is not known
  uint64_t count = 1;      // how often, over all threads
  std::string message;     // one sentence, without place and thread
};

// "file.cu:12: error: race in shared array tile[5]: … (block (0,0,0) thread (3,0,0) …)", further lines
// indented.
std::string format(const Finding& finding);
// What is wrong, without a place and without threads: "race in shared memory, tile[5] of 64 elements: …".
std::string describe(const Finding& finding);

}  // namespace hone::sim
