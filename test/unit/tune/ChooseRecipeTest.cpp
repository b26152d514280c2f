#include "tune/ChooseRecipe.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "target/Target.h"

namespace hone::tune {

namespace {

const char* const product = R"(
  __global__ void mm(const float* a, const float* b, float* c, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < w) {
      float sum = 0;
      for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
      c[y * w + x] = sum;
    }
  })";

device::Settings smallProduct() {
  device::Settings settings;
  settings.set["w"] = device::Given{"256", "--set"};
  return settings;
}

class Choosing : public ::testing::Test {
 protected:
  Choice choose(const std::string& source, const std::string& targetName = "h200",
                device::Settings settings = {}) {
    const std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
    const target::Target& machine = target::findTarget(targets, targetName);
    analysis::FactsCache facts(machine);
    ir::KernelPtr kernel = affine::kernelOf(source);
    device::CaseMaker maker(kernel, std::move(settings), nullptr, nullptr);
    passes::PassContext context{machine, facts};
    context.block = maker.make().block;
    return chooseRecipe(maker, ir::originalPlan(kernel), context, options);
  }
  ChooseOptions options;
};

}  // namespace

TEST_F(Choosing, theFastestThatIsRightIsTaken) {
  Choice choice = choose(product, "h200", smallProduct());
  ASSERT_NE(choice.best(), nullptr) << choice.reason;
  EXPECT_GT(choice.speedup(), 1.05);
  ASSERT_TRUE(choice.verification);
  EXPECT_TRUE(choice.verification->equal);
  EXPECT_GE(choice.verification->runs.size(), 5u);
  // Where two differ by less than a percent for each pass, the shorter recipe comes first.
  for (size_t i = 1; i < choice.ranked.size(); ++i) {
    const Variant &a = choice.ranked[i - 1], &b = choice.ranked[i];
    EXPECT_LE(a.estimate.seconds, b.estimate.seconds * (1 + 0.01 * double(b.recipe.calls.size())));
    if (a.estimate.seconds == b.estimate.seconds) EXPECT_LE(a.recipe.calls.size(), b.recipe.calls.size());
  }
  EXPECT_TRUE(choice.rejected.empty()) << choice.rejected.front();
  EXPECT_FALSE(choice.best()->estimate.fellBack);
}

TEST_F(Choosing, aGainTooSmallLeavesTheKernelAsItIs) {
  options.worthIt = 1000;
  Choice choice = choose(product, "h200", smallProduct());
  EXPECT_EQ(choice.best(), nullptr);
  EXPECT_NE(choice.reason.find(" none is estimated to be faster by "), std::string::npos) << choice.reason;
}

// What is far from what the GPU allows is not called good because nothing helps, and what is busy with its
// instructions is not called slow.
TEST_F(Choosing, onlyWhatIsNearTheRoofIsGood) {
  device::Settings settings;
  settings.block = device::Given{"256", "--block"};
  settings.set["n"] = device::Given{"1048576", "--set"};
  options.worthIt = 1000;
  Choice choice = choose(R"(
    __global__ void copy(const float4* __restrict__ a, float4* __restrict__ b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) b[i] = a[i];
    })",
                         "h200", settings);
  EXPECT_EQ(choice.reason.find("good already, at "), 0u) << choice.reason;
  choice = choose(R"(
    __global__ void histogram(const unsigned char* __restrict__ a, int* bins, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) atomicAdd(&bins[a[i] & 3], 1);
    })",
                  "h200", settings);
  EXPECT_EQ(choice.reason.find("slow, and nothing that was tried helps: the bottleneck is atomics, "), 0u)
      << choice.reason;
  EXPECT_NE(choice.reason.find("100 % of it at "), std::string::npos) << choice.reason;
  const char* const hash = R"(
    __global__ void hash(unsigned* a, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      unsigned h = a[i];
      for (int k = 0; k < 200; ++k) h = (h ^ (h >> 15)) * 2654435761u + k;
      a[i] = h;
    })";
  choice = choose(hash, "h200", settings);
  EXPECT_EQ(choice.reason.find("bound by its instructions, and nothing that was tried makes them fewer: "),
            0u)
      << choice.reason;
  choice = choose(hash, "h200");
  EXPECT_EQ(choice.reason.find("at the guessed n=1048576, block 256: bound by its instructions, "), 0u)
      << choice.reason;
}

TEST_F(Choosing, arraysThatMayLiveInRegistersAreNoBottleneckForSure) {
  device::Settings settings;
  settings.block = device::Given{"256", "--block"};
  settings.set["n"] = device::Given{"1048576", "--set"};
  options.worthIt = 1000;
  const Choice choice = choose(R"(
    __global__ void shuffled(const int* __restrict__ a, int* __restrict__ b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      int own[64];
      for (int k = 0; k < 64; ++k) own[k] = a[i] + k;
      for (int k = 0; k < 200; ++k) own[own[k & 63] & 63] += own[(k * 7) & 63];
      b[i] = own[a[i] & 63];
    })",
                               "h200", settings);
  EXPECT_EQ(choice.reason.find("counted with arrays of a thread's own in memory, "), 0u) << choice.reason;
}

TEST_F(Choosing, racesOfTheOriginalAreShownAndNothingIsDone) {
  device::Settings settings;
  settings.grid = device::Given{"1", "--grid"};
  settings.block = device::Given{"64", "--block"};
  Choice choice = choose(R"(
    __global__ void k(int* a) {
      __shared__ int s[64];
      s[threadIdx.x] = a[threadIdx.x];
      a[threadIdx.x] = s[63 - threadIdx.x];
    })",
                         "h200", settings);
  EXPECT_EQ(choice.best(), nullptr);
  ASSERT_FALSE(choice.findings.empty());
  EXPECT_NE(choice.reason.find("must be mended first"), std::string::npos) << choice.reason;
}

TEST_F(Choosing, whatIsToBeKeptIsKept) {
  device::Settings settings;
  settings.keep = device::Switch{true, "k.cu:3: #pragma hone"};
  Choice choice = choose(product, "h200", settings);
  EXPECT_EQ(choice.best(), nullptr);
  EXPECT_EQ(choice.reason, "k.cu:3: #pragma hone says to keep it");
}

// Every thread runs through a triangle of rows: a million iterations at the sizes that images get.
TEST_F(Choosing, threadsThatRunForLongAreEstimatedAtSmallerSizes) {
  options.verify = false;
  options.mostEstimates = 6;
  Choice choice = choose(R"(
    __global__ void pairs(float* s, const float* d, int m, int n) {
      int j1 = blockIdx.x * blockDim.x + threadIdx.x;
      if (j1 < m - 1)
        for (int j2 = j1 + 1; j2 < m; ++j2)
          for (int i = 0; i < n; ++i) s[j1 * m + j2] += d[i * m + j1] * d[i * m + j2];
    })");
  EXPECT_LT(choice.sizes.at("m"), 512);
  EXPECT_GE(choice.sizes.at("m"), 64);
  EXPECT_FALSE(choice.ranked.empty()) << choice.reason;
}

// Forward substitution, as its user would time it.
TEST_F(Choosing, givenSizesAreLoweredWhereAThreadWouldRunForTooLong) {
  options.verify = false;
  options.mostEstimates = 2;
  device::Settings settings;
  settings.set["n"] = device::Given{"160", "--set"};
  settings.set["sides"] = device::Given{"64", "--set"};
  Choice choice = choose(R"(
    __global__ void solve(const float* l, const float* b, float* x, int n, int sides) {
      int j = blockIdx.x * blockDim.x + threadIdx.x;
      if (j < sides)
        for (int i = 0; i < n; ++i) {
          float sum = b[i * sides + j];
          for (int k = 0; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
          x[i * sides + j] = sum / l[i * n + i];
        }
    })",
                         "h200", settings);
  EXPECT_TRUE(choice.original.estimate.isKnown()) << choice.reason;
  EXPECT_EQ(choice.sizes.at("n"), 80);
  EXPECT_EQ(choice.inPlaceOfGiven, (std::map<std::string, int64_t>{{"n", 80}}));
}

TEST_F(Choosing, aLoopThatCannotBeShortenedIsGivenUp) {
  Choice choice = choose(R"(
    __global__ void spin(float* a) {
      float x = a[threadIdx.x];
      for (int i = 0; i < 400000; ++i) x = x * 0.5f + 1.0f;
      a[threadIdx.x] = x;
    })");
  EXPECT_EQ(choice.best(), nullptr);
  EXPECT_NE(choice.reason.find("runs for too long"), std::string::npos) << choice.reason;
}

TEST_F(Choosing, aLoopThatDecidesNoThreadsIsShorterInEstimates) {
  options.verify = false;
  options.mostEstimates = 2;
  const std::string source = R"(
    __global__ void mm(const float* a, const float* b, float* c, int m, int n, int k) {
      int x = blockIdx.x * blockDim.x + threadIdx.x;
      int y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x < n && y < m) {
        float sum = 0;
        for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
        c[y * n + x] = sum;
      }
    })";
  Choice choice = choose(source);
  EXPECT_EQ(choice.sizes, (std::map<std::string, int64_t>{{"k", 256}, {"m", 1024}, {"n", 1024}}));
  device::Settings settings;
  settings.set["k"] = device::Given{"512", "--set"};
  EXPECT_EQ(choose(source, "h200", settings).sizes.at("k"), 512);
}

// What the kernel does not have at all is no news to its author.
TEST_F(Choosing, passesThatHaveNothingToWorkOnAreNotTried) {
  options.verify = false;
  Choice choice = choose(R"(
    __global__ void scale(float* a, float f, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) a[i] *= f;
    })");
  for (const Refused& one : choice.refused)
    for (const char* pass :
         {"grid-sync", "promote", "swap-axes", "unroll", "split-reduction", "remap-blocks"})
      EXPECT_NE(one.pass->name, pass) << one.refusal.reason;
  for (const Variant& variant : choice.ranked)
    EXPECT_EQ(passes::str(variant.recipe).find("y="), std::string::npos) << passes::str(variant.recipe);
}

// As the source work decides: through shared memory against scattered stores, along diagonals against
// partition camping.
TEST_F(Choosing, aTransposeIsStagedAndRunsAlongDiagonalsOnTheGtx280) {
  options.verify = false;
  Choice choice = choose(R"(
    __global__ void tp(const float* __restrict__ a, float* __restrict__ c, int w, int h) {
      int x = blockIdx.x * blockDim.x + threadIdx.x;
      int y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x < w && y < h) c[x * h + y] = a[y * w + x];
    })",
                         "gtx280");
  ASSERT_NE(choice.best(), nullptr) << choice.reason;
  EXPECT_NE(passes::str(choice.best()->recipe).find("stage"), std::string::npos)
      << passes::str(choice.best()->recipe);
  EXPECT_NE(passes::str(choice.best()->recipe).find("remap-blocks(how=diagonal)"), std::string::npos)
      << passes::str(choice.best()->recipe);
  EXPECT_GT(choice.speedup(), 4);
}

TEST_F(Choosing, estimatesAreBounded) {
  options.mostEstimates = 5;
  options.verify = false;
  Choice choice = choose(product);
  EXPECT_LE(choice.ranked.size(), 5u);
}

}  // namespace hone::tune
