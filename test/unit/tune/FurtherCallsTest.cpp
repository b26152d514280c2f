#include <algorithm>

#include "tune/ExtendVariant.h"
#include "tune/KernelOnTarget.h"
#include "tune/Proposals.h"

namespace hone::tune {
namespace {

class FurtherCalls : public KernelOnTarget {
 protected:
  Variant variantOf(const char* text, const std::string& recipe) {
    Variant start;
    start.plan = ir::originalPlan(affine::kernelOf(text));
    if (recipe.empty()) return start;
    const auto made = extended(start, passes::parseRecipe(recipe), context);
    EXPECT_TRUE(made) << recipe;
    return made.value_or(start);
  }
  bool offers(Level level, const Variant& variant, const std::string& what) {
    const auto all = proposals(level, variant, context);
    return std::find(all.begin(), all.end(), passes::parseRecipe(what)) != all.end();
  }
};

constexpr const char* updateText = R"(
  __global__ void update(const float* l, const float* x, float* b, int n, int sides, int rows) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < sides) {
      float sum = 0;
      for (int k = 0; k < rows; ++k) sum += l[i * n + k] * x[k * sides + j];
      b[i * sides + j] -= sum;
    }
  })";

constexpr const char* solveText = R"(
  __global__ void solve(const float* l, float* x, int n, int sides) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < sides)
      for (int i = 0; i < n; ++i) {
        float sum = x[i * sides + j];
        for (int k = 0; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
        x[i * sides + j] = sum;
      }
  })";

// vectorize leaves what happens once alone where loops have wide accesses.
TEST_F(FurtherCalls, WidenWhatOneCallLeft) {
  context.block = {16, 16, 1};
  const Variant wide =
      variantOf(updateText,
                "block(x=64, y=64) merge-threads(x=4, y=4, how=adjacent) stage(depth=16, wide=4) "
                "vectorize");
  EXPECT_TRUE(offers(Level::Widen, wide, "vectorize(b)"));
  EXPECT_TRUE(offers(Level::Overlap, wide, "vectorize(b)"));
  const auto both = extended(wide, passes::parseRecipe("vectorize(b)"), context);
  ASSERT_TRUE(both);
  EXPECT_FALSE(offers(Level::Widen, *both, "vectorize(b)"));
  EXPECT_FALSE(offers(Level::Widen, wide, "vectorize(l)"));
}

TEST_F(FurtherCalls, ForwardStoresIsOfferedWhereItApplies) {
  EXPECT_TRUE(offers(Level::Prepare, variantOf(solveText, ""), "forward-stores(iterations=32)"));
  EXPECT_FALSE(offers(Level::Prepare, variantOf(updateText, ""), "forward-stores(iterations=32)"));
  EXPECT_TRUE(isForSizes(passes::parseRecipe("block(x=32) forward-stores(iterations=32)")));
  EXPECT_FALSE(isForSizes(passes::parseRecipe("block(x=32) stage")));
}

// What an iteration stores is pushed into later sums where that can be; then small blocks, and a tile whose
// filling is unrolled.
TEST_F(FurtherCalls, KeptIterationsGoOn) {
  EXPECT_TRUE(offers(Level::Prepare, variantOf(solveText, ""), "forward-stores(iterations=64, order=push)"));
  std::string carried = solveText;  // the sum begins with what is not known before the iterations
  carried.replace(carried.find("float sum = x[i * sides + j]"), 28, "float sum = x[(i - 1) * sides + j]");
  EXPECT_TRUE(offers(Level::Prepare, variantOf(carried.c_str(), ""), "forward-stores(iterations=64)"));
  EXPECT_FALSE(
      offers(Level::Prepare, variantOf(carried.c_str(), ""), "forward-stores(iterations=64, order=push)"));
  const Variant kept = variantOf(solveText, "forward-stores(iterations=64, order=push)");
  EXPECT_TRUE(offers(Level::Shape, kept, "block(x=64)"));
  EXPECT_FALSE(offers(Level::Shape, kept, "block(x=256)"));
  EXPECT_TRUE(offers(Level::Stage, kept, "stage unroll(by=full)"));
  EXPECT_FALSE(offers(Level::MergeBlocks, variantOf(solveText, "forward-stores(iterations=64) stage"),
                      "merge-blocks(x=2)"));
}

}  // namespace
}  // namespace hone::tune
