// Coalescing: how the lanes of a warp share requests to global memory, in words and numbers.
#include "analysis/Coalescing.h"

#include <gtest/gtest.h>

#include <random>

#include "HandModel.h"

using namespace hone;
using namespace hone::analysis;
using namespace hone::analysis::test;
using affine::Exactness;
using affine::Poly;
using target::CoalescingRule;

namespace {

const MemoryRules sectors{CoalescingRule::Sectors, 128}, strict{CoalescingRule::Strict16, 128};

// "verdict: reason" of an access of floats at this subscript.
std::string verdict(HandModel& m, const Poly& subscript, const MemoryRules& rules = sectors) {
  m.model.accesses.clear();
  const Coalescing c = coalescing(m.model, m.access(subscript * 4), rules);
  return c.reason.empty() ? str(c.verdict) : std::string(str(c.verdict)) + ": " + c.reason;
}

// The table of index forms that compute capability 1.0 was checked with: blocks of 16 threads, rows of 64 or
// w floats.
TEST(Coalescing, HalfWarpsInOrder) {
  HandModel m({16, 1, 1});
  auto isCoalesced = [&](const Poly& subscript) {
    m.model.accesses.clear();
    return coalescing(m.model, m.access(subscript * 4), strict).isCoalesced;
  };
  const Poly i = m.loop("i", 0, m.symbol("n")), byHalfWarps = m.loop("k", 0, m.symbol("n"), 16);
  EXPECT_FALSE(isCoalesced(m.idy() * 64 + i));                    // a[idy][i]
  EXPECT_TRUE(isCoalesced(i * 64 + m.idx()));                     // b[i][idx], a pitch of half warps
  EXPECT_FALSE(isCoalesced(i * 65 + m.idx()));                    // and another pitch
  EXPECT_FALSE(isCoalesced(i * m.symbol("w") + m.idx()));         // or one that is not known
  EXPECT_FALSE(isCoalesced(m.idx() + i));                         // b[idx + i]
  EXPECT_TRUE(isCoalesced(m.idx() + byHalfWarps));                // i in steps of 16
  EXPECT_FALSE(isCoalesced(m.idx() * 64));                        // A[idx][0]
  EXPECT_FALSE(isCoalesced(m.idy() * 64));                        // A[idy][0]
  EXPECT_TRUE(isCoalesced(m.idx()));                              // A[idx]
  EXPECT_FALSE(isCoalesced(m.idx() * 2));                         // A[2 * idx]
  EXPECT_FALSE(isCoalesced(m.idx() + 1));                         // A[idx + 1]
  EXPECT_TRUE(isCoalesced(m.idy() * 64 + byHalfWarps + m.tx()));  // a[idy][i + tidx] in steps of 16

  EXPECT_EQ(verdict(m, m.idy() * 64 + i, strict), "broadcast: all lanes touch one element");
  EXPECT_EQ(verdict(m, i * m.symbol("w") + m.idx(), strict), "depends: alignment depends on i*w");
  EXPECT_EQ(verdict(m, m.idx() + i, strict), "depends: alignment depends on loop i");
  EXPECT_EQ(verdict(m, m.idx() * 2, strict), "strided: stride 2");
  EXPECT_EQ(verdict(m, m.idx() + 1, strict), "misaligned: misaligned by 4 bytes");
  EXPECT_EQ(verdict(m, m.idx() * -1, strict), "strided: stride -1");
}

// The same forms as a GPU of today counts them: sectors of whole warps.
TEST(Coalescing, SectorsOfToday) {
  HandModel m({32, 1, 1});
  const Poly i = m.loop("i", 0, m.symbol("n")), w = m.symbol("w");
  struct {
    Poly subscript;
    Span sectors, lines;
    const char* verdict;
  } const table[] = {
      {m.idy() * 4096 + i, {1, 1}, {1, 1}, "broadcast: all lanes touch one element"},
      {i * 4096 + m.idx(), {4, 4}, {1, 1}, "coalesced"},
      {i * 4097 + m.idx(), {4, 5}, {1, 2}, "depends: alignment depends on loop i"},
      {i * w + m.idx(), {4, 5}, {1, 2}, "depends: alignment depends on i*w"},
      {m.idx() + i, {4, 5}, {1, 2}, "depends: alignment depends on loop i"},
      {m.idx() * 4096, {32, 32}, {32, 32}, "strided: stride 4096"},
      {m.idx() * w, {1, 32}, {1, 32}, "strided: stride w"},
      {m.idx(), {4, 4}, {1, 1}, "coalesced"},
      {m.idx() * 2, {8, 8}, {2, 2}, "strided: stride 2"},
      {m.idx() + 1, {5, 5}, {2, 2}, "misaligned: misaligned by 4 bytes"},
      {m.idx() + 8, {4, 4}, {2, 2}, "coalesced"},
      {m.idx() * -1 + 31, {4, 4}, {1, 1}, "coalesced"},
      {m.idx() * 3 + 1, {12, 12}, {3, 3}, "strided: stride 3"},
  };
  for (const auto& row : table) {
    m.model.accesses.clear();
    const Coalescing c = coalescing(m.model, m.access(row.subscript * 4), sectors);
    const std::string text = m.atoms().str(row.subscript);
    EXPECT_EQ(str(c.cost.sectors), str(row.sectors)) << text;
    EXPECT_EQ(str(c.cost.lines), str(row.lines)) << text;
    EXPECT_EQ(verdict(m, row.subscript), row.verdict) << text;
    EXPECT_EQ(c.exactness == Exactness::Exact, row.sectors.isOne() && row.lines.isOne()) << text;
  }
}

// Blocks less than a warp wide: several rows in one warp.
TEST(Coalescing, RowsOfABlock) {
  HandModel m({16, 16, 1});
  const Poly w = m.symbol("w"), k = m.loop("k", 0, w);
  EXPECT_EQ(verdict(m, m.idy() * 1024 + m.idx()), "coalesced");
  EXPECT_EQ(verdict(m, m.idy() * w + m.idx()), "depends: alignment depends on w");
  EXPECT_EQ(verdict(m, m.idy() * 1024 + m.idx() + 1), "misaligned: misaligned by 4 bytes");
  EXPECT_EQ(verdict(m, m.idy() * w + k), "broadcast: 2 elements a warp, one for each row of threads");
  EXPECT_EQ(verdict(m, m.idx() * w + m.idy()), "strided: stride w");

  HandModel flat({64, 1, 1});  // of one row: threadIdx.y is 0
  EXPECT_EQ(verdict(flat, flat.ty() * flat.symbol("w") + flat.idx()), "coalesced");

  HandModel narrow({4, 64, 1});
  EXPECT_EQ(verdict(narrow, narrow.idy() * narrow.symbol("w") + narrow.idx()), "strided: rows of 4 elements");
  const Coalescing c = coalescing(narrow.model, narrow.model.accesses[affine::AccessId(0)], sectors);
  EXPECT_EQ(str(c.cost.sectors), "1..14");  // rows that are not the 4th of four may lie across two
}

TEST(Coalescing, GuardsCutWarps) {
  HandModel m({64, 1, 1});
  const Poly n = m.symbol("n");
  // Known for the block: one warp, of which 8 lanes take part.
  const Coalescing some =
      coalescing(m.model, m.access(m.idx() * 4, 4, affine::atLeast0(Poly(7) - m.tx())), sectors);
  EXPECT_EQ(some.exactness, Exactness::Exact);
  ASSERT_EQ(some.warps.size(), 1u);
  EXPECT_EQ(some.warps[0].warps, std::vector<unsigned>{0});
  EXPECT_EQ(some.warps[0].lanes, 8u);
  EXPECT_EQ(some.cost.sectors, (Span{1, 1}));
  // The same for whole warps: nothing is cut.
  const Coalescing whole = coalescing(m.model, m.access(m.idx() * 4, 4, affine::atLeast0(n - 5)), sectors);
  EXPECT_EQ(whole.exactness, Exactness::Exact);
  EXPECT_EQ(whole.cost.sectors, (Span{4, 4}));
  // The last warp may be cut anywhere.
  const Coalescing cut =
      coalescing(m.model, m.access(m.idx() * 4, 4, affine::atLeast0(n - m.idx() - 1)), sectors);
  EXPECT_EQ(cut.verdict, CoalescingVerdict::Coalesced);
  EXPECT_EQ(cut.exactness, Exactness::Over);
  EXPECT_NE(cut.inexact.find("may switch off a part of a warp"), std::string::npos) << cut.inexact;
}

TEST(Coalescing, WideAndOddElements) {
  HandModel m({32, 1, 1});
  auto cost = [&](const Poly& address, unsigned bytes) {
    m.model.accesses.clear();
    return coalescing(m.model, m.access(address, bytes), sectors).cost;
  };
  EXPECT_EQ(cost(m.idx() * 16, 16).sectors, (Span{16, 16}));
  EXPECT_EQ(cost(m.idx() * 16, 16).requests, (Span{1, 1}));
  EXPECT_EQ(cost(m.idx() * 12, 12).requests, (Span{3, 3}));   // three floats: three requests of 4 bytes
  EXPECT_EQ(cost(m.idx() * 12, 12).sectors, (Span{36, 36}));  // each touches all twelve sectors
  EXPECT_EQ(cost(m.idx() * 32, 32).requests, (Span{2, 2}));   // the machine's widest are 16 bytes
  EXPECT_EQ(cost(m.idx() * 32, 32).sectors, (Span{64, 64}));
  EXPECT_EQ(cost(m.idx(), 1).sectors, (Span{1, 1}));
}

// Values that are the same for the warp cancel, whatever they are.
TEST(Coalescing, UnknownButUniform) {
  HandModel m({32, 1, 1});
  const Poly row = m.atoms().opaque("rowptr[blockIdx.x]", "loaded index", {.blockAxes = 1});
  EXPECT_EQ(verdict(m, row + m.tx()), "depends: alignment depends on rowptr[blockIdx.x]");
  const Poly index = m.atoms().opaque("idx[i]", "loaded index", {.threadAxes = 1, .anyThread = true});
  EXPECT_EQ(verdict(m, index), "unknown: loaded index");

  HandModel rows({8, 8, 1});
  const Poly byRow = rows.atoms().opaque("rowptr[threadIdx.y]", "loaded index", {.threadAxes = 2});
  EXPECT_EQ(verdict(rows, byRow + rows.tx()), "depends: alignment depends on rowptr[threadIdx.y]");
  EXPECT_EQ(str(coalescing(rows.model, rows.model.accesses[affine::AccessId(0)], sectors).cost.sectors),
            "1..8");
}

// What quotients and choices of block coordinates leave open is looked at case by case.
TEST(Coalescing, Cases) {
  HandModel m({16, 1, 1});
  const Poly half = m.atoms().div(m.idx(), 32);  // the same for two blocks
  EXPECT_EQ(verdict(m, half), "broadcast: all lanes touch one element");
  EXPECT_EQ(verdict(m, m.atoms().div(m.idx() + 8, 32)),
            "scattered: lanes at bytes 0, 0, 0, 0, 0 … where blockIdx.x % 2 == 1");
  HandModel wide({32, 1, 1});
  const Poly x = wide.idx(), left = wide.atoms().choice(affine::atLeast0(x - 1), x - 1, 0);
  const Coalescing c = coalescing(wide.model, wide.access(left * 4), sectors);
  EXPECT_EQ(str(c.cost.sectors), "4..5");
  const Poly n = wide.symbol("n"), right = wide.atoms().choice(affine::atLeast0(n - x - 2), x + 1, n - 1);
  EXPECT_EQ(verdict(wide, right),
            "misaligned: misaligned by 4 bytes, other where a choice in the subscript turns");
}

}  // namespace
