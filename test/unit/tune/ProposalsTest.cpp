#include "tune/Proposals.h"

#include <fmt/core.h>

#include <algorithm>

#include "tune/KernelOnTarget.h"

namespace hone::tune {
namespace {

class ProposalsTest : public KernelOnTarget {
 protected:
  // The recipe for filters of so many rows that stages tiles and merges threads, "" where there is none.
  std::string stagedWindow(const std::string& rows) {
    const ir::KernelPtr window = affine::kernelOf(fmt::format(
        R"(__global__ void window(const float* a, float* b, int w, int h, int n) {{
             int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
             if (x >= w || y >= h) return;
             float sum = 0;
             for (int i = 0; i < {}; ++i)
               for (int j = 0; j < 8; ++j) sum += a[(y + i) * (w + 8) + x + j];
             b[y * w + x] = sum;
           }})",
        rows));
    Variant variant;
    variant.plan = ir::originalPlan(window);
    context.block = {16, 16, 1};
    for (const passes::Recipe& proposal : proposals(Level::Shape, variant, context))
      if (const std::string one = passes::str(proposal);
          one.find("merge-threads(x=4, y=4, how=adjacent) stage") != std::string::npos)
        return one;
    return "";
  }
};

TEST_F(ProposalsTest, TilesOfAWindowHoldAllOfItsRowsOrAnEvenPart) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(stagedWindow("9"), "stage(depth=9) ")) << stagedWindow("9");
  EXPECT_TRUE(has(stagedWindow("32"), "stage(depth=32) ")) << stagedWindow("32");
  EXPECT_TRUE(has(stagedWindow("50"), "stage(depth=25) ")) << stagedWindow("50");
  // A prime number of rows, and one that nothing is known of: as the pass likes it.
  EXPECT_TRUE(has(stagedWindow("37"), "stage unroll")) << stagedWindow("37");
  EXPECT_TRUE(has(stagedWindow("n"), "stage unroll")) << stagedWindow("n");
}

// Whether what a loop stores is proposed to be kept is what the pass says of it.
TEST_F(ProposalsTest, WhatIsReadBackIsProposedToBeKept) {
  const auto keeps = [&](const char* row) {
    Variant variant;
    variant.plan = ir::originalPlan(affine::kernelOf(fmt::format(
        R"(__global__ void solve(const float* l, float* x, int n, int sides) {{
             int j = blockIdx.x * blockDim.x + threadIdx.x;
             if (j >= sides) return;
             for (int i = 0; i < n; ++i) {{
               float sum = 0;
               for (int k = 0; k < i; ++k) sum += l[i * n + k] * x[({}) * sides + j];
               x[i * sides + j] = sum;
             }}
           }})",
        row)));
    const std::vector<passes::Recipe> all = allProposals(Level::Prepare, variant, context);
    return std::find(all.begin(), all.end(), passes::parseRecipe("forward-stores(iterations=32)")) !=
           all.end();
  };
  EXPECT_TRUE(keeps("k"));
  EXPECT_FALSE(keeps("i + 1"));  // what a later iteration will store
}

// Sums of neighbours in wide accesses: where neighbours read side by side.
TEST_F(ProposalsTest, ColumnsSideBySideAreSummedUpByFours) {
  const auto isProposed = [&](const char* element) {
    Variant variant;
    variant.plan = ir::originalPlan(
        affine::kernelOf(fmt::format(R"(__global__ void sums(const float* a, float* y, int n) {{
             int x = blockIdx.x * blockDim.x + threadIdx.x;
             if (x >= n) return;
             for (int i = 0; i < n; ++i) y[x] += a[{}];
           }})",
                                     element)));
    const std::vector<passes::Recipe> all = proposals(Level::Prepare, variant, context);
    return std::find(all.begin(), all.end(),
                     passes::parseRecipe("promote split-reduction(over=block, ways=128, rows=32, wide=4) "
                                         "vectorize")) != all.end();
  };
  context.block = {64, 1, 1};
  EXPECT_TRUE(isProposed("i * n + x"));
  EXPECT_FALSE(isProposed("x * n + i"));
}

// Whole recipes of the target's file, for sums of products alone.
TEST_F(ProposalsTest, WhatWasMeasuredOnTheTargetIsProposedForProducts) {
  const auto proposed = [&](const char* element) {
    Variant variant;
    variant.plan = ir::originalPlan(
        affine::kernelOf(fmt::format(R"(__global__ void mm(const float* a, const float* b, float* c, int n) {{
             int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
             float sum = 0;
             for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[{}];
             c[y * n + x] = sum;
           }})",
                                     element)));
    std::vector<passes::Recipe> found;
    const std::vector<passes::Recipe> all = proposals(Level::Prepare, variant, context);
    for (const std::string& text : machine.measuredTiles)
      for (const std::string& first : {"", "promote "})
        if (const passes::Recipe one = passes::parseRecipe(first + text);
            std::find(all.begin(), all.end(), one) != all.end())
          found.push_back(one);
    return found.size();
  };
  context.block = {16, 16, 1};
  EXPECT_EQ(machine.measuredTiles.size(), 4u);
  EXPECT_EQ(proposed("i * n + x"), 8u);
  EXPECT_EQ(proposed("(i * n + y) * n + x"), 0u);  // rows share nothing
}

TEST_F(ProposalsTest, RecipesOfAllTargetsAreRecipes) {
  for (const target::Target& target : targets)
    for (const std::string& text : target.measuredTiles)
      EXPECT_EQ(passes::str(passes::parseRecipe(text)), text) << target.name;
}

}  // namespace
}  // namespace hone::tune
