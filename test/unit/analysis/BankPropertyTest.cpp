// Bank conflicts of random shared accesses, against the rules on every address; paddings, against the padded
// array.
#include <gtest/gtest.h>

#include <bit>

#include "RandomAccess.h"
#include "analysis/BankConflicts.h"
#include "analysis/ConflictRemedy.h"
#include "target/CountSectors.h"
#include "target/Lanes.h"

using namespace hone;
using namespace hone::analysis;
using namespace hone::analysis::test;

namespace {

Passes plainPasses(const std::array<int64_t, 32>& address, uint32_t mask, unsigned bytes, bool isLoad,
                   const target::BankRules& rules) {
  Passes out;
  uint64_t alignment = bytes;
  std::array<uint64_t, 32> offset{};
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      offset[lane] = (uint64_t(1) << 30) + static_cast<uint64_t>(address[lane]);
      alignment |= offset[lane];
    }
  target::forEachPiece(bytes, alignment, [&](unsigned at, unsigned piece) {
    std::array<uint64_t, 32> moved = offset;
    for (uint64_t& o : moved) o += at;
    ++out.requests;
    out.wavefronts += target::countWavefronts(moved.data(), mask, piece, isLoad, rules);
    out.least += target::leastWavefronts(moved.data(), mask, piece, isLoad, rules);
  });
  return out;
}

TEST(BankProperty, EqualsTheRulesOnEveryAddress) {
  std::mt19937 random(7);
  unsigned exact = 0, known = 0;
  for (unsigned iteration = 0; iteration < 2000 && !HasFailure(); ++iteration) {
    RandomAccess r(random);
    const RandomValue subscript = r.value();
    const RandomCond guard = r.guard();
    const int64_t bytes = r.pick({1, 2, 4, 4, 4, 8, 8, 16, 12});
    const target::BankRules rules = target::BankRules::of(target::test::shippedTarget(
        std::array{"h200", "gtx280", "k20"}[static_cast<size_t>(r.pick({0, 0, 1, 2}))]));
    affine::Access& access = r.hand.access(subscript.poly * bytes, static_cast<unsigned>(bytes), guard.cond);
    if (r.chance(40)) access.mode = ir::AccessMode::Write;
    const bool isLoad = access.mode == ir::AccessMode::Read;
    const BankConflicts c = bankConflicts(r.hand.model, access, rules);
    const BankTotals totals = bankTotals(r.hand.model, access, r.launch, rules);
    if (c.exactness == affine::Exactness::Unknown) continue;
    ++known;
    exact += c.exactness == affine::Exactness::Exact;
    Passes sum;
    const std::string text = r.hand.atoms().str(access.address) + " if " + r.hand.atoms().str(access.guard) +
                             ", block " + std::to_string(r.hand.model.block[0]) + "x" +
                             std::to_string(r.hand.model.block[1]) + ", w " + std::to_string(r.w) + ", " +
                             std::to_string(rules.banks) + " banks";
    r.forEachExecution(
        [&](const Point& p) { return subscript.plain(p) * bytes; }, guard.plain,
        [&](unsigned, uint32_t mask, const std::array<int64_t, 32>& address) {
          const Passes one = plainPasses(address, mask, static_cast<unsigned>(bytes), isLoad, rules);
          sum.requests += one.requests, sum.wavefronts += one.wavefronts, sum.least += one.least;
          EXPECT_LE(one.wavefronts, c.wavefronts.max) << text;
          if (c.exactness == affine::Exactness::Exact) {
            EXPECT_GE(one.wavefronts, c.wavefronts.min) << text;
            if (c.isFree()) EXPECT_EQ(one.wavefronts, one.least) << text;
          }
        });
    ASSERT_TRUE(totals.known) << text << ": " << totals.unknown;
    EXPECT_EQ(totals.requests, sum.requests) << text;
    EXPECT_EQ(totals.wavefronts, sum.wavefronts) << text;
    EXPECT_EQ(totals.leastWavefronts, sum.least) << text;
  }
  EXPECT_GT(known, 1800u);
  EXPECT_GT(exact, 400u);
}

// A padded or swizzled array has no conflicts in any warp and iteration, and no smaller padding has that.
TEST(BankProperty, RemediesFree) {
  std::mt19937 random(11);
  const target::BankRules rules = target::BankRules::of(target::test::shippedTarget("h200"));
  unsigned padded = 0, swizzled = 0;
  for (unsigned iteration = 0; iteration < 900 && !HasFailure(); ++iteration) {
    RandomAccess r(random);
    if (!r.hand.model.loops.empty()) continue;  // iterations that never run would prove anything
    const int64_t columns = r.pick({8, 16, 32, 32, 64, 20});
    const affine::ArrayId array = r.hand.array("s", ir::Space::Shared, {64, columns});
    struct One {
      RandomValue row, column;
    };
    std::vector<One> ones;
    const int64_t count = r.pick({1, 2});
    const int64_t width = r.hand.model.block[0];
    for (int64_t i = 0; i < count; ++i) {
      // Rows and columns as tiles have them: a coordinate, or what is left of one.
      RandomValue x{r.hand.atoms().mod(r.hand.tx(), columns),
                    [columns](const Point& p) { return affine::floorMod(p.thread[0], columns); }};
      RandomValue y{r.hand.ty() + r.hand.atoms().div(r.hand.tx(), columns), [columns](const Point& p) {
                      return p.thread[1] + affine::floorDiv(p.thread[0], columns);
                    }};
      if (i == 0 || r.chance(40)) std::swap(x, y);
      ones.push_back({x, y});
      affine::Access& a = r.hand.access((x.poly * columns + y.poly) * 4);
      a.subscripts = {x.poly, y.poly};
    }
    const ConflictRemedy remedy = conflictRemedy(r.hand.model, array, rules);
    const std::optional<unsigned> mask = conflictSwizzle(r.hand.model, array, rules).mask;
    auto isFree = [&](int64_t pitch, uint64_t mask) {
      bool free = true;
      for (const One& one : ones)
        r.forEachExecution(
            [&](const Point& p) {
              const int64_t row = one.row.plain(p), column = one.column.plain(p);
              return 4 * (row * pitch + static_cast<int64_t>(static_cast<uint64_t>(column) ^
                                                             (static_cast<uint64_t>(row) & mask)));
            },
            [](const Point&) { return true; },
            [&](unsigned, uint32_t lanes, const std::array<int64_t, 32>& address) {
              const Passes p = plainPasses(address, lanes, 4, true, rules);
              free = free && p.wavefronts == p.least;
            });
      return free;
    };
    const std::string text = std::to_string(columns) + " columns, block " + std::to_string(width) + "x" +
                             std::to_string(r.hand.model.block[1]) + " iteration " +
                             std::to_string(iteration);
    EXPECT_EQ(remedy.hasConflicts, !isFree(columns, 0)) << text;
    if (!remedy.hasConflicts) continue;
    for (int64_t p = 1; p < int64_t(remedy.padding.value_or(33)); ++p)
      EXPECT_FALSE(isFree(columns + p, 0)) << text << " " << p;
    if (remedy.padding) EXPECT_TRUE(isFree(columns + *remedy.padding, 0)) << text;
    // Columns beyond the row are no columns: a swizzle there means nothing.
    if (mask && columns >= width && columns >= r.hand.model.block[1] + width / columns)
      EXPECT_TRUE(isFree(columns, *mask)) << text << " mask " << *mask;
    padded += remedy.padding.has_value();
    swizzled += mask.has_value();
  }
  EXPECT_GT(padded, 20u);
  EXPECT_GT(swizzled, 20u);
}

}  // namespace
