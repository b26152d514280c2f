// The padding or swizzle of a shared array that removes its bank conflicts.
#pragma once

#include "analysis/BankConflicts.h"

namespace hone::analysis {

// The padding that would free all accesses of one shared array from conflicts at once.
struct ConflictRemedy {
  bool hasConflicts =
      false;  // that are known; an access of which nothing is known stands in the way of a remedy
  std::optional<unsigned> padding;  // elements more in the innermost extent, the fewest
  uint64_t paddingBytes = 0;        // that they cost
  // Where none frees all: the one that leaves the lowest degree at worst, if that is lower than now.
  std::optional<unsigned> lessPadding;
  unsigned degree = 0, lessDegree = 0;  // at worst now, and with it
  std::string noPadding;                // why there is none
};
ConflictRemedy conflictRemedy(PerThread& perThread, affine::ArrayId array, const target::BankRules& rules);

// The swizzle that would: numbers are tried, which takes longer than what padding does.
struct ConflictSwizzle {
  std::optional<unsigned> mask;  // col ^ (row & mask) in the innermost subscript, the smallest
  std::string noMask;            // why there is none, of an array with conflicts
};
ConflictSwizzle conflictSwizzle(PerThread& perThread, affine::ArrayId array, const target::BankRules& rules);

inline ConflictRemedy conflictRemedy(const affine::KernelModel& model, affine::ArrayId array,
                                     const target::BankRules& rules) {
  PerThread perThread(model);
  return conflictRemedy(perThread, array, rules);
}
inline ConflictSwizzle conflictSwizzle(const affine::KernelModel& model, affine::ArrayId array,
                                       const target::BankRules& rules) {
  PerThread perThread(model);
  return conflictSwizzle(perThread, array, rules);
}

}  // namespace hone::analysis
