// What accesses of one array touch: per thread, warp or block, in all iterations of its loops or in one
// iteration of a given loop.
#pragma once

#include "affine/Delinearize.h"

namespace hone::analysis {

enum class Scope : uint8_t { Thread, Warp, Block };

struct FootprintOf {
  Scope scope = Scope::Block;
  affine::LoopId loop;  // one iteration of this loop (and of those around it); none: all iterations
};

// One dimension of the bounding box, guards left aside: both ends belong to it.
struct Extent {
  std::optional<affine::Poly> low,
      high;          // over what is fixed: block, symbols, outer loops, the thread where one is asked about
  std::string text;  // "16*blockIdx.x - 1 … 16*blockIdx.x + 16"
  std::optional<int64_t> count;  // where it is the same number whatever is fixed
};

// How far elements reach beyond a tile, per dimension.
struct Halo {
  int64_t before = 0, after = 0;
  friend bool operator==(const Halo&, const Halo&) = default;
};

struct Footprint {
  // Exact: the elements are those of the set behind box and count. Over: at most those. Unknown: nothing
  // below is set.
  affine::Exactness exactness = affine::Exactness::Unknown;
  std::string reason;
  affine::ArrayId array;
  int64_t unit = 0;  // bytes of an element
  std::vector<Extent> box;
  bool isBox = false;      // every element of the box is touched where no guard forbids
  bool isGuarded = false;  // a guard may switch some off
  std::optional<int64_t>
      elements;  // different ones, where loops run and no guard forbids, if one number for all
  std::optional<int64_t> bytes() const { return elements ? std::optional(*elements * unit) : std::nullopt; }
  std::vector<affine::Requirement> conditions;
};

// The accesses must name one array.
Footprint footprint(const affine::KernelModel& model, const std::vector<affine::AccessId>& accesses,
                    const FootprintOf& question, const affine::Launch* launch = nullptr);

// How far `what` reaches beyond `tile` (the elements the same block writes, say); nothing where the distance
// is not a number.
std::optional<std::vector<Halo>> haloAround(const Footprint& tile, const Footprint& what);
// The same against the block's own tile: one element per thread along the axis each dimension follows.
std::optional<std::vector<Halo>> haloAroundThreads(const affine::KernelModel& model, const Footprint& what);

// Bytes of the array that accesses touch in one block of a launch, as ranges [first, last), ascending and
// apart. Nothing when something needed is not known or more than `limit` executions would have to be looked
// at.
using ByteRanges = std::vector<std::pair<int64_t, int64_t>>;
std::optional<ByteRanges> bytesTouched(const affine::KernelModel& model,
                                       const std::vector<affine::AccessId>& accesses,
                                       const affine::Launch& launch, const std::array<int64_t, 3>& block,
                                       uint64_t limit = 20'000'000);
int64_t countBytes(const ByteRanges& ranges);
ByteRanges common(const ByteRanges& a, const ByteRanges& b);

}  // namespace hone::analysis
