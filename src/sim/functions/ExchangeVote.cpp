// Exchanges that ask all lanes a question: votes, ballots, matches, and what is read from a ballot.
#include "sim/functions/ExchangeLane.h"

namespace hone::sim::exchange {
namespace {

const int32_t* ints(const void* arg) { return static_cast<const int32_t*>(arg); }
int32_t* ints(void* result) { return static_cast<int32_t*>(result); }
uint32_t* words(void* result) { return static_cast<uint32_t*>(result); }

uint32_t trueLanes(const void* predicate, uint32_t active) {
  uint32_t out = 0;
  for (unsigned l = 0; l < warpLanes; ++l) out |= static_cast<uint32_t>(ints(predicate)[l] != 0) << l;
  return out & active;
}

// Who takes part with a lane.
uint32_t partners(const ExchangeLanes& lanes, unsigned lane) { return membersOf(lanes, lane) & lanes.active; }

struct Any {
  static int32_t of(uint32_t yes, uint32_t all) { return (yes & all) != 0; }
};
struct All {
  static int32_t of(uint32_t yes, uint32_t all) { return (yes & all) == all; }
};
struct Uniform {
  static int32_t of(uint32_t yes, uint32_t all) { return (yes & all) == all || (yes & all) == 0; }
};
struct Ballot {
  static int32_t of(uint32_t yes, uint32_t all) { return static_cast<int32_t>(yes & all); }
};

template <class Question> uint32_t vote(void* const* results, const void* const* args,
                                        const ExchangeLanes& lanes) {
  const uint32_t yes = trueLanes(args[0], lanes.active);
  eachActive(lanes.active, [&](unsigned l) { ints(results[0])[l] = Question::of(yes, partners(lanes, l)); });
  return 0;
}
uint32_t groupBallot(void* const* results, const void* const* args, const ExchangeLanes& lanes) {
  const uint32_t yes = trueLanes(args[0], lanes.active);
  eachActive(lanes.active, [&](unsigned l) { words(results[0])[l] = byRank(yes, membersOf(lanes, l)); });
  return 0;
}
uint32_t subBallot(void* const* results, const void* const* args, const ExchangeLanes& lanes) {
  const uint32_t yes = trueLanes(args[0], lanes.active);
  eachActive(lanes.active, [&](unsigned l) {
    words(results[0])[l] = byRank(yes, membersOf(lanes, l));
    for (unsigned i = 1; i < 4; ++i) words(results[i])[l] = 0;
  });
  return 0;
}
uint32_t elect(void* const* results, const void* const*, const ExchangeLanes& lanes) {
  eachActive(lanes.active, [&](unsigned l) {
    ints(results[0])[l] = static_cast<unsigned>(std::countr_zero(partners(lanes, l))) == l;
  });
  return 0;
}

template <class W> uint32_t equalLanes(const void* values, uint32_t among, unsigned lane) {
  const W* value = static_cast<const W*>(values);
  uint32_t out = 0;
  eachActive(among, [&](unsigned l) { out |= static_cast<uint32_t>(value[l] == value[lane]) << l; });
  return out;
}
template <class W, bool ranked> uint32_t matchAny(void* const* results, const void* const* args,
                                                  const ExchangeLanes& lanes) {
  eachActive(lanes.active, [&](unsigned l) {
    const uint32_t same = equalLanes<W>(args[0], partners(lanes, l), l);
    words(results[0])[l] = ranked ? byRank(same, membersOf(lanes, l)) : same;
  });
  return 0;
}
template <class W, bool ranked> uint32_t matchAll(void* const* results, const void* const* args,
                                                  const ExchangeLanes& lanes) {
  eachActive(lanes.active, [&](unsigned l) {
    const uint32_t all = partners(lanes, l);
    const bool isSame = equalLanes<W>(args[0], all, l) == all;
    words(results[0])[l] = !isSame ? 0 : ranked ? byRank(all, membersOf(lanes, l)) : all;
    ints(results[1])[l] = isSame;
  });
  return 0;
}
// Equal as numbers: NaN is not, and the zeros are.
template <class T> uint32_t allEqual(void* const* results, const void* const* args,
                                     const ExchangeLanes& lanes) {
  eachActive(lanes.active, [&](unsigned l) {
    const uint32_t all = partners(lanes, l);
    ints(results[0])[l] = equalLanes<T>(args[0], all, l) == all;
  });
  return 0;
}

// A ballot holds one bit per rank in its first word; the others are zero, since a sub-group has at most 32
// lanes.
struct BitOfOwn {
  static int32_t of(uint32_t ballot, uint32_t, unsigned rank) { return ballot >> rank & 1; }
};
struct CountAll {
  static int32_t of(uint32_t ballot, uint32_t, unsigned) { return std::popcount(ballot); }
};
struct CountUpTo {
  static int32_t of(uint32_t ballot, uint32_t, unsigned rank) {
    return std::popcount(ballot & ((uint32_t{2} << rank) - 1));
  }
};
struct CountBelow {
  static int32_t of(uint32_t ballot, uint32_t, unsigned rank) {
    return std::popcount(ballot & ((uint32_t{1} << rank) - 1));
  }
};
struct Lowest {
  static int32_t of(uint32_t ballot, uint32_t, unsigned) {
    return ballot == 0 ? -1 : std::countr_zero(ballot);
  }
};
struct Highest {
  static int32_t of(uint32_t ballot, uint32_t, unsigned) { return 31 - std::countl_zero(ballot); }
};
struct BitAt {
  static int32_t of(uint32_t ballot, uint32_t index, unsigned) {
    return index < 32 ? ballot >> index & 1 : 0;
  }
};
template <class Read, bool hasIndex = false>
uint32_t readBallot(void* const* results, const void* const* args, const ExchangeLanes& lanes) {
  eachActive(lanes.active, [&](unsigned l) {
    const uint32_t members = membersOf(lanes, l), size = sizeOf(members);
    uint32_t ballot = static_cast<const uint32_t*>(args[0])[l];
    if (size < 32) ballot &= (uint32_t{1} << size) - 1;
    const uint32_t index = hasIndex ? static_cast<const uint32_t*>(args[4])[l] : 0;
    ints(results[0])[l] = Read::of(ballot, index, rankOf(members, l));
  });
  return 0;
}

template <bool ranked> ExchangeFunction matchOf(bool all, bool wide) {
  if (all) return wide ? &matchAll<uint64_t, ranked> : &matchAll<uint32_t, ranked>;
  return wide ? &matchAny<uint64_t, ranked> : &matchAny<uint32_t, ranked>;
}

ExchangeFunction findBallotReader(std::string_view id) {
  if (id == "sub_group_inverse_ballot") return &readBallot<BitOfOwn>;
  if (id == "sub_group_ballot_bit_extract") return &readBallot<BitAt, true>;
  if (id == "sub_group_ballot_bit_count") return &readBallot<CountAll>;
  if (id == "sub_group_ballot_inclusive_scan") return &readBallot<CountUpTo>;
  if (id == "sub_group_ballot_exclusive_scan") return &readBallot<CountBelow>;
  if (id == "sub_group_ballot_find_lsb") return &readBallot<Lowest>;
  if (id == "sub_group_ballot_find_msb") return &readBallot<Highest>;
  return nullptr;
}

}  // namespace

ExchangeFunction findVote(std::string_view id, std::span<const Scalar> args,
                          std::span<const Scalar> results) {
  if (id == "sub_group_elect") return args.empty() && results.size() == 1 ? &elect : nullptr;
  if (args.empty() || results.empty()) return nullptr;
  if (ExchangeFunction found = findBallotReader(id)) {
    const size_t wanted = id == "sub_group_ballot_bit_extract" ? 5 : 4;
    return args.size() == wanted && results.size() == 1 ? found : nullptr;
  }
  const bool wide = isWide(args[0]);
  const size_t outs = results.size();
  if (id == "match_any_sync" && outs == 1) return matchOf<false>(false, wide);
  if (id == "match_all_sync" && outs == 2) return matchOf<false>(true, wide);
  if (id == "group_match_any" && outs == 1) return matchOf<true>(false, wide);
  if (id == "group_match_all" && outs == 2) return matchOf<true>(true, wide);
  // The members of the part that a lane falls into.
  if ((id == "binary_partition" || id == "labeled_partition") && outs == 1)
    return matchOf<false>(false, wide);
  if (id == "sub_group_non_uniform_all_equal") {
    if (args[0] == Scalar::F64) return &allEqual<double>;
    if (isFloating(args[0])) return &allEqual<float>;
    return wide ? &allEqual<uint64_t> : &allEqual<uint32_t>;
  }
  if (wide || args.size() != 1) return nullptr;
  if (id == "sub_group_ballot") return outs == 4 ? &subBallot : nullptr;
  if (outs != 1 || isWide(results[0])) return nullptr;
  if (id == "any_sync" || id == "any_active" || id == "group_any" || id == "sub_group_any" ||
      id == "sub_group_non_uniform_any")
    return &vote<Any>;
  if (id == "all_sync" || id == "all_active" || id == "group_all" || id == "sub_group_all" ||
      id == "sub_group_non_uniform_all")
    return &vote<All>;
  if (id == "uni_sync") return &vote<Uniform>;
  if (id == "ballot_sync" || id == "ballot") return &vote<Ballot>;
  if (id == "group_ballot") return &groupBallot;
  return nullptr;
}

}  // namespace hone::sim::exchange
