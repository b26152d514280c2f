// Who touches the same elements: neighbouring threads, warps and blocks along each direction, one thread or
// block in different iterations of a loop.
#pragma once

#include "analysis/Footprint.h"

namespace hone::analysis {

enum class SharedPart : uint8_t { None, Partial, Full, Unknown };
const char* str(SharedPart part);

// Distances (greater than 0) at which something is shared.
struct Distances {
  bool isKnown = false;
  bool isEvery = false;              // any two, whatever their distance, share something
  std::vector<int64_t> values;       // all of them, when they are few
  std::optional<int64_t> low, high;  // otherwise what they lie between
  std::string str() const;           // "none", "1, 2", "every", "1 … 15", "?"
  bool isNone() const { return isKnown && !isEvery && values.empty() && !low && !high; }
};

struct Shared {
  // Of one and the next along the direction: Full where both touch anything, they touch the same.
  SharedPart next = SharedPart::Unknown;
  Distances distances;
  // Over: `next` and `distances` say at most what is shared.
  affine::Exactness exactness = affine::Exactness::Unknown;
  std::string reason;
};

struct SharingOf {
  Scope scope = Scope::Block;
  unsigned axis = 0;  // x, y, z; warps are counted along their one direction
  affine::LoopId
      loop;  // in the same iteration of this loop and those around it; none: in all iterations together
};

// What neighbours share of what the accesses (of one array) touch.
Shared sharing(const affine::KernelModel& model, const std::vector<affine::AccessId>& accesses,
               const SharingOf& question, const affine::Launch* launch = nullptr);

// What one scope touches again in later iterations of a loop, in iterations of it; where the counter is a
// distance (a step known at run time only) or lists values, in units of the counter. Full: every iteration
// touches the same.
Shared reuse(const affine::KernelModel& model, const std::vector<affine::AccessId>& accesses,
             affine::LoopId loop, Scope scope, const affine::Launch* launch = nullptr);

// Directions of the block in which an access has one address for all threads, of those with more than one
// thread: as many loads as there are threads along it bring the same. Holds for unresolved addresses as well.
struct Redundancy {
  uint8_t axes = 0;           // one bit per axis
  unsigned copies = 1;        // threads of the block that load one element, at least
  bool guardDepends = false;  // a guard differs along such an axis
};
Redundancy redundancy(const affine::KernelModel& model, const affine::Access& access);

}  // namespace hone::analysis
