// Passes of shared accesses through the banks, what makes them more than needed.
#pragma once

#include "affine/Evaluate.h"
#include "analysis/LanePattern.h"
#include "analysis/Span.h"
#include "target/CountBanks.h"

namespace hone::analysis {

// Of one execution by a warp with all the lanes that its pattern has; accesses wider than 16 bytes are
// several requests, counted together.
struct BankConflicts {
  affine::Exactness exactness =
      affine::Exactness::Unknown;  // Exact: `wavefronts` is one number for each warp, and no warp is cut
  std::string inexact;
  Span requests, wavefronts;
  Span least;           // passes that would do for as many bytes
  unsigned degree = 0;  // passes for each that would do, at worst: 1 is free of conflicts; 0 not known
  bool isFree() const { return degree == 1; }
  std::string reason;  // "stride 32 words: all lanes in one bank"; empty without conflicts
  std::vector<unsigned> requirements;
};
// `start`: where the array begins in shared memory; banks repeat, so it matters for targets with rows wider
// than their banks alone.
BankConflicts bankConflicts(PerThread& perThread, const affine::Access& access,
                            const target::BankRules& rules, uint64_t start = 0);
inline BankConflicts bankConflicts(const affine::KernelModel& model, const affine::Access& access,
                                   const target::BankRules& rules, uint64_t start = 0) {
  PerThread perThread(model);
  return bankConflicts(perThread, access, rules, start);
}

// The same at another address under the guards and loops of the access.
BankConflicts bankConflicts(PerThread& perThread, const affine::Access& access, const affine::Poly& address,
                            const target::BankRules& rules);

// One execution at these offsets.
struct Passes {
  unsigned requests = 0, wavefronts = 0, least = 0;
};
Passes countPasses(const affine::Access& access, const std::array<uint64_t, 32>& offset, uint32_t mask,
                   const target::BankRules& rules);

// Sums over a launch.
struct BankTotals {
  bool known = false;
  std::string unknown;  // why not
  uint64_t requests = 0, lanes = 0, wavefronts = 0, leastWavefronts = 0;
  friend bool operator==(const BankTotals&, const BankTotals&) = default;
};
BankTotals bankTotals(const affine::KernelModel& model, const affine::Access& access,
                      const affine::Launch& launch, const target::BankRules& rules, uint64_t start = 0,
                      uint64_t limit = 50'000'000);

// How the machine carries out an atomic on shared memory.
target::SharedAtomic sharedAtomic(const affine::Access& access);

}  // namespace hone::analysis
