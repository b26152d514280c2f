// The cache of sectors against one that is written down as its contract says: lists, and clocks for ages.
#include "sim/count/SectorCache.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace hone::sim;

namespace {

// One set of so many ways.
class PlainSet {
 public:
  explicit PlainSet(size_t ways) : most(ways) {}
  bool find(uint64_t tag) {
    const auto held = used.find(tag);
    if (held != used.end()) held->second = ++clock;
    return held != used.end();
  }
  bool has(uint64_t tag) const { return used.contains(tag); }
  // What has to go for it, where something has.
  std::optional<uint64_t> place(uint64_t tag) {
    std::optional<uint64_t> gone;
    if (used.size() == most) {
      auto oldest = used.begin();
      for (auto one = used.begin(); one != used.end(); ++one)
        if (one->second < oldest->second) oldest = one;
      gone = oldest->first;
      used.erase(oldest);
    }
    used[tag] = ++clock;
    return gone;
  }
  size_t size() const { return used.size(); }

 private:
  size_t most;
  uint64_t clock = 0;
  std::map<uint64_t, uint64_t> used;
};

TEST(SectorCache, TheOldestOfASetGoes) {
  constexpr unsigned ways = 4, lineBytes = 128;
  SectorCache cache(ways * lineBytes, lineBytes, ways);  // one set
  ASSERT_EQ(cache.lineCount(), ways);
  PlainSet plain(ways);
  std::mt19937 random(7);
  unsigned evictions = 0, hits = 0;
  for (unsigned k = 0; k < 5000; ++k) {
    const uint64_t tag = random() % 7;
    if (random() % 4 == 0) {
      EXPECT_EQ(cache.peek(tag) != nullptr, plain.has(tag));
      continue;
    }
    SectorCache::Line* const found = cache.find(tag);
    ASSERT_EQ(found != nullptr, plain.find(tag)) << k;
    if (found) {
      ++hits;
      EXPECT_EQ(found->tag, tag);
      EXPECT_EQ(found->valid, 3) << "what was noted in a line stays there";
      continue;
    }
    std::optional<uint64_t> gone;
    SectorCache::Line& line = cache.place(tag, [&](const SectorCache::Line& old) { gone = old.tag; });
    EXPECT_EQ(gone, plain.place(tag)) << k;
    evictions += gone.has_value();
    EXPECT_EQ(line.tag, tag);
    EXPECT_EQ(line.valid, 0) << "a line begins with nothing";
    line.valid = 3;
  }
  EXPECT_GT(evictions, 500u);
  EXPECT_GT(hits, 500u);
  size_t held = 0;
  cache.forEachHeld([&](const SectorCache::Line& line) {
    ++held;
    EXPECT_TRUE(plain.has(line.tag));
  });
  EXPECT_EQ(held, plain.size());
}

TEST(SectorCache, ManySetsHoldWhatWasPlacedLast) {
  SectorCache cache(uint64_t(1) << 20, 64, 8);
  EXPECT_EQ(cache.lineCount(), uint64_t(1) << 14);
  EXPECT_EQ(cache.tagOf(9), 4u);
  EXPECT_EQ(cache.indexOf(9), 1u);
  std::map<uint64_t, SectorCache::Line*> placed;
  for (uint64_t tag = 0; tag < 5000; ++tag)
    placed[tag] = &cache.place(tag * 3, [&](const SectorCache::Line& old) { placed.erase(old.tag / 3); });
  EXPECT_GT(placed.size(), 4900u);  // of a third of what fits nearly all is there
  size_t held = 0;
  cache.forEachHeld([&](const SectorCache::Line&) { ++held; });
  EXPECT_EQ(held, placed.size());
  for (const auto& [tag, line] : placed) EXPECT_EQ(cache.find(tag * 3), line);
}

}  // namespace
