#include "affine/Ids.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "affine/KernelModel.h"

namespace hone::affine {
namespace {

template <class List, class Index>
concept IndexedBy = requires(List list, Index index) { list[index]; };

// What must not compile: an id of another kind, or a number, where an id of one kind is asked for.
static_assert(IndexedBy<ById<ArrayId, Array>, ArrayId>);
static_assert(IndexedBy<const ById<ArrayId, Array>, ArrayId>);
static_assert(!IndexedBy<ById<ArrayId, Array>, AccessId>);
static_assert(!IndexedBy<ById<ArrayId, Array>, LoopId>);
static_assert(!IndexedBy<ById<ArrayId, Array>, int>);
static_assert(!IndexedBy<decltype(KernelModel::accesses), LoopId>);
static_assert(!IndexedBy<decltype(KernelModel::accesses), size_t>);
static_assert(!IndexedBy<decltype(KernelModel::loops), AccessId>);
static_assert(!std::is_convertible_v<int, LoopId> && !std::is_convertible_v<LoopId, int>);
static_assert(!std::is_constructible_v<LoopId, AccessId> && !std::is_assignable_v<LoopId&, AccessId>);
static_assert(!std::equality_comparable_with<LoopId, AccessId> &&
              !std::equality_comparable_with<LoopId, int>);
static_assert(sizeof(LoopId) == sizeof(int) && std::is_trivially_copyable_v<LoopId>);

TEST(Ids, NoneComesFirstAndIsTheDefault) {
  const LoopId none, first(0), later(size_t{7});
  EXPECT_TRUE(none.isNone());
  EXPECT_FALSE(none.isSome());
  EXPECT_EQ(none, LoopId::none());
  EXPECT_EQ(none, LoopId(-1));
  EXPECT_EQ(none.number(), -1);
  EXPECT_TRUE(first.isSome());
  EXPECT_EQ(later.number(), 7);
  EXPECT_LT(none, first);
  EXPECT_LT(first, later);
  EXPECT_EQ(std::max(first, later), later);
}

TEST(Ids, KeysOfContainers) {
  std::map<std::pair<ArrayId, LoopId>, int> ordered{{{ArrayId(1), LoopId(0)}, 3},
                                                    {{ArrayId(0), LoopId(9)}, 4}};
  EXPECT_EQ(ordered.begin()->second, 4);
  const std::unordered_set<AccessId> hashed{AccessId(2), AccessId(2), AccessId(3)};
  EXPECT_EQ(hashed.size(), 2u);
  EXPECT_TRUE(hashed.contains(AccessId(3)));
}

TEST(Ids, ListsGiveIdsAndTakeThem) {
  ById<AccessId, std::string> list;
  EXPECT_TRUE(list.empty());
  EXPECT_TRUE(list.ids().begin() == list.ids().end());
  const AccessId a = list.add("a"), b = list.add("b"), c = list.add("c");
  EXPECT_EQ(a, AccessId(0));
  EXPECT_EQ(c, AccessId(2));
  list[b] += "b";
  EXPECT_EQ(list[b], "bb");
  EXPECT_TRUE(list.contains(c));
  EXPECT_FALSE(list.contains(AccessId(3)));
  EXPECT_FALSE(list.contains(AccessId::none()));
  auto collect = [](auto range) {
    std::vector<AccessId> out;
    for (const AccessId id : range) out.push_back(id);
    return out;
  };
  EXPECT_EQ(collect(list.ids()), (std::vector{a, b, c}));
  EXPECT_EQ(collect(list.idsBefore(c)), (std::vector{a, b}));
  EXPECT_EQ(collect(list.idsAfter(a)), (std::vector{b, c}));
  EXPECT_TRUE(collect(list.idsAfter(c)).empty());
  EXPECT_TRUE(collect(list.idsBefore(AccessId::none())).empty());
  std::string all;
  for (const std::string& one : list) all += one;
  EXPECT_EQ(all, "abbc");
}

TEST(Ids, ListsOfBoolsAndOfEqualElements) {
  ById<LoopId, bool> marks(3);
  marks[LoopId(1)] = true;
  EXPECT_FALSE(marks[LoopId(0)]);
  EXPECT_TRUE(marks[LoopId(1)]);
  ById<LoopId, int> counts(2, 5);
  EXPECT_EQ(counts[LoopId(1)], 5);
}

TEST(Ids, BitsOfLoops) {
  EXPECT_EQ(loopBit(LoopId(0)), 1u);
  EXPECT_EQ(loopBit(LoopId(62)), uint64_t{1} << 62);
  EXPECT_EQ(loopBit(LoopId(63)), loopBit(LoopId(1000)));
}

}  // namespace
}  // namespace hone::affine
