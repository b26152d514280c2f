// Bank conflicts of shared arrays, and what removes them.
#include "analysis/BankConflicts.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "analysis/ConflictRemedy.h"
#include "target/Lanes.h"

using namespace hone;
using namespace hone::analysis;
using affine::Exactness;
using affine::KernelModel;
using target::test::shippedTarget;

namespace {

// A tile of 16 (or 32) columns of a given pitch that is filled row by row and read column by column.
KernelModel columns(unsigned width, unsigned pitch, const std::string& type = "float") {
  const std::string w = std::to_string(width);
  return affine::modelOf("__global__ void k(" + type + "* out, const " + type + "* in, int n) {\n" +
                             "  __shared__ " + type + " lm[" + w + "][" + std::to_string(pitch) + "];\n" +
                             "  int x = threadIdx.x, y = threadIdx.y;\n" + "  lm[y][x] = in[y * n + x];\n" +
                             "  __syncthreads();\n" + "  out[y * n + x] = lm[x][y];\n" + "}\n",
                         {width, width, 1});
}

const target::BankRules& banksOf(const std::string& name) {
  static std::map<std::string, target::BankRules> all;
  return all.try_emplace(name, target::BankRules::of(shippedTarget(name))).first->second;
}

TEST(BankConflicts, ColumnsOfATile) {
  const target::BankRules& h200 = banksOf("h200");
  struct {
    unsigned width, pitch, degree;
    const char* target;
    const char* reason;
  } const table[] = {
      // 16 banks served to half warps: lanes read lm[tx * pitch + k].
      {16, 16, 16, "gtx280", "up to 16 words of one bank"},           {16, 17, 1, "gtx280", ""},
      {32, 32, 32, "h200", "stride 32 words: all lanes in one bank"}, {32, 33, 1, "h200", ""},
      {32, 34, 2, "h200", "stride 34 words: 2 lanes to a bank"},
  };
  for (const auto& row : table) {
    const KernelModel m = columns(row.width, row.pitch);
    const BankConflicts read = bankConflicts(m, *m.find("lm#2"), banksOf(row.target));
    EXPECT_EQ(read.degree, row.degree) << row.target << " pitch " << row.pitch;
    EXPECT_EQ(read.reason, row.reason) << row.target << " pitch " << row.pitch;
    EXPECT_EQ(read.exactness, Exactness::Exact);
    EXPECT_TRUE(bankConflicts(m, *m.find("lm#1"), banksOf(row.target)).isFree());
  }
  // A warp of today takes two rows of sixteen: eight lanes' words in one bank, the rows in neighbouring
  // banks.
  const KernelModel m = columns(16, 16);
  const BankConflicts half = bankConflicts(m, *m.find("lm#2"), h200);
  EXPECT_EQ(half.wavefronts, (Span{8, 8}));
  EXPECT_EQ(half.least, (Span{1, 1}));
}

TEST(BankConflicts, PaddingAndSwizzle) {
  const KernelModel m = columns(32, 32);
  affine::ArrayId lm;
  for (const affine::ArrayId i : m.arrays.ids())
    if (m.arrays[i].name == "lm") lm = i;
  ASSERT_TRUE(lm.isSome());
  ConflictRemedy r = conflictRemedy(m, lm, banksOf("h200"));
  EXPECT_TRUE(r.hasConflicts);
  EXPECT_EQ(r.padding, 1u);
  EXPECT_EQ(r.paddingBytes, 128u);
  EXPECT_EQ(conflictSwizzle(m, lm, banksOf("h200")).mask, 31u);  // lm[y][x ^ (y & 31)]

  // Doubles fill the banks with 16 lanes: one double of padding does, and so does half the mask.
  const KernelModel d = columns(32, 32, "double");
  r = conflictRemedy(d, lm, banksOf("h200"));
  EXPECT_EQ(r.padding, 1u);
  EXPECT_EQ(conflictSwizzle(d, lm, banksOf("h200")).mask, 15u);

  // Two rows to a warp: 17 words put the last of one row and the first of the next into one bank.
  r = conflictRemedy(columns(16, 16), lm, banksOf("h200"));
  EXPECT_EQ(r.padding, std::optional<unsigned>());
  EXPECT_EQ(r.noPadding, "no padding up to 32 elements frees all accesses");
  EXPECT_EQ(r.lessPadding, 1u);
  EXPECT_EQ(r.degree, 8u);
  EXPECT_EQ(r.lessDegree, 2u);

  r = conflictRemedy(columns(32, 33), lm, banksOf("h200"));
  EXPECT_FALSE(r.hasConflicts);
  EXPECT_FALSE(conflictSwizzle(columns(32, 33), lm, banksOf("h200")).mask);
}

TEST(BankConflicts, OneDimension) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(float* out, int s) {
      __shared__ float a[1024];
      a[threadIdx.x * 2] = 1;
      out[threadIdx.x] = a[threadIdx.x * s] + a[7];
    })",
                                        {128, 1, 1});
  const BankConflicts two = bankConflicts(m, *m.find("a#1"), banksOf("h200"));
  EXPECT_EQ(two.degree, 2u);
  EXPECT_EQ(two.reason, "stride 2 words: 2 lanes to a bank");
  const BankConflicts open = bankConflicts(m, *m.find("a#2"), banksOf("h200"));
  EXPECT_EQ(open.exactness, Exactness::Over);
  EXPECT_EQ(open.wavefronts, (Span{1, 32}));
  EXPECT_EQ(open.degree, 0u);
  EXPECT_TRUE(bankConflicts(m, *m.find("a#3"), banksOf("h200")).isFree());  // one word for all
  affine::Launch launch;
  launch.symbols["s"] = 4;
  const BankTotals totals = bankTotals(m, *m.find("a#2"), launch, banksOf("h200"));
  ASSERT_TRUE(totals.known) << totals.unknown;
  EXPECT_EQ(totals.requests, 4u);
  EXPECT_EQ(totals.wavefronts, 16u);
  EXPECT_EQ(totals.leastWavefronts, 4u);
}

// Counting in shared memory: lanes at one address are added together when the result is not used.
TEST(BankConflicts, Atomics) {
  const KernelModel m = affine::modelOf(R"(
    __global__ void k(int* out) {
      __shared__ int bins[64];
      __shared__ float sums[64];
      atomicAdd(&bins[0], 1);
      int old = atomicAdd(&bins[1], 2);
      atomicAdd(&sums[threadIdx.x % 2], 1.0f);
      out[threadIdx.x] = old;
    })",
                                        {32, 1, 1});
  EXPECT_EQ(bankConflicts(m, *m.find("bins#1"), banksOf("h200")).wavefronts, (Span{1, 1}));
  EXPECT_EQ(bankConflicts(m, *m.find("bins#2"), banksOf("h200")).wavefronts, (Span{32, 32}));
  EXPECT_EQ(bankConflicts(m, *m.find("sums#1"), banksOf("h200")).wavefronts, (Span{48, 48}));
}

}  // namespace
