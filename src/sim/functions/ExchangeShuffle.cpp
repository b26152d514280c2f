// Exchanges in which each lane takes the value of one other lane.
#include <algorithm>

#include "sim/functions/ExchangeLane.h"

namespace hone::sim::exchange {
namespace {

// Where a lane reads from. `isUndefined`: the language promises nothing, and the lane keeps its own value.
struct Source {
  unsigned lane = 0;
  bool isUndefined = false;
};
inline Source undefinedAt(unsigned lane) { return {lane, true}; }
inline Source atRank(uint32_t members, int64_t rank, unsigned own) {
  const unsigned lane =
      rank < 0 || rank >= warpLanes ? warpLanes : laneOf(members, static_cast<uint32_t>(rank));
  return lane == warpLanes ? undefinedAt(own) : Source{lane};
}

struct Request {
  unsigned lane;
  uint32_t members;
  int64_t by;     // the second argument: a lane, a rank or a distance
  int64_t width;  // of a segment, of a cluster, of a static group
  uint32_t active;
};

// PTX: segments of a power of two of lanes; who would read beyond reads itself.
struct Index {
  static Source of(const Request& r) {
    const auto segment = static_cast<uint32_t>(warpLanes - r.width) & 31;
    return {(r.lane & segment) | (static_cast<uint32_t>(r.by) & 31 & ~segment)};
  }
};
struct Up {
  static Source of(const Request& r) {
    const auto segment = static_cast<uint32_t>(warpLanes - r.width) & 31;
    const int64_t from = static_cast<int64_t>(r.lane) - (r.by & 31);
    return {from >= static_cast<int64_t>(r.lane & segment) ? static_cast<unsigned>(from) : r.lane};
  }
};
struct Down {
  static Source of(const Request& r) {
    const auto segment = static_cast<uint32_t>(warpLanes - r.width) & 31;
    const unsigned last = (r.lane & segment) | (31 & ~segment);
    const unsigned from = r.lane + static_cast<uint32_t>(r.by & 31);
    return {from <= last ? from : r.lane};
  }
};
struct Xor {
  static Source of(const Request& r) {
    const auto segment = static_cast<uint32_t>(warpLanes - r.width) & 31;
    const unsigned last = (r.lane & segment) | (31 & ~segment);
    const unsigned from = r.lane ^ static_cast<uint32_t>(r.by & 31);
    return {from <= last ? from : r.lane};
  }
};

// Cooperative groups: by rank. Static tiles wrap an index as a segment does.
struct GroupIndex {
  static Source of(const Request& r) {
    const unsigned size = sizeOf(r.members);
    if (r.by >= 0 && r.by < size) return atRank(r.members, r.by, r.lane);
    return r.width > 0 ? atRank(r.members, r.by & (r.width - 1), r.lane) : undefinedAt(r.lane);
  }
};
struct GroupUp {
  static Source of(const Request& r) {
    const int64_t rank = static_cast<int64_t>(rankOf(r.members, r.lane)) - (r.by & 0xffffffff);
    return rank < 0 ? Source{r.lane} : atRank(r.members, rank, r.lane);
  }
};
struct GroupDown {
  static Source of(const Request& r) {
    const int64_t rank = static_cast<int64_t>(rankOf(r.members, r.lane)) + (r.by & 0xffffffff);
    return rank >= sizeOf(r.members) ? Source{r.lane} : atRank(r.members, rank, r.lane);
  }
};
struct GroupXor {
  static Source of(const Request& r) {
    const int64_t rank = rankOf(r.members, r.lane) ^ (r.by & 31);
    return rank >= sizeOf(r.members) ? Source{r.lane} : atRank(r.members, rank, r.lane);
  }
};

// Sub-groups: by rank, and nothing is promised beyond the end.
struct SubIndex {
  static Source of(const Request& r) { return atRank(r.members, r.by & 0xffffffff, r.lane); }
};
struct SubUp {
  static Source of(const Request& r) {
    return atRank(r.members, int64_t{rankOf(r.members, r.lane)} - (r.by & 0xffffffff), r.lane);
  }
};
struct SubDown {
  static Source of(const Request& r) {
    return atRank(r.members, int64_t{rankOf(r.members, r.lane)} + (r.by & 0xffffffff), r.lane);
  }
};
struct SubXor {
  static Source of(const Request& r) {
    return atRank(r.members, rankOf(r.members, r.lane) ^ (r.by & 0xffffffff), r.lane);
  }
};
struct SubFirst {
  static Source of(const Request& r) {
    return {static_cast<unsigned>(std::countr_zero(r.members & r.active))};
  }
};
struct SubRotate {
  static Source of(const Request& r) {
    const int64_t size = r.width > 0 ? r.width : sizeOf(r.members);
    const int64_t rank = rankOf(r.members, r.lane), first = rank / size * size;
    const int64_t step = static_cast<int32_t>(r.by) % size;
    return atRank(r.members, first + (rank - first + step + size) % size, r.lane);
  }
};

template <class T> int64_t valueAt(const void* arg, unsigned lane) {
  return static_cast<const T*>(arg)[lane];
}

// All lanes are there, and each names all.
bool isWholeWarp(const ExchangeLanes& lanes) {
  if (lanes.active != ~uint32_t{0}) return false;
  uint32_t all = ~uint32_t{0};
  for (unsigned lane = 0; lanes.members && lane < warpLanes; ++lane) all &= lanes.members[lane];
  return all == ~uint32_t{0};
}

template <class Rule, class W, class By, bool hasWidth, bool isSegmented>
uint32_t shuffle(void* const* results, const void* const* args, const ExchangeLanes& lanes) {
  W in[warpLanes];
  std::copy_n(static_cast<const W*>(args[0]), warpLanes, in);
  auto* out = static_cast<W*>(results[0]);
  if constexpr (isSegmented && !std::is_void_v<By>)
    if (isWholeWarp(lanes)) {  // nobody reads from a lane that is not there
      for (unsigned lane = 0; lane < warpLanes; ++lane) {
        Request request{lane, ~uint32_t{0}, valueAt<By>(args[1], lane), int64_t{warpLanes}, ~uint32_t{0}};
        if constexpr (hasWidth) request.width = valueAt<int32_t>(args[2], lane);
        out[lane] = in[Rule::of(request).lane];
      }
      return 0;
    }
  uint32_t undefined = 0;
  eachActive(lanes.active, [&](unsigned lane) {
    Request request{lane, membersOf(lanes, lane), 0, isSegmented ? int64_t{warpLanes} : lanes.extra,
                    lanes.active};
    if constexpr (!std::is_void_v<By>) request.by = valueAt<By>(args[1], lane);
    if constexpr (hasWidth) request.width = valueAt<int32_t>(args[2], lane);
    const Source source = Rule::of(request);
    out[lane] = in[source.lane];
    const bool isThere = lanes.active >> source.lane & request.members >> source.lane & 1;
    if (source.isUndefined || !isThere) undefined |= uint32_t{1} << lane;
  });
  return undefined;
}

template <class Rule, class W, bool isSegmented> ExchangeFunction shuffleOf(std::span<const Scalar> args) {
  switch (args.size()) {
    case 1: return &shuffle<Rule, W, void, false, isSegmented>;
    case 2:
      if (isWide(args[1])) return &shuffle<Rule, W, int64_t, false, isSegmented>;
      return &shuffle<Rule, W, int32_t, false, isSegmented>;
    case 3:
      return isWide(args[1]) || isWide(args[2]) ? nullptr : &shuffle<Rule, W, int32_t, true, isSegmented>;
    default: return nullptr;
  }
}
template <class Rule, bool isSegmented = false> ExchangeFunction pick(std::span<const Scalar> args) {
  return isWide(args[0]) ? shuffleOf<Rule, uint64_t, isSegmented>(args)
                         : shuffleOf<Rule, uint32_t, isSegmented>(args);
}

}  // namespace

ExchangeFunction findShuffle(std::string_view id, std::span<const Scalar> args,
                             std::span<const Scalar> results) {
  if (args.empty() || results.size() != 1 || isWide(args[0]) != isWide(results[0])) return nullptr;
  if (id.ends_with("_sync")) id.remove_suffix(5);
  if (id == "shfl") return pick<Index, true>(args);
  if (id == "shfl_up") return pick<Up, true>(args);
  if (id == "shfl_down") return pick<Down, true>(args);
  if (id == "shfl_xor") return pick<Xor, true>(args);
  if (id == "group_shfl") return pick<GroupIndex>(args);
  if (id == "group_shfl_up") return pick<GroupUp>(args);
  if (id == "group_shfl_down") return pick<GroupDown>(args);
  if (id == "group_shfl_xor") return pick<GroupXor>(args);
  if (id == "sub_group_shuffle" || id == "sub_group_broadcast" || id == "sub_group_non_uniform_broadcast")
    return pick<SubIndex>(args);
  if (id == "sub_group_shuffle_up") return pick<SubUp>(args);
  if (id == "sub_group_shuffle_down") return pick<SubDown>(args);
  if (id == "sub_group_shuffle_xor") return pick<SubXor>(args);
  if (id == "sub_group_broadcast_first") return pick<SubFirst>(args);
  if (id == "sub_group_rotate" || id == "sub_group_clustered_rotate") return pick<SubRotate>(args);
  return nullptr;
}

}  // namespace hone::sim::exchange
