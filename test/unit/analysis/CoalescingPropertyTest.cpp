// Coalescing of random accesses, against every address looked at by itself.
#include <gtest/gtest.h>

#include <bit>

#include "RandomAccess.h"
#include "analysis/Coalescing.h"
#include "target/CountSectors.h"

using namespace hone;
using namespace hone::analysis;
using namespace hone::analysis::test;
using target::CoalescingRule;

namespace {

// Requests, sectors, lines and transactions of one execution, straight from the rules.
struct Plain {
  uint64_t requests = 0, sectors = 0, lines = 0, transactions = 0;
};
Plain plainCost(const std::array<int64_t, 32>& offset, uint32_t mask, unsigned bytes, CoalescingRule rule,
                bool isAtomic) {
  Plain out;
  std::array<uint64_t, 32> address{};
  uint64_t alignment = bytes;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) {
      address[lane] = (uint64_t(1) << 30) + static_cast<uint64_t>(offset[lane]);
      alignment |= address[lane];
    }
  target::forEachPiece(bytes, alignment, [&](unsigned at, unsigned piece) {
    std::array<uint64_t, 32> moved = address;
    std::set<uint64_t> sectors, lines;
    for (unsigned lane = 0; lane < 32; ++lane) {
      moved[lane] += at;
      if (!(mask >> lane & 1)) continue;
      sectors.insert(moved[lane] / 32);
      lines.insert(moved[lane] / 128);
    }
    ++out.requests;
    out.sectors += isAtomic ? target::countAtomicSectors(moved.data(), mask, 32) : sectors.size();
    out.lines += lines.size();
    out.transactions += target::coalesce(rule, moved.data(), mask, piece).count;
  });
  return out;
}

bool isIn(uint64_t value, const Span& span) { return span.min <= value && value <= span.max; }

TEST(CoalescingProperty, EqualsTheRulesOnEveryAddress) {
  std::mt19937 random(5);
  unsigned exact = 0, known = 0, spans = 0, executions = 0;
  for (unsigned iteration = 0; iteration < 3000 && !HasFailure(); ++iteration) {
    RandomAccess r(random);
    const RandomValue subscript = r.value();
    const RandomCond guard = r.guard();
    const int64_t bytes = r.pick({1, 2, 4, 4, 4, 8, 16, 12, 24, 32});
    const MemoryRules rules{static_cast<CoalescingRule>(r.pick({0, 1, 2, 3, 3})), 128};
    affine::Access& access = r.hand.access(subscript.poly * bytes, static_cast<unsigned>(bytes), guard.cond);
    access.atomic = bytes <= 8 && r.chance(10);
    const Coalescing c = coalescing(r.hand.model, access, rules);
    const CoalescingTotals totals = coalescingTotals(r.hand.model, access, r.launch, rules);
    if (c.verdict == CoalescingVerdict::Unknown) continue;
    ++known;
    exact += c.exactness == affine::Exactness::Exact;
    Plain sum;
    uint64_t lanes = 0;
    const std::string text = str(rules.rule) + (" " + r.hand.atoms().str(access.address)) + " if " +
                             r.hand.atoms().str(access.guard) + ", block " +
                             std::to_string(r.hand.model.block[0]) + "x" +
                             std::to_string(r.hand.model.block[1]) + ", w " + std::to_string(r.w) + ", n " +
                             std::to_string(r.n) + ", iteration " + std::to_string(iteration);
    r.forEachExecution(
        [&](const Point& p) { return subscript.plain(p) * bytes; }, guard.plain,
        [&](unsigned warp, uint32_t mask, const std::array<int64_t, 32>& address) {
          const Plain one = plainCost(address, mask, static_cast<unsigned>(bytes), rules.rule, access.atomic);
          sum.requests += one.requests, sum.sectors += one.sectors, sum.lines += one.lines;
          sum.transactions += one.transactions;
          lanes += static_cast<unsigned>(std::popcount(mask));
          ++executions;
          // The costs of this warp, in whichever case it is.
          bool isFound = false;
          for (const WarpCost& w : c.warps) {
            if (std::find(w.warps.begin(), w.warps.end(), warp) == w.warps.end()) continue;
            const unsigned active = static_cast<unsigned>(std::popcount(mask));
            if (active > w.lanes) continue;
            const RequestCost& cost = w.cost;
            const bool fits = active == w.lanes
                                  ? isIn(one.requests, cost.requests) && isIn(one.sectors, cost.sectors) &&
                                        isIn(one.lines, cost.lines) &&
                                        isIn(one.transactions, cost.transactions)
                                  : one.sectors <= cost.sectors.max && one.lines <= cost.lines.max &&
                                        one.transactions <= cost.transactions.max;
            isFound = isFound || fits;
            if (c.exactness == affine::Exactness::Exact && active < w.lanes) isFound = false;
          }
          if (c.exactness == affine::Exactness::Exact && c.isCoalesced && !access.atomic &&
              rules.rule == CoalescingRule::Sectors) {
            EXPECT_LE(one.sectors * 32,
                      uint64_t(std::popcount(mask)) * static_cast<uint64_t>(bytes) + 32 * one.requests)
                << text;
          }
          ++spans;
          if (!isFound && !testing::Test::HasFailure())
            ADD_FAILURE() << text << ": warp " << warp << " has " << one.sectors << " sectors, " << one.lines
                          << " lines, " << one.transactions << " transactions in " << one.requests
                          << " requests with " << std::popcount(mask) << " lanes; said "
                          << str(c.cost.sectors) << ", " << str(c.cost.lines) << ", "
                          << str(c.cost.transactions) << ", " << str(c.cost.requests);
        });
    if (!totals.known) ADD_FAILURE() << text << ": " << totals.unknown;
    EXPECT_EQ(totals.requests, sum.requests) << text;
    EXPECT_EQ(totals.sectors, sum.sectors) << text;
    EXPECT_EQ(totals.lines, sum.lines) << text;
    EXPECT_EQ(totals.transactions, sum.transactions) << text;
    EXPECT_EQ(totals.lanes, lanes) << text;
  }
  // Enough of them say something for the comparison to mean something.
  EXPECT_GT(known, 2500u);
  EXPECT_GT(exact, 500u);
  EXPECT_GT(executions, 20000u);
  RecordProperty("exact", static_cast<int>(exact));
}

}  // namespace
