// Findings count repeats, from several threads at once, and begin anew once they are taken.
#include "sim/check/Findings.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace hone::sim;

namespace {

struct Collected {
  Program program;
  LaunchShape shape;
  Findings findings{program, shape};
  Collected() { program.code.resize(4); }

  Findings::Side side(uint32_t pc, uint64_t block) {
    Findings::Side s;
    s.pc = pc;
    s.place.block = block;
    return s;
  }
  void see(uint32_t pc, uint64_t block, uint64_t array = 0) {
    const Findings::Side s = side(pc, block);
    if (!findings.repeat(FindingKind::Race, FindingClass::SameValue, s, nullptr, array))
      findings.add(FindingKind::Race, FindingClass::SameValue, s, nullptr, nullptr, "seen");
  }
};

uint64_t total(const std::vector<Finding>& found) {
  uint64_t sum = 0;
  for (const Finding& f : found) sum += f.count;
  return sum;
}

TEST(Findings, RepeatsAreCountedByAllThreads) {
  Collected c;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) c.see(uint32_t(i % 2), 5);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(total(c.findings.take(100)), 4000u);
}

TEST(Findings, WhatWasTakenIsNewAgain) {
  Collected c;
  for (int i = 0; i < 10; ++i) c.see(1, 3);
  EXPECT_EQ(total(c.findings.take()), 10u);
  EXPECT_TRUE(c.findings.empty());
  for (int i = 0; i < 7; ++i) c.see(1, 3);
  EXPECT_EQ(total(c.findings.take()), 7u);
}

TEST(Findings, AnotherCollectionIsAnother) {
  for (int launch = 0; launch < 3; ++launch) {
    Collected c;
    for (int i = 0; i < 5; ++i) c.see(2, 0);
    EXPECT_EQ(total(c.findings.take()), 5u);
  }
}

TEST(Findings, TheExampleIsOfTheLowestBlock) {
  Collected c;
  c.shape.grid = {100, 1, 1};
  for (uint64_t block : {7, 9, 3, 8, 3}) c.see(1, block);
  const std::vector<Finding> found = c.findings.take();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 5u);
  EXPECT_EQ(found[0].party.who.block[0], 3u);
}

}  // namespace
