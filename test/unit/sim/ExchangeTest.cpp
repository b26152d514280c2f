// Exchanges among lanes: coverage of the table, and values against the definitions.
#include "sim/functions/ExchangeFunctions.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <set>

#include "sim/TableTypes.h"

namespace hone::sim {
namespace {

constexpr uint32_t all = 0xffffffff;
template <class T> using Lanes = std::array<T, warpLanes>;

template <class T> Scalar exchangedScalar() {
  if constexpr (std::is_same_v<T, int32_t>)
    return Scalar::I32;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return Scalar::U32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return Scalar::I64;
  else if constexpr (std::is_same_v<T, float>)
    return Scalar::F32;
  else
    return Scalar::F64;
}

template <class T, class Fn> Lanes<T> fill(Fn fn) {
  Lanes<T> out;
  for (unsigned l = 0; l < warpLanes; ++l) out[l] = static_cast<T>(fn(l));
  return out;
}

struct Outcome {
  uint32_t undefined = 0;
};
// Calls an exchange with one result and any number of arguments, the same members for every lane.
template <class R, class... A>
Lanes<R> exchange(const char* id, uint32_t active, const Lanes<uint32_t>& members, int64_t extra,
                  Outcome& outcome, const Lanes<A>&... args) {
  Lanes<R> result;
  result.fill(R{});
  const std::array<Scalar, sizeof...(A)> types{exchangedScalar<A>()...};
  const std::array<Scalar, 1> resultType{exchangedScalar<R>()};
  ExchangeFunction fn = findExchange(id, types, resultType);
  EXPECT_NE(fn, nullptr) << id;
  if (!fn) return result;
  const std::array<const void*, sizeof...(A)> pointers{args.data()...};
  void* results[] = {result.data()};
  outcome.undefined = fn(results, pointers.data(), {active, members.data(), extra});
  return result;
}
template <class R, class... A> Lanes<R> whole(const char* id, const Lanes<A>&... args) {
  Outcome outcome;
  Lanes<R> out = exchange<R>(id, all, fill<uint32_t>([](unsigned) { return all; }), 0, outcome, args...);
  EXPECT_EQ(outcome.undefined, 0u) << id;
  return out;
}

// Whatever lanes, masks and arguments hold, nothing may trap and only lanes that are active be undefined.
void callWithAnyBits(ExchangeFunction function, size_t args, size_t results, std::mt19937_64& random) {
  std::vector<Lanes<uint64_t>> in(args), out(results);
  std::vector<const void*> inPointers;
  std::vector<void*> outPointers;
  for (auto& lanes : in) {
    for (uint64_t& word : lanes) word = random();
    inPointers.push_back(lanes.data());
  }
  for (auto& lanes : out) outPointers.push_back(lanes.data());
  const auto members = fill<uint32_t>([&](unsigned) { return random(); });
  const auto active = static_cast<uint32_t>(random());
  const uint32_t undefined = function(outPointers.data(), inPointers.data(),
                                      {active, members.data(), static_cast<int64_t>(random() % 10)});
  EXPECT_EQ(undefined & ~active, 0u);
}

const Lanes<int32_t> numbers = fill<int32_t>([](unsigned l) { return 100 + 7 * l; });

TEST(Exchange, EverySignatureOfTheTableHasAFunction) {
  // Barriers, and what works on the whole block or on memory.
  const std::set<std::string_view> elsewhere = {"cluster_barrier_arrive",
                                                "cluster_barrier_arrive_relaxed",
                                                "cluster_barrier_wait",
                                                "barrier_sync",
                                                "barrier_sync_count",
                                                "group_sync",
                                                "group_barrier_arrive",
                                                "group_barrier_wait",
                                                "group_wait",
                                                "group_wait_prior",
                                                "pipeline_commit",
                                                "pipeline_wait_prior",
                                                "wait_group_events"};
  // Templates without a signature: leaves of arguments and results for one element type each.
  const std::set<std::string_view> groupShuffles = {"group_shfl", "group_shfl_up", "group_shfl_down",
                                                    "group_shfl_xor"};
  unsigned checked = 0;
  std::mt19937_64 random(21);
  for (const ir::Intrinsic& fn : ir::allIntrinsics()) {
    if (fn.cls != ir::IntrinsicClass::Exchange || elsewhere.contains(fn.id) ||
        fn.id.starts_with("work_group_"))
      continue;
    auto expectOne = [&](const std::vector<Scalar>& args, const std::vector<Scalar>& results) {
      ExchangeFunction function = findExchange(fn.id, args, results);
      EXPECT_NE(function, nullptr) << fn.id << " of " << (args.empty() ? -1 : static_cast<int>(args[0]));
      if (function) callWithAnyBits(function, args.size(), results.size(), random);
      ++checked;
    };
    for (ir::Language language : {ir::Language::Cuda, ir::Language::OpenCL}) {
      for (const ir::IntrinsicName& name : fn.names(language)) {
        if (name.hasSignature) {
          std::vector<TypePtr> types = scalars();
          types.push_back(nullptr);
          for (const TypePtr& type : types) {
            ir::IntrinsicSignature signature = ir::instantiate(name, type, ir::Space::Private);
            if (!signature.name) continue;
            std::vector<Scalar> args, results;
            addLeaves(signature.result, true, results);
            for (size_t i = fn.id.ends_with("_sync") ? 1 : 0; i < signature.params.size(); ++i) {
              const TypePtr& param = signature.params[i];
              addLeaves(param->isPointer() ? param->element : param, true,
                        param->isPointer() ? results : args);
            }
            expectOne(args, results);
          }
          continue;
        }
        for (const TypePtr& type : scalars()) {
          const Scalar s = scalarOf(*type);
          if (groupShuffles.contains(fn.id))
            expectOne({s, Scalar::I32}, {s});
          else if (fn.id.ends_with("scan") && fn.id.starts_with("group_"))
            expectOne({s}, {s});
          else if (fn.id == "group_reduce")
            expectOne({s}, {s});
          else if (fn.id == "group_match_any")
            expectOne({s}, {Scalar::U32});
          else if (fn.id == "labeled_partition")
            expectOne({s}, {Scalar::U32});
          else if (fn.id == "group_match_all")
            expectOne({s}, {Scalar::U32, Scalar::I32});
        }
        if (fn.id == "binary_partition") expectOne({Scalar::Bool}, {Scalar::U32});
        if (fn.id == "group_any" || fn.id == "group_all") expectOne({Scalar::I32}, {Scalar::I32});
        if (fn.id == "group_ballot") expectOne({Scalar::I32}, {Scalar::U32});
        const std::vector<Scalar> ballot(4, Scalar::U32);
        if (fn.id == "sub_group_ballot")
          expectOne({Scalar::I32}, ballot);
        else if (fn.id == "sub_group_ballot_bit_extract")
          expectOne(std::vector<Scalar>(5, Scalar::U32), {Scalar::I32});
        else if (fn.id.find("ballot") != std::string_view::npos && fn.id.starts_with("sub_group"))
          expectOne(ballot, {Scalar::I32});
      }
    }
  }
  EXPECT_GT(checked, 700u);
}

TEST(Exchange, ShufflesFollowPtxSegments) {
  for (int32_t width : {1, 2, 4, 8, 16, 32}) {
    const auto widths = fill<int32_t>([&](unsigned) { return width; });
    const int w = width;
    for (int by : {0, 1, 3, 5, 16, 31}) {
      const auto distance = fill<int32_t>([&](unsigned) { return by; });
      auto up = whole<int32_t>("shfl_up_sync", numbers, distance, widths);
      auto down = whole<int32_t>("shfl_down_sync", numbers, distance, widths);
      auto index = whole<int32_t>("shfl_sync", numbers, distance, widths);
      auto across = whole<int32_t>("shfl_xor_sync", numbers, distance, widths);
      for (int l = 0; l < 32; ++l) {
        const int first = l / w * w, last = first + w - 1;
        EXPECT_EQ(up[l], numbers[l - by >= first ? l - by : l]);
        EXPECT_EQ(down[l], numbers[l + by <= last ? l + by : l]);
        EXPECT_EQ(index[l], numbers[first + by % w]);
        EXPECT_EQ(across[l], numbers[(l ^ by) <= last ? l ^ by : l]);
      }
    }
  }
}

TEST(Exchange, WideValuesTravelWhole) {
  const auto values = fill<int64_t>([](unsigned l) { return (int64_t{l} << 40) + l; });
  const auto by = fill<uint32_t>([](unsigned) { return 1; });
  auto out = whole<int64_t>("shfl_down_sync", values, by);
  for (unsigned l = 0; l < 31; ++l) EXPECT_EQ(out[l], values[l + 1]);
  EXPECT_EQ(out[31], values[31]);
}

TEST(Exchange, ReadingAnAbsentLaneIsUndefined) {
  Outcome outcome;
  const uint32_t half = 0x0000ffff;
  const auto members = fill<uint32_t>([](unsigned) { return all; });
  exchange<int32_t>("shfl_down_sync", half, members, 0, outcome, numbers,
                    fill<uint32_t>([](unsigned) { return 4; }));
  EXPECT_EQ(outcome.undefined, 0xf000u);
  // Active, but not named by the mask.
  const auto named = fill<uint32_t>([](unsigned) { return 0x0000ffff; });
  exchange<int32_t>("shfl_sync", half, named, 0, outcome, numbers,
                    fill<int32_t>([](unsigned l) { return l == 3 ? 20 : 0; }));
  EXPECT_EQ(outcome.undefined, 8u);
  exchange<int32_t>("shfl", half, fill<uint32_t>([&](unsigned) { return half; }), 0, outcome, numbers,
                    fill<int32_t>([](unsigned) { return 5; }));
  EXPECT_EQ(outcome.undefined, 0u);
}

TEST(Exchange, VotesAskTheMembers) {
  const auto odd = fill<int32_t>([](unsigned l) { return l % 2; });
  Outcome outcome;
  const auto halves = fill<uint32_t>([](unsigned l) { return l < 16 ? 0x0000aaaa : 0xffff0000; });
  auto every = exchange<int32_t>("all_sync", 0xffffaaaa, halves, 0, outcome, odd);
  auto some = exchange<int32_t>("any_sync", 0xffffaaaa, halves, 0, outcome, odd);
  auto same = exchange<int32_t>("uni_sync", 0xffffaaaa, halves, 0, outcome, odd);
  auto ballot = exchange<uint32_t>("ballot_sync", 0xffffaaaa, halves, 0, outcome, odd);
  EXPECT_EQ(every[1], 1);
  EXPECT_EQ(every[20], 0);
  EXPECT_EQ(some[20], 1);
  EXPECT_EQ(same[1], 1);
  EXPECT_EQ(same[20], 0);
  EXPECT_EQ(ballot[1], 0x0000aaaau);
  EXPECT_EQ(ballot[31], 0xaaaa0000u);
}

TEST(Exchange, MatchesCompareBits) {
  const auto keys = fill<float>([](unsigned l) { return l % 3 == 0 ? 0.0 : l % 3 == 1 ? -0.0 : NAN; });
  auto found = whole<uint32_t>("match_any_sync", keys);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned k = 0; k < 32; ++k) EXPECT_EQ(found[l] >> k & 1, static_cast<uint32_t>(l % 3 == k % 3));
  ExchangeFunction matchAll =
      findExchange("match_all_sync", std::array{Scalar::F32}, std::array{Scalar::U32, Scalar::I32});
  ASSERT_NE(matchAll, nullptr);
  Lanes<uint32_t> mask, members = fill<uint32_t>([](unsigned l) { return 0x49249249u << l % 3; });
  Lanes<int32_t> isSame;
  const void* args[] = {keys.data()};
  void* results[] = {mask.data(), isSame.data()};
  matchAll(results, args, {all, members.data(), 0});
  EXPECT_EQ(isSame[4], 1);
  EXPECT_EQ(mask[4], 0x92492492u);
  members.fill(all);
  matchAll(results, args, {all, members.data(), 0});
  EXPECT_EQ(isSame[4], 0);
  EXPECT_EQ(mask[4], 0u);
}

TEST(Exchange, GroupsCountByRank) {
  const uint32_t group = 0x80010412;  // lanes 1, 4, 10, 16, 31
  const auto members = fill<uint32_t>([&](unsigned) { return group; });
  const unsigned lanes[] = {1, 4, 10, 16, 31};
  Outcome outcome;
  auto index = exchange<int32_t>("group_shfl", group, members, 0, outcome, numbers,
                                 fill<int32_t>([](unsigned) { return 3; }));
  auto up = exchange<int32_t>("group_shfl_up", group, members, 0, outcome, numbers,
                              fill<uint32_t>([](unsigned) { return 2; }));
  auto down = exchange<int32_t>("group_shfl_down", group, members, 0, outcome, numbers,
                                fill<uint32_t>([](unsigned) { return 2; }));
  auto ballot = exchange<uint32_t>("group_ballot", group, members, 0, outcome,
                                   fill<int32_t>([](unsigned l) { return l >= 10; }));
  EXPECT_EQ(outcome.undefined, 0u);
  for (int r = 0; r < 5; ++r) {
    EXPECT_EQ(index[lanes[r]], numbers[16]);
    EXPECT_EQ(up[lanes[r]], numbers[lanes[r >= 2 ? r - 2 : r]]);
    EXPECT_EQ(down[lanes[r]], numbers[lanes[r < 3 ? r + 2 : r]]);
    EXPECT_EQ(ballot[lanes[r]], 0x1cu);
  }
  exchange<int32_t>("group_shfl", group, members, 0, outcome, numbers,
                    fill<int32_t>([](unsigned) { return 7; }));
  EXPECT_EQ(outcome.undefined, group);
  // The ranks of a static tile wrap.
  const auto tiles = fill<uint32_t>([](unsigned l) { return 0xffu << l / 8 * 8; });
  auto wrapped = exchange<int32_t>("group_shfl", all, tiles, 8, outcome, numbers,
                                   fill<int32_t>([](unsigned) { return 11; }));
  EXPECT_EQ(outcome.undefined, 0u);
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(wrapped[l], numbers[l / 8 * 8 + 3]);
}

TEST(Exchange, ReductionsAndScansOfIntegers) {
  const auto values = fill<int32_t>([](unsigned l) { return (l * 37 + 11) % 64 - 20; });
  auto sum = whole<int32_t>("reduce_add_sync", values);
  auto least = whole<int32_t>("reduce_min_sync", values);
  auto greatest = whole<int32_t>("sub_group_reduce_max", values);
  auto inclusive = whole<int32_t>("sub_group_scan_inclusive_add", values);
  auto exclusive = whole<int32_t>("sub_group_scan_exclusive_add", values);
  auto lower = whole<int32_t>("sub_group_scan_exclusive_min", values);
  int32_t total = 0, low = INT32_MAX, high = INT32_MIN;
  for (unsigned l = 0; l < 32; ++l) {
    EXPECT_EQ(exclusive[l], total);
    EXPECT_EQ(lower[l], low);
    total += values[l];
    low = std::min(low, values[l]);
    high = std::max(high, values[l]);
    EXPECT_EQ(inclusive[l], total);
  }
  EXPECT_EQ(sum[9], total);
  EXPECT_EQ(least[9], low);
  EXPECT_EQ(greatest[9], high);
  auto parity = whole<int32_t>("sub_group_non_uniform_reduce_logical_xor",
                               fill<int32_t>([](unsigned l) { return l < 5 ? 8 : 0; }));
  EXPECT_EQ(parity[0], 1);
  auto clusters =
      whole<int32_t>("sub_group_clustered_reduce_add", values, fill<uint32_t>([](unsigned) { return 4; }));
  for (unsigned l = 0; l < 32; l += 4)
    EXPECT_EQ(clusters[l + 1], values[l] + values[l + 1] + values[l + 2] + values[l + 3]);
}

TEST(Exchange, GroupReductionsRoundLikeTheHeader) {
  const auto values = fill<float>(
      [](unsigned l) { return std::ldexp(1.0F + static_cast<float>(l) / 7, static_cast<int>(l * 5 % 30)); });
  Outcome outcome;
  const auto tiles = fill<uint32_t>([](unsigned l) { return l < 16 ? 0xffffu : 0xffff0000u; });
  auto sum =
      exchange<float>("group_reduce", all, tiles, static_cast<int64_t>(ReduceOp::Add), outcome, values);
  for (unsigned first : {0u, 16u}) {
    float part[16];
    for (unsigned r = 0; r < 16; ++r) part[r] = values[first + r];
    for (unsigned d = 8; d > 0; d /= 2) {
      float before[16];
      std::copy(part, part + 16, before);
      for (unsigned r = 0; r < 16; ++r) part[r] = before[r] + before[r ^ d];
    }
    for (unsigned r = 0; r < 16; ++r) EXPECT_EQ(sum[first + r], part[r]);
  }
  auto scan = exchange<float>("group_exclusive_scan", all, tiles, static_cast<int64_t>(ReduceOp::Add),
                              outcome, values);
  EXPECT_EQ(scan[16], 0.0F);
  EXPECT_EQ(scan[17], values[16]);
  EXPECT_EQ(scan[19], (values[18] + values[17]) + values[16]);
  auto greatest = exchange<float>("group_reduce", 0x7, fill<uint32_t>([](unsigned) { return 0x7; }),
                                  static_cast<int64_t>(ReduceOp::Max), outcome, values);
  EXPECT_EQ(greatest[1], std::max({values[0], values[1], values[2]}));
}

TEST(Exchange, SubGroupShufflesAndRotations) {
  const auto by = fill<uint32_t>([](unsigned) { return 3; });
  Outcome outcome;
  const uint32_t twenty = (1u << 20) - 1;
  const auto members = fill<uint32_t>([&](unsigned) { return twenty; });
  auto up = exchange<int32_t>("sub_group_shuffle_up", twenty, members, 0, outcome, numbers, by);
  EXPECT_EQ(outcome.undefined, 7u);
  EXPECT_EQ(up[10], numbers[7]);
  auto rotated = exchange<int32_t>("sub_group_rotate", twenty, members, 0, outcome, numbers,
                                   fill<int32_t>([](unsigned) { return -3; }));
  EXPECT_EQ(outcome.undefined, 0u);
  for (unsigned l = 0; l < 20; ++l) EXPECT_EQ(rotated[l], numbers[(l + 17) % 20]);
  auto clustered =
      whole<int32_t>("sub_group_clustered_rotate", numbers, fill<int32_t>([](unsigned) { return 3; }),
                     fill<uint32_t>([](unsigned) { return 8; }));
  for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(clustered[l], numbers[l / 8 * 8 + (l + 3) % 8]);
  auto first = exchange<int32_t>("sub_group_broadcast_first", 0xff00, members, 0, outcome, numbers);
  EXPECT_EQ(first[12], numbers[8]);
}

TEST(Exchange, BallotsOfSubGroupsAreRead) {
  Lanes<uint32_t> ballot = fill<uint32_t>([](unsigned) { return 0xf00ff0a5u; }),
                  none = fill<uint32_t>([](unsigned) { return 0u; });
  EXPECT_EQ(whole<int32_t>("sub_group_ballot_bit_count", ballot, none, none, none)[0],
            std::popcount(0xf00ff0a5u));
  EXPECT_EQ(whole<int32_t>("sub_group_ballot_find_lsb", ballot, none, none, none)[0], 0);
  EXPECT_EQ(whole<int32_t>("sub_group_ballot_find_msb", ballot, none, none, none)[0], 31);
  auto inclusive = whole<int32_t>("sub_group_ballot_inclusive_scan", ballot, none, none, none);
  auto exclusive = whole<int32_t>("sub_group_ballot_exclusive_scan", ballot, none, none, none);
  auto own = whole<int32_t>("sub_group_inverse_ballot", ballot, none, none, none);
  int32_t count = 0;
  for (unsigned l = 0; l < 32; ++l) {
    const int32_t bit = 0xf00ff0a5u >> l & 1;
    EXPECT_EQ(exclusive[l], count);
    EXPECT_EQ(inclusive[l], count += bit);
    EXPECT_EQ(own[l], bit);
  }
  EXPECT_EQ(whole<int32_t>("sub_group_ballot_bit_extract", ballot, none, none, none,
                           fill<uint32_t>([](unsigned) { return 7u; }))[5],
            1);
}

}  // namespace
}  // namespace hone::sim
