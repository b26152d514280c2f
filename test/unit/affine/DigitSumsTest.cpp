#include "affine/DigitSums.h"

#include <gtest/gtest.h>

#include "HandModel.h"
#include "affine/ElementSets.h"
#include "affine/Implied.h"

namespace hone::affine {
namespace {

const Point anywhere{"@", everything()};

// The counter of a loop of some iterations.
Poly enter(HandModel& h, int64_t iterations) {
  Poly counter = h.enter(0, iterations);
  h.model.atoms->setRange(counter.atoms().front(), 0, iterations - 1);
  return counter;
}

// Whether an access touches the same elements when coordinates are added up first.
::testing::AssertionResult agrees(HandModel& h, AccessId access, const std::vector<Poly>& subscripts,
                                  LoopId kept = {}) {
  IslBudget budget(12 * IslBudget::usual);
  Relations r(budget, h.model);
  for (bool withGuard : {true, false}) {
    isl::set plain =
        r.forget(r.elements(h.model.accesses[access], subscripts, 1, anywhere, withGuard), anywhere);
    isl::set summed = r.forget(
        r.elementsSummed(h.model.accesses[access], subscripts, 1, anywhere, withGuard, kept), anywhere);
    if (!plain.is_equal(summed))
      return ::testing::AssertionFailure() << (withGuard ? "with" : "without") << " its guard";
  }
  return ::testing::AssertionSuccess();
}

TEST(DigitSums, GroupsOfMergedThreadsAreOneRange) {
  HandModel h({16, 1, 1});
  Poly n = h.symbol("n");
  const ArrayId a = h.array("a");
  Poly r = enter(h, 8);
  const Poly i = h.bx * 128 + h.tx * 4 + r + h.model.atoms->div(r, 4) * 60;
  // The first member of a thread inside is implied by each member inside.
  h.guard(allOf({atLeast0(n - 1 - h.bx * 128 - h.tx * 4), atLeast0(n - 1 - i)}));
  h.read(a, i);
  Access access = h.model.accesses[AccessId(0)];
  access.guard = withoutImplied(*h.model.atoms, access.guard);
  EXPECT_EQ(access.guard->kind, CondKind::AtLeast0);
  const DigitSums sums = digitSums(h.model, access, {i}, anywhere.own);
  ASSERT_EQ(sums.counts, std::vector<int64_t>{128});
  EXPECT_EQ(sums.loops, std::vector{LoopId(0)});
  EXPECT_TRUE(agrees(h, AccessId(0), {i}));
}

TEST(DigitSums, StepsThatLeaveGapsStayApart) {
  HandModel h({16, 1, 1});
  const ArrayId a = h.array("a");
  Poly r = enter(h, 4);
  const Poly i = h.bx * 128 + h.tx * 8 + r;  // 0 to 3, 8 to 11, …
  h.read(a, i);
  EXPECT_TRUE(digitSums(h.model, h.model.accesses[AccessId(0)], {i}, anywhere.own).counts.empty());
  EXPECT_TRUE(agrees(h, AccessId(0), {i}));
}

TEST(DigitSums, OverlappingStepsCount) {
  HandModel h({16, 1, 1});
  const ArrayId a = h.array("a");
  Poly r = enter(h, 5);
  const Poly i = h.bx * 16 + h.tx + r;  // a stencil
  h.read(a, i);
  EXPECT_EQ(digitSums(h.model, h.model.accesses[AccessId(0)], {i}, anywhere.own).counts,
            std::vector<int64_t>{20});
  EXPECT_TRUE(agrees(h, AccessId(0), {i}));
}

TEST(DigitSums, WhatAGuardTellsApartStaysApart) {
  HandModel h({16, 4, 1});
  Poly n = h.symbol("n");
  const ArrayId a = h.array("a");
  const Poly i = h.bx * 64 + h.ty * 16 + h.tx;
  h.guard(atLeast0(n - 1 - h.tx));
  h.read(a, i);
  EXPECT_TRUE(digitSums(h.model, h.model.accesses[AccessId(0)], {i}, anywhere.own).counts.empty());
  EXPECT_TRUE(agrees(h, AccessId(0), {i}));
}

TEST(DigitSums, TwoSubscriptsOfOneCoordinateStayApart) {
  HandModel h({16, 1, 1});
  const ArrayId a = h.array("a");
  Poly r = enter(h, 16);
  const Poly i = h.tx * 16 + r, j = h.tx;
  h.read(a, i);
  EXPECT_TRUE(digitSums(h.model, h.model.accesses[AccessId(0)], {i, j}, anywhere.own).counts.empty());
  EXPECT_TRUE(agrees(h, AccessId(0), {i, j}));
}

TEST(DigitSums, LoopsWhoseBoundsMentionACoordinateKeepIt) {
  HandModel h({16, 1, 1});
  const ArrayId a = h.array("a");
  Poly r = enter(h, 16);
  Poly s = h.enter(0, r);  // triangular
  const Poly i = h.tx * 16 + r;
  h.read(a, i + s * 256);
  EXPECT_TRUE(digitSums(h.model, h.model.accesses[AccessId(0)], {i + s * 256}, anywhere.own).counts.empty());
  EXPECT_TRUE(agrees(h, AccessId(0), {i + s * 256}));
}

TEST(DigitSums, AKeptCounterStays) {
  HandModel h({16, 1, 1});
  const ArrayId a = h.array("a");
  Poly r = enter(h, 4);
  const Poly i = h.tx * 4 + r;
  h.read(a, i);
  EXPECT_TRUE(digitSums(h.model, h.model.accesses[AccessId(0)], {i}, anywhere.own, LoopId(0)).counts.empty());
  EXPECT_EQ(digitSums(h.model, h.model.accesses[AccessId(0)], {i}, anywhere.own).counts,
            std::vector<int64_t>{64});
}

TEST(DigitSums, RandomSumsTouchTheSame) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int merged = 0;
  for (int iteration = 0; iteration < 120; ++iteration) {
    HandModel h({unsigned(pick(1, 8)), unsigned(pick(1, 4)), 1});
    const Poly n = pick(0, 60);
    const ArrayId a = h.array("a");
    Poly r = enter(h, pick(1, 8)), s = enter(h, pick(1, 4));
    auto sum = [&] {
      return h.tx * pick(-2, 8) + h.ty * pick(-8, 16) + r * pick(0, 4) + s * pick(0, 8) +
             h.model.atoms->div(r, pick(2, 4)) * pick(0, 12);
    };
    const Poly i = sum(), j = pick(0, 1) ? i : sum();
    h.guard(allOf({atLeast0(n - 1 - i), atLeast0(n - j + pick(-3, 3))}));
    h.read(a, i);
    Access access = h.model.accesses[AccessId(0)];
    access.guard = withoutImplied(*h.model.atoms, access.guard);
    merged += !digitSums(h.model, access, {i}, anywhere.own).counts.empty();
    EXPECT_TRUE(agrees(h, AccessId(0), {i}))
        << h.model.atoms->str(i) << " under " << h.model.atoms->str(access.guard) << " in blocks of "
        << h.model.block[0] << "x" << h.model.block[1];
  }
  EXPECT_GE(merged, 20);
}

}  // namespace
}  // namespace hone::affine
