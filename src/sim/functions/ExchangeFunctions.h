// Exchanges among the lanes of a warp by canonical id: shuffles, votes, matches, reductions and scans, of
// CUDA's warps, cooperative groups and OpenCL's sub-groups.
#pragma once

#include <span>
#include <string_view>

#include "sim/bytecode/Program.h"

namespace hone::sim {

struct ExchangeLanes {
  uint32_t active = 0;  // lanes that execute the instruction together; only their results are kept
  const uint32_t* members =
      nullptr;        // per lane: the lanes of its group (the mask argument, the tile, the sub-group)
  int64_t extra = 0;  // as in CallSite
};

// Gives each active lane its result; returns the lanes whose result is undefined because it was taken from a
// lane that is not active or not a member. The mask or group argument is not among `args` (it is `members`);
// shuffle widths and the operator of a group reduction (in `extra`, see ReduceOp) are handled here.
using ExchangeFunction = uint32_t (*)(void* const* results, const void* const* args,
                                      const ExchangeLanes& lanes);

// What `extra` holds for group_reduce and the scans of groups. For group_shfl it is the size of a static
// tile, whose ranks wrap, or 0.
enum class ReduceOp : uint8_t { Add, Mul, Min, Max, And, Or, Xor, LogicalAnd, LogicalOr, LogicalXor };

// Null when there is none. Ranks in cooperative groups and sub-groups count the members from the lowest lane
// on; ballots and matches of groups have their bits by rank, a sub_group_ballot in four words. match_all
// gives the mask, then the predicate; binary_partition and labeled_partition the lanes of the part that a
// lane falls into.
ExchangeFunction findExchange(std::string_view id, std::span<const Scalar> args,
                              std::span<const Scalar> results);

}  // namespace hone::sim
