// Accesses in rows take a short cut through the checks; it must find what the long way finds.
#include <random>

#include <gtest/gtest.h>

#include "sim/ShadowBench.h"

namespace hone::sim::test {
namespace {

struct Step {
  MemorySpace space;
  AccessKind kind;
  uint32_t pc, block, warp;
  uint8_t bytes, lanes;  // lanes 0: scattered
  bool row;
  uint64_t at[4], scattered[32];
  uint32_t mask, value;
};

Step randomStep(std::mt19937& random, unsigned words, bool halves) {
  const auto below = [&](unsigned n) { return uint32_t(random() % n); };
  Step s;
  s.space = below(2) ? MemorySpace::Shared : MemorySpace::Global;
  s.kind = below(3) ? AccessKind::Load : AccessKind::Store;
  s.pc = 1 + below(90);
  s.block = below(3);
  s.warp = below(2);
  s.bytes = uint8_t(below(3) ? 4 : 1u << below(5));
  if (s.bytes == 2 && !halves) s.bytes = 1;
  s.lanes = uint8_t(below(5) == 0 ? 0 : 8u << below(3));
  s.row = s.kind == AccessKind::Store || below(4) != 0;
  s.mask = below(2) ? random() : 1u << below(32);
  s.value = below(3) ? random() : 7;
  const uint64_t room = uint64_t(words) * 4 - 32u * s.bytes;
  const uint64_t step = below(3) ? 64 : s.bytes;
  for (uint64_t& a : s.at) a = std::min<uint64_t>(room, random() % (words * 4)) / step * step;
  for (uint64_t& a : s.scattered) a = std::min<uint64_t>(room, random() % (words * 4)) / s.bytes * s.bytes;
  return s;
}

void perform(Launch& l, const Step& s, bool shortCut) {
  if (s.lanes && shortCut) {
    RegularAccess r;
    r.pc = s.pc;
    r.kind = s.kind;
    r.bytes = s.bytes;
    r.row = s.row;
    r.buffer = &l.buffer;
    r.place = {s.block, s.warp};
    for (unsigned p = 0; p < 4; ++p)
      r.at[p] = s.at[p * 8 / s.lanes] + (s.row ? p * 8 % s.lanes * s.bytes : 0) +
                (s.space == MemorySpace::Global ? l.buffer.base : 0);
    r.join();
    BlockShadow& block = l.block(s.block);
    if (s.space == MemorySpace::Shared ? l.shadow->sharedRegular(block, r)
                                       : l.shadow->globalRegular(block, r)) {
      if (s.kind == AccessKind::Load) return;
      for (unsigned lane = 0; lane < 32; ++lane) {
        const uint64_t at = s.at[lane / s.lanes] + lane % s.lanes * s.bytes;
        std::vector<uint8_t> value(s.bytes);
        std::memcpy(value.data(), &s.value, std::min<size_t>(4, s.bytes));
        std::memcpy(s.space == MemorySpace::Shared ? &l.memory[at] : &l.bytes[at], value.data(), s.bytes);
      }
      return;
    }
  }
  const auto at = [&](unsigned lane) {
    if (!s.lanes) return s.scattered[lane];
    return s.at[lane / s.lanes] + (s.row ? lane % s.lanes * s.bytes : 0);
  };
  const Launch::How how{s.lanes ? ~0u : s.mask, s.bytes, CacheHint::Default,
                        [&](unsigned) { return s.value; }};
  if (s.space == MemorySpace::Shared)
    l.shared(s.kind, s.pc, s.block, s.warp, at, how);
  else
    l.global(s.kind, s.pc, s.block, s.warp, at, how);
}

std::vector<std::string> all(Launch& l) {
  std::vector<std::string> lines;
  for (const Finding& f : l.findings->take(1000)) lines.push_back(format(f) + " x" + std::to_string(f.count));
  return lines;
}

// Rows of 2 bytes leave words whole that the long way takes apart, so that it tells more bytes of a race:
// with `halves` only what is found is compared, not how often.
void compare(unsigned words, unsigned iterations, unsigned barrierEvery, ShadowOptions options,
             bool halves = false) {
  std::mt19937 random(words * 31 + iterations);
  for (unsigned iteration = 0; iteration < iterations; ++iteration) {
    Launch quick(64, 3, options), slow(64, 3, options);
    if (options.uninitialized)
      for (Launch* l : {&quick, &slow}) l->buffer.initialized = Buffer::noneOf(65536);
    for (unsigned n = 0; n < 60; ++n) {
      const uint32_t what = random() % barrierEvery, block = random() % 3, warp = random() % 2;
      const uint32_t mask = random() % 2 ? ~0u : 0x0000ffffu;
      const Step s = randomStep(random, words, halves);
      for (Launch* l : {&quick, &slow}) {
        if (what == 0) l->block(block).blockBarrier();
        if (what == 1) l->block(block).warpBarrier(warp, mask);
        perform(*l, s, l == &quick);
      }
    }
    EXPECT_EQ(quick.shadow->foundBlockConflict(), slow.shadow->foundBlockConflict());
    const std::vector<std::string> a = halves ? quick.take() : all(quick),
                                   b = halves ? slow.take() : all(slow);
    for (size_t k = 0; k < std::max(a.size(), b.size()); ++k)
      ASSERT_EQ(k < a.size() ? a[k] : "", k < b.size() ? b[k] : "") << "iteration " << iteration;
  }
}

TEST(RegularAccess, FindsTheSameRaces) {
  compare(256, 300, 3, {true, false, true});
  compare(512, 300, 6, {true, false, true});
  compare(1024, 300, 20, {true, false, true});
}

TEST(RegularAccess, FindsTheSameWithHalfWords) { compare(1024, 300, 4, {true, true, true}, true); }

TEST(RegularAccess, FindsTheSameUninitialized) { compare(1024, 300, 4, {false, true, true}); }

TEST(RegularAccess, FewRacesAmongManyRows) { compare(1000, 300, 2, {true, true, false}); }

}  // namespace
}  // namespace hone::sim::test
