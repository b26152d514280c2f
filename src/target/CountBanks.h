// Passes of a warp instruction through the banks of shared memory.
#pragma once

#include "target/Target.h"

namespace hone::target {

// How lanes share passes, from the target.
struct BankRules {
  unsigned banks = 32, bankBytes = 4;
  unsigned rowBytes = 128;    // two addresses of one bank in the same row come in one pass
  unsigned passLanes = 32;    // 16 before compute capability 2.0
  bool oneBroadcast = false;  // before 2.0 a pass broadcasts one word only
  static BankRules of(const Target& target);
};

// How an atomic is carried out in shared memory.
enum class SharedAtomic : uint8_t {
  Native,     // 32-bit integers: one pass per lane and bank
  Increment,  // adding one without using the result: lanes at one address are counted, as a load broadcasts
  Compare,    // compare and exchange: twice the passes of Native
  Loop        // floats and 64 bits: load, compare and exchange, one lane per bank and iteration
};

// `offset` is the address in shared memory per lane; `bytes` 1, 2, 4, 8 or 16.
unsigned countWavefronts(const uint64_t* offset, uint32_t mask, unsigned bytes, bool isLoad,
                         const BankRules& rules);
unsigned countAtomicWavefronts(const uint64_t* offset, uint32_t mask, unsigned bytes, SharedAtomic how,
                               const BankRules& rules);

// The passes that so many bytes need at least.
unsigned leastWavefronts(const uint64_t* offset, uint32_t mask, unsigned bytes, bool isLoad,
                         const BankRules& rules);

}  // namespace hone::target
