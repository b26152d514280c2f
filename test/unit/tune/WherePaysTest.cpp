// Choices for sizes that nobody gave: where they are taken, and what keeps them from being taken at all.
#include "tune/WherePays.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "ir/Walk.h"
#include "passes/host/PlanEdit.h"
#include "target/Target.h"
#include "tune/ChooseRecipe.h"

namespace hone::tune {
namespace {

const char* const guessedProduct = R"(
  __global__ void mm(const float* a, const float* b, float* c, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
      float sum = 0;
      for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
      c[y * w + x] = sum;
    }
  })";

const char* const rowsByData = R"(
  __global__ void rows(const int* first, const float* v, float* out, int n) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < n) {
      float sum = 0;
      for (int i = first[y]; i < first[y + 1]; ++i) sum += v[i];
      out[y] = sum;
    }
  })";

const char* const tunedProduct = R"(
  __global__ void mm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w) {
    __shared__ float s[16][16], t[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < w; i += 16) {
      s[threadIdx.y][threadIdx.x] = a[y * w + i + threadIdx.x];
      t[threadIdx.y][threadIdx.x] = b[(i + threadIdx.y) * w + x];
      __syncthreads();
      for (int k = 0; k < 16; ++k) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
      __syncthreads();
    }
    c[y * w + x] = sum;
  })";

Choice chosenWith(ChooseOptions options, const std::string& source,
                  const std::map<std::string, std::string>& set) {
  const std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  const target::Target& machine = target::findTarget(targets, "h200");
  analysis::FactsCache facts(machine);
  const ir::KernelPtr kernel = affine::kernelOf(source);
  device::Settings settings;
  for (const auto& [name, value] : set) settings.set[name] = device::Given{value, "--set"};
  device::CaseMaker maker(kernel, std::move(settings), nullptr, nullptr);
  passes::PassContext context{machine, facts};
  context.block = maker.make().block;
  context.reassociate = true;
  options.verify = false;
  return chooseRecipe(maker, ir::originalPlan(kernel), context, options);
}

Choice chosenFor(const std::string& source, const std::map<std::string, std::string>& set = {},
                 bool trustSizes = false, std::optional<double> worthItTuned = std::nullopt) {
  ChooseOptions options;
  options.trustSizes = trustSizes;
  if (worthItTuned) options.worthItTuned = *worthItTuned;
  return chosenWith(options, source, set);
}

bool asksForSizes(const ir::PlanPtr& plan) {
  bool found = false;
  const ir::ExprPtr condition = passes::conditionOf(*plan);
  if (condition)
    ir::walkExprs(condition, [&](const ir::Expr& e) {
      const auto* number = e.as<ir::IntLiteral>();
      found = found || (number && number->role.kind == ir::RoleKind::Threshold);
    });
  return found;
}

TEST(WherePays, TilesForAGuessedSizeRunWhereTheyPay) {
  const Choice choice = chosenFor(guessedProduct);
  ASSERT_NE(choice.best(), nullptr) << choice.reason;
  ASSERT_TRUE(choice.pays);
  EXPECT_EQ(choice.pays->verdict, WherePays::Verdict::Somewhere);
  EXPECT_TRUE(choice.guessed.contains("w") && choice.guessed.contains("h"));
  EXPECT_TRUE(asksForSizes(choice.best()->plan)) << choice.pays->text();
  EXPECT_NE(choice.pays->text().find(" > "), std::string::npos) << choice.pays->text();
}

TEST(WherePays, SizesThatAreGivenAreNoBet) {
  const Choice choice = chosenFor(guessedProduct, {{"w", "1024"}, {"h", "1024"}});
  ASSERT_NE(choice.best(), nullptr) << choice.reason;
  EXPECT_FALSE(choice.pays);
  EXPECT_TRUE(choice.guessed.empty());
  EXPECT_FALSE(asksForSizes(choice.best()->plan));
}

TEST(WherePays, LittleIsNotGainedByManyLines) {
  ChooseOptions options;
  options.gainOfLine = 1;
  options.worthAnyLines = 1000;
  const Choice choice = chosenWith(options, guessedProduct, {{"w", "256"}, {"h", "256"}});
  EXPECT_EQ(choice.best(), nullptr);
  EXPECT_NE(choice.reason.find(", which is not worth"), std::string::npos) << choice.reason;
}

TEST(WherePays, TrustedGuessesAreNoBetEither) {
  const Choice choice = chosenFor(guessedProduct, {}, true);
  ASSERT_NE(choice.best(), nullptr) << choice.reason;
  EXPECT_FALSE(choice.pays);
  EXPECT_FALSE(choice.guessed.empty()) << "they are still said to be guesses";
  EXPECT_FALSE(asksForSizes(choice.best()->plan));
}

TEST(WherePays, KernelsTunedByHandAreBetOnForMore) {
  const Choice with = chosenFor(tunedProduct, {}, false, 1.0);
  ASSERT_NE(with.best(), nullptr) << with.reason;
  const double gain = with.original.estimate.seconds / with.best()->estimate.seconds;
  const Choice without = chosenFor(tunedProduct, {}, false, gain * 1.5);
  EXPECT_EQ(without.best(), nullptr);
  EXPECT_NE(without.reason.find("it is tuned by hand (barriers in a loop)"), std::string::npos)
      << without.reason;
  EXPECT_NE(chosenFor(tunedProduct, {{"w", "1024"}}, false, gain * 1.5).best(), nullptr);
}

// With a few blocks for each multiprocessor, as such loops are launched, merged threads leave it idle.
TEST(WherePays, GridsOfLoopsOverTheWholeGridAreGuesses) {
  const Choice choice = chosenFor(R"(
    __global__ void scale(const float* a, float* b, int n) {
      float t;
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        t = a[i] * 2.0f;
        b[i] = t + 1.0f;
      }
    })");
  EXPECT_TRUE(choice.guessed.contains("gridDim.x"));
  if (choice.best()) {
    ASSERT_TRUE(choice.pays);
    EXPECT_NE(choice.pays->text().find("gridDim.x"), std::string::npos) << choice.pays->text();
  }
}

// A thread for each iteration leaves the launch's grid, and pays at any.
TEST(WherePays, ThreadsForIterationsPayAtAnyGrid) {
  const Choice choice = chosenFor(R"(
    __global__ void scale(const float* a, float* b, int n) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        b[i] = a[i] * 2.0f + 1.0f;
    })");
  EXPECT_TRUE(choice.guessed.contains("gridDim.x"));
  ASSERT_NE(choice.best(), nullptr) << choice.reason;
  EXPECT_NE(passes::str(choice.best()->recipe).find("spread"), std::string::npos)
      << passes::str(choice.best()->recipe);
  ASSERT_TRUE(choice.pays);
  EXPECT_EQ(choice.pays->text(), "");
  EXPECT_GT(choice.pays->sizes, 1u);
}

// n - m threads: with both sizes large there are never many, and what helps a few blocks may cost thousands.
TEST(WherePays, EachSizeOfTheGridIsTriedLargeAlone) {
  const Choice choice = chosenFor(R"(
    __global__ void windows(const float* __restrict__ a, const float* __restrict__ mean, const float* __restrict__ low,
                            const float* __restrict__ high, float* __restrict__ out, int m, int n) {
      extern __shared__ float cache[];
      int first = blockDim.x * blockIdx.x, x = first + threadIdx.x;
      for (int k = threadIdx.x; k < blockDim.x + m; k += blockDim.x)
        if (first + k < n) cache[k] = a[first + k];
      __syncthreads();
      if (x < n - m + 1) {
        float sum = 0, shift = mean[x];
        for (int i = 0; i < m; ++i) {
          float value = cache[threadIdx.x + i] / shift, below = value - low[i], above = value - high[i];
          sum += above * above * (above > 0) + below * below * (below < 0);
        }
        out[x] = sum;
      }
    })");
  if (!choice.best()) return;
  ASSERT_TRUE(choice.pays);
  EXPECT_NE(choice.pays->text().find("n <="), std::string::npos) << choice.pays->text();
}

TEST(WherePays, LoopsThatMemoryBoundsTellNothing) {
  const Choice choice = chosenFor(rowsByData);
  EXPECT_EQ(choice.best(), nullptr);
  EXPECT_NE(choice.reason.find("how often the loop at line"), std::string::npos) << choice.reason;
  const Choice trusted = chosenFor(rowsByData, {}, true);
  EXPECT_EQ(trusted.reason.find("how often the loop"), std::string::npos) << trusted.reason;
}

// Estimates see a loop's tests go away, which compilers see to themselves.
TEST(WherePays, LoopsAreNotUnrolledForALittle) {
  const char* const potential = R"(
    __global__ void potential(int atoms, float spacing, float* energy, const float4* atom) {
      unsigned x = blockIdx.x * blockDim.x * 2 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
      unsigned out = gridDim.x * blockDim.x * 2 * y + x;
      float yAt = spacing * y, xAt = spacing * x, one = 0, two = 0;
      for (int i = 0; i < atoms; ++i) {
        float dy = yAt - atom[i].y, rest = dy * dy + atom[i].z, dx = xAt - atom[i].x, dz = dx + spacing;
        one += atom[i].w * rsqrtf(dx * dx + rest);
        two += atom[i].w * rsqrtf(dz * dz + rest);
      }
      energy[out] += one;
      energy[out + blockDim.x] += two;
    })";
  const Choice choice = chosenFor(potential, {{"atoms", "1000"}});
  ASSERT_FALSE(choice.ranked.empty());
  const Variant* best = choice.best();
  const bool isUnrollAlone =
      best && best->recipe.calls.size() == 1 && best->recipe.calls[0].pass->traits.isCompilersToo;
  EXPECT_FALSE(isUnrollAlone) << choice.speedup();
}

TEST(WherePays, ConditionsAreMadeOfTheOriginalsParameters) {
  const ir::KernelPtr kernel = affine::kernelOf(guessedProduct);
  const ir::PlanPtr plan = ir::originalPlan(kernel);
  const std::vector<SizeBound> bounds = {{{{"w", "h"}, 5000}, false}, {{{"h"}, 90}, true}};
  const ir::PlanPtr where = wherePays(plan, bounds);
  ASSERT_TRUE(where);
  EXPECT_TRUE(asksForSizes(where));
  EXPECT_EQ(WherePays{.bounds = bounds}.text(), "w * h > 5000 and h <= 90");
  EXPECT_EQ(wherePays(plan, {{{{"nobody"}, 5000}, false}}), nullptr);
  EXPECT_EQ(wherePays(plan, {}), plan) << "everywhere";
}

}  // namespace
}  // namespace hone::tune
