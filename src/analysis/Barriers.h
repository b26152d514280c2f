// Barriers: which accesses of different threads each of them keeps apart, which are not needed, where one is
// missing. Whatever adds, moves or removes a barrier asks here.
#pragma once

#include <functional>

#include "analysis/Dependence.h"

namespace hone::analysis {

// Two accesses of different threads of a block that meet in an element, one of them writing.
struct CrossThread {
  affine::AccessId from, to;
  DependenceKind kind = DependenceKind::Flow;
  affine::LoopId
      carrier;  // the loop in whose next iteration (or a later one) `to` stands; none: the same iteration
  bool isLater = false;       // two iterations or more apart: a whole iteration of the carrier lies between
  bool withinWarp = false;    // only threads of one warp meet
  bool isSure = false;        // they meet for some sizes; false: perhaps
  std::string reason;         // why perhaps
  std::vector<int> barriers;  // each of them, by itself, keeps the two apart
};

struct BarrierUse {
  std::vector<int> orders;  // into BarrierFacts::pairs
  bool isNeeded = false;    // the only one between some pair
  bool isUniform = false;   // all threads of the block reach it together
  std::string why;          // the pair it is needed for, or what makes it divergent, in words
};

struct BarrierFacts {
  std::vector<CrossThread> pairs;
  std::vector<BarrierUse> barriers;  // as the model lists them
  std::vector<int> missing;          // pairs with no barrier between
  std::vector<int> removable;        // barriers that may go, all of these together

  // Whether these barriers may go together: every pair keeps another.
  bool mayRemove(const std::vector<int>& which) const;
  std::string str(const affine::KernelModel& model, const CrossThread& pair) const;
};

// Never says too little: a barrier counts only where it is passed for sure, so that `missing` may hold a pair
// that an earlier or later iteration of an inner loop keeps apart. Arrays are taken to be apart (Aliasing.h).
// Accesses that `isGone` names (an array moved to registers, say) no longer count.
BarrierFacts barriers(const affine::KernelModel& model, const affine::Launch* launch = nullptr,
                      const std::function<bool(const affine::Access&)>& isGone = {});

// Whether a barrier could stand beside an access: all threads of the block come there together, the same
// number of times.
struct Divergence {
  bool isDivergent = false;
  std::string reason;  // "the condition x < n differs between threads"
};
Divergence divergenceAt(const affine::KernelModel& model, const std::vector<affine::LoopId>& loops,
                        const affine::CondPtr& guard);

}  // namespace hone::analysis
