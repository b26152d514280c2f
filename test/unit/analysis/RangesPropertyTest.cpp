// Ranges of random accesses, redundant guards and bytes of a launch, against every address looked at by
// itself.
#include <gtest/gtest.h>

#include "RandomAccess.h"
#include "analysis/Aliasing.h"
#include "analysis/GuardBounds.h"
#include "analysis/Ranges.h"

using namespace hone;
using namespace hone::analysis;
using namespace hone::analysis::test;

namespace {

TEST(RangesProperty, EqualsEveryAddress) {
  std::mt19937 random(7);
  unsigned yes = 0, leave = 0, unknown = 0, symbolicYes = 0, symbolicLeave = 0, redundant = 0, tested = 0,
           written = 0, bounded = 0;
  for (unsigned iteration = 0; iteration < 400 && !HasFailure(); ++iteration) {
    RandomAccess r(random);
    const RandomValue subscript = r.value();
    const RandomCond guard = r.guard();
    // One to four elements of four bytes at once.
    const int64_t width = r.pick({1, 1, 1, 2, 4});
    affine::Access& access = r.hand.access(subscript.poly * (4 * width), unsigned(4 * width), guard.cond);
    access.mode = ir::AccessMode::Write;
    // A size near what is touched, as a number or with symbols.
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool guardDecides = false;
    r.forEachExecution([&](const Point& p) { return guardDecides |= !guard.plain(p), subscript.plain(p); },
                       [](const Point&) { return true; },
                       [](unsigned, uint32_t, const std::array<int64_t, 32>&) {});
    r.forEachExecution(subscript.plain, guard.plain,
                       [&](unsigned, uint32_t mask, const std::array<int64_t, 32>& element) {
                         for (unsigned lane = 0; lane < 32; ++lane)
                           if (mask >> lane & 1)
                             low = std::min(low, element[lane] * width),
                             high = std::max(high, element[lane] * width + width - 1);
                       });
    const int64_t near = (high == INT64_MIN ? 0 : high + 1) + r.pick({0, 0, 0, -1, 1, 5});
    affine::Poly size = near;
    if (r.chance(40)) {
      const int64_t k = r.pick({1, 2, 8});
      size = r.hand.symbol("n") * k + affine::Poly(near - k * r.n);
    }
    const ArraySizes sizes{{access.array, size}};
    const bool below = low < 0, above = high >= near && high != INT64_MIN;
    const std::string text = r.hand.atoms().str(subscript.poly) + " if " + r.hand.atoms().str(access.guard) +
                             ", size " + r.hand.atoms().str(size) + " = " + std::to_string(near) + ", " +
                             std::to_string(low) + ".." + std::to_string(high) + ", block " +
                             std::to_string(r.hand.model.block[0]) + "x" +
                             std::to_string(r.hand.model.block[1]) + ", w " + std::to_string(r.w) + ", n " +
                             std::to_string(r.n) + ", iteration " + std::to_string(iteration);
    const RangeAnswer numbers = withinArray(r.hand.model, affine::AccessId(0), sizes, &r.launch);
    yes += numbers.within == Within::Yes, leave += numbers.within == Within::MayLeave;
    unknown += numbers.within == Within::Unknown;
    if (numbers.within == Within::Yes) EXPECT_FALSE((below && high != INT64_MIN) || above) << text;
    if (numbers.within == Within::MayLeave) {
      EXPECT_TRUE(!numbers.isBelow || below) << text << "\n" << numbers.reason;
      EXPECT_TRUE(!numbers.isAbove || above) << text << "\n" << numbers.reason;
    }
    const RangeAnswer symbolic = withinArray(r.hand.model, affine::AccessId(0), sizes);
    symbolicYes += symbolic.within == Within::Yes, symbolicLeave += symbolic.within == Within::MayLeave;
    if (symbolic.within == Within::Yes) EXPECT_FALSE((below && high != INT64_MIN) || above) << text;
    if (!symbolic.staysIf.empty()) {
      const affine::Values values(r.hand.atoms(), r.launch);
      bool holds = true;
      for (const affine::Requirement& need : symbolic.staysIf)
        holds &= values.value(need.value).value_or(-1) >= need.low;
      tested += holds;
      if (holds) EXPECT_FALSE((below && high != INT64_MIN) || above) << text << "\nstays if was said to hold";
    }
    for (const affine::Launch* launch :
         {static_cast<const affine::Launch*>(nullptr), &std::as_const(r.launch)})
      for (const GuardPart& part : guardParts(r.hand.model, affine::AccessId(0), launch)) {
        redundant += part.verdict == GuardVerdict::Redundant;
        if (part.verdict == GuardVerdict::Redundant) EXPECT_FALSE(guardDecides) << text << "\n" << part.text;
      }
    for (const bool greatest : {false, true})
      if (auto bound = boundUnderGuards(r.hand.model, access, access.address, greatest)) {
        const auto end = affine::Values(r.hand.atoms(), r.launch).value(*bound);
        ASSERT_TRUE(end) << text;
        ++bounded;
        if (high == INT64_MIN) continue;
        if (greatest)
          EXPECT_GE(*end + 4 * width, high * 4 + 4) << text;
        else
          EXPECT_LE(*end, low * 4) << text;
      }
    if (auto bytes = bytesOfLaunch(r.hand.model, access.array)) {
      const affine::Values values(r.hand.atoms(), r.launch);
      const auto first = values.value(bytes->low), end = values.value(bytes->high);
      ASSERT_TRUE(first && end) << text;
      ++written;
      if (high != INT64_MIN) {
        EXPECT_LE(*first, low * 4) << text;
        EXPECT_GE(*end, high * 4 + 4) << text;
      }
    }
  }
  EXPECT_GT(yes, 200u);
  EXPECT_GT(leave, 60u);
  EXPECT_LT(unknown, 30u);
  EXPECT_GT(symbolicYes, 20u);
  EXPECT_GT(symbolicLeave, 100u);
  EXPECT_GT(redundant, 20u);
  EXPECT_GT(tested, 20u);
  EXPECT_GT(written, 200u);
  EXPECT_GT(bounded, 300u);
}

// With numbers for everything an answer is right or not known.
TEST(RangesProperty, WithNumbers) {
  std::mt19937 random(17);
  unsigned unknown = 0, inside = 0, outside = 0;
  for (unsigned iteration = 0; iteration < 2000 && !HasFailure(); ++iteration) {
    RandomAccess r(random);
    const RandomValue subscript = r.value();
    const RandomCond guard = r.guard();
    const affine::Access& access = r.hand.access(subscript.poly * 4, 4, guard.cond);
    bool isAny = false;
    int64_t low = 0, high = -1;
    r.forEachExecution(subscript.plain, guard.plain,
                       [&](unsigned, uint32_t mask, const std::array<int64_t, 32>& element) {
                         for (unsigned lane = 0; lane < 32; ++lane) {
                           if (!(mask >> lane & 1)) continue;
                           low = isAny ? std::min(low, element[lane]) : element[lane];
                           high = isAny ? std::max(high, element[lane]) : element[lane];
                           isAny = true;
                         }
                       });
    const int64_t size = std::max<int64_t>(0, high + 1 + r.pick({0, 0, -1, 1, 3}));
    const RangeAnswer answer =
        withinArray(r.hand.model, affine::AccessId(0), {{access.array, size}}, &r.launch);
    const bool leaves = isAny && (low < 0 || high >= size);
    unknown += answer.within == Within::Unknown, inside += answer.within == Within::Yes;
    outside += answer.within == Within::MayLeave;
    if (answer.within != Within::Unknown)
      EXPECT_EQ(answer.within == Within::MayLeave, leaves)
          << r.hand.atoms().str(subscript.poly) << " if " << r.hand.atoms().str(access.guard) << ", size "
          << size << ", " << low << ".." << high << ", iteration " << iteration << ": " << answer.reason;
  }
  EXPECT_LT(unknown, 100u);
  EXPECT_GT(inside, 300u);
  EXPECT_GT(outside, 200u);
}

}  // namespace
