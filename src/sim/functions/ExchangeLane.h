// What the exchanges share: members, ranks, and the tables by subject. Private to Exchange*.cpp.
#pragma once

#include "sim/functions/ExchangeFunctions.h"
#include "sim/functions/MathLane.h"

namespace hone::sim::exchange {

inline uint32_t membersOf(const ExchangeLanes& lanes, unsigned lane) {
  return lanes.members ? lanes.members[lane] : lanes.active;
}
// Ranks count the members of a group from the lowest lane on.
inline unsigned rankOf(uint32_t members, unsigned lane) {
  return static_cast<unsigned>(std::popcount(members & ((uint32_t{1} << lane) - 1)));
}
inline unsigned sizeOf(uint32_t members) { return static_cast<unsigned>(std::popcount(members)); }
// The lane of this rank; 32 when the group is smaller.
inline unsigned laneOf(uint32_t members, uint32_t rank) {
  if (rank >= sizeOf(members)) return warpLanes;
  for (; rank > 0; --rank) members &= members - 1;
  return static_cast<unsigned>(std::countr_zero(members));
}
// The bits of a mask over lanes, moved to the ranks of their lanes.
inline uint32_t byRank(uint32_t lanes, uint32_t members) {
  uint32_t out = 0;
  for (unsigned rank = 0; members != 0; ++rank, members &= members - 1)
    out |= (lanes >> std::countr_zero(members) & 1) << rank;
  return out;
}

template <class Body> void eachActive(uint32_t active, Body body) {
  for (; active != 0; active &= active - 1) body(static_cast<unsigned>(std::countr_zero(active)));
}

ExchangeFunction findShuffle(std::string_view id, std::span<const Scalar> args,
                             std::span<const Scalar> results);
ExchangeFunction findVote(std::string_view id, std::span<const Scalar> args, std::span<const Scalar> results);
ExchangeFunction findReduction(std::string_view id, std::span<const Scalar> args,
                               std::span<const Scalar> results);

}  // namespace hone::sim::exchange
