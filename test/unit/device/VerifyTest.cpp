#include <fmt/core.h>

#include <algorithm>

#include "Source.h"
#include "device/Judge.h"
#include "device/VerifyCases.h"
#include "ir/Build.h"

namespace hone::device {

ir::LaunchStep launchOf(const ir::KernelPtr& kernel, const ir::PlanPtr& original) {
  ir::LaunchStep step = std::get<ir::LaunchStep>(original->steps[0]);
  step.kernel = kernel;
  return step;
}

ir::PlanPtr either(const ir::ExprPtr& cond, const ir::LaunchStep& step, const ir::PlanPtr& original) {
  auto fast = std::make_shared<ir::Plan>();
  fast->original = original->original;
  fast->steps.emplace_back(step);
  auto plan = std::make_shared<ir::Plan>();
  plan->original = original->original;
  plan->steps.emplace_back(ir::ChoiceStep{cond, fast, original});
  return plan;
}

// The grid has a thread for each of the first and the second number along its axes.
ir::ExprPtr isCoveredBy(const ir::PlanPtr& original) {
  ir::ExprPtr all;
  for (const int axis : {0, 1}) {
    const ir::ExprPtr size = ir::convert(ir::ref(original->original->params[axis + 1]), ir::uint32());
    const ir::ExprPtr threads =
        ir::times(ir::coord(ir::CoordKind::GridDim, axis), ir::coord(ir::CoordKind::BlockDim, axis));
    const ir::ExprPtr one = ir::binary(ir::BinaryOp::Le, size, threads);
    all = all ? ir::andAlso(all, one) : one;
  }
  return all;
}

ir::ExprPtr isFlat() {
  return ir::binary(ir::BinaryOp::Eq, ir::coord(ir::CoordKind::BlockDim, 1), ir::intLit(1, ir::uint32()));
}

// Two blocks in one, without asking whether the second was launched: right wherever the grid covers n, and
// for grids of an even number of blocks.
TEST(Verify, oneBlockShowsBlocksOnTop) {
  const frontend::ImportResult import = importText(R"(
    __global__ void whole(const int* a, int* b, int n) {
      int i = blockIdx.x * 256 + threadIdx.x;
      if (i < n) b[i] = a[i] * 2 + 1;
    }
    __global__ void pairs(const int* a, int* b, int n) {
      for (int part = 0; part < 2; ++part) {
        int i = (blockIdx.x * 2 + part) * 256 + threadIdx.x;
        if (i < n) b[i] = a[i] * 2 + 1;
      }
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
  step.grid[0] = ir::ceilDiv(step.grid[0], ir::intLit(2, ir::uint32()));
  const ir::ExprPtr isBlock =
      ir::binary(ir::BinaryOp::Eq, ir::coord(ir::CoordKind::BlockDim, 0), ir::intLit(256, ir::uint32()));
  const ir::PlanPtr plan = either(isBlock, step, original);
  Settings settings;
  settings.block = Given{"256", "--block"};
  const CaseMaker maker(original->original, settings, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, plan, {}).passed());
}

// Blocks of 32 threads in place of others, without asking whether the last of them was launched: right for
// every launch of blocks that are multiples of 32.
TEST(Verify, oddBlocksShowThreadsOnTop) {
  const frontend::ImportResult import = importText(R"(
    __global__ void whole(const int* a, int* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) b[i] = a[i] * 2 + 1;
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = std::get<ir::LaunchStep>(original->steps[0]);
  const ir::ExprPtr warp = ir::intLit(32, ir::uint32());
  step.grid[0] = ir::ceilDiv(ir::times(step.grid[0], step.block[0]), warp);
  step.block[0] = warp;
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, either(isFlat(), step, original), {}).passed());
}

// A test of overlap that never decides: which array lies behind the other matters, as a sum that one thread
// writes back at the end differs only where it reads its own element in a later iteration.
TEST(Verify, eitherArrayMayLieBehindTheOther) {
  for (const char* const params : {"float* a, float* x", "float* x, float* a"}) {
    const std::string head = fmt::format("({}, int n) {{ int i = blockIdx.x * 64 + threadIdx.x;", params);
    const frontend::ImportResult import = importText(fmt::format(R"(
      __global__ void sums{0}
        if (i < n) for (int j = 0; j < n; ++j) x[i] += a[i * n + j] * 0.5f;
      }}
      __global__ void late{0}
        if (i >= n) return;
        float sum = x[i];
        for (int j = 0; j < n; ++j) sum += a[i * n + j] * 0.5f;
        x[i] = sum;
      }})",
                                                                 head));
    const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
    const ir::VarPtr &first = original->original->params[0], &second = original->original->params[1];
    const ir::ExprPtr apart = ir::binary(ir::BinaryOp::Le, ir::ref(first), ir::ref(second));
    const ir::PlanPtr plan =
        either(ir::orElse(apart, ir::negated(apart)), launchOf(import.kernels[1].kernel, original), original);
    Settings settings;
    settings.block = Given{"64", "--block"};
    const CaseMaker maker(original->original, settings, nullptr, nullptr);
    EXPECT_FALSE(verify(maker, original, plan, {}).passed()) << params;
  }
}

// Sums that are written back at the end, by plans that test nothing of overlaps: the elements that differ are
// found without a test that says where to look.
struct LateSum {
  const char* what;
  const char* params;
  const char* condition;  // of a thread
  const char* element;    // that iteration j adds
  bool needsCover;        // the plan asks that the grid covers n
  const char* iterations = "n";
};

Judgement judgeLateSum(const LateSum& one, const JudgeOptions& options = {}) {
  const std::string head =
      fmt::format("({}, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x;", one.params);
  const frontend::ImportResult import =
      importText(fmt::format(R"(
    __global__ void sums{0}
      if ({1}) for (int j = 0; j < {3}; ++j) x[i] += {2};
    }}
    __global__ void late{0}
      if (!({1}) || {3} < 1) return;
      float sum = x[i];
      for (int j = 0; j < {3}; ++j) sum += {2};
      x[i] = sum;
    }})",
                             head, one.condition, one.element, one.iterations));
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  const ir::ExprPtr threads =
      ir::times(ir::coord(ir::CoordKind::GridDim, 0), ir::coord(ir::CoordKind::BlockDim, 0));
  const ir::ExprPtr n = ir::convert(ir::ref(original->original->params.back()), ir::uint32());
  const ir::ExprPtr isCovered = ir::binary(ir::BinaryOp::Le, n, threads);
  const ir::PlanPtr plan =
      either(one.needsCover ? isCovered : isFlat(), launchOf(import.kernels[1].kernel, original), original);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  return verify(maker, original, plan, options);
}

TEST(Verify, overlapsAreTriedWhereThePlanHasNoTest) {
  for (const LateSum& one : {
           LateSum{"a row of each thread", "float* a, float* x", "i < n", "a[i * n + j]", false},
           LateSum{"a column of each thread", "float* a, float* x", "i < n", "a[j * n + i] * 0.5f", false},
           LateSum{"the grid covers n", "float* a, float* x, int m", "i < n", "a[j] * 0.5f", true, "m"},
           LateSum{"without the borders", "float* a, float* x", "i > 0 && i < n - 1", "a[j] * 0.5f", true},
           LateSum{"the last of many", "float* a, float* b, float* c, float* d, float* x", "i < n",
                   "a[0] * 0.f + b[0] * 0.f + c[0] * 0.f + d[j] * 0.5f", false},
       }) {
    EXPECT_FALSE(judgeLateSum(one).passed()) << one.what;
    JudgeOptions apart;
    apart.assumeNoalias = true;
    EXPECT_TRUE(judgeLateSum(one, apart).passed()) << one.what;
  }
}

TEST(Verify, noOverlapsOfWhatIsPromisedToLieApart) {
  for (const char* const params :
       {"float* a, float* __restrict__ x", "const float* __restrict__ a, float* x", "int* a, float* x"})
    EXPECT_TRUE(judgeLateSum({"", params, "i < n", "a[i * n + j]", false}).passed()) << params;
}

// Where a loop has no iteration the original reads nothing, and its arrays may be empty.
TEST(Verify, nothingToDoLeavesNothingToRead) {
  const frontend::ImportResult import = importText(R"(
    __global__ void sums(const float* a, float* b, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) for (int k = 0; k < m; ++k) b[i] += a[i];
    }
    __global__ void early(const float* a, float* b, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      float value = a[i];
      for (int k = 0; k < m; ++k) b[i] += value;
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  JudgeOptions apart;
  apart.assumeNoalias = true;
  const ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
  EXPECT_FALSE(verify(maker, original, either(isFlat(), step, original), apart).passed());
  const ir::ExprPtr isAny =
      ir::binary(ir::BinaryOp::Ge, ir::ref(original->original->params[3]), ir::intLit(1));
  EXPECT_TRUE(verify(maker, original, either(ir::andAlso(isFlat(), isAny), step, original), apart).passed());
}

// Blocks along an axis that the kernel does not ask for add once more.
TEST(Verify, blocksAlongEveryAxis) {
  const frontend::ImportResult import = importText(R"(
    __global__ void total(const int* a, int* sum, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) atomicAdd(sum, a[i]);
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  auto copy = std::make_shared<ir::Kernel>(*original->original);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  for (const bool isGrid : {true, false}) {
    ir::LaunchStep step = launchOf(copy, original);
    (isGrid ? step.grid : step.block)[2] = ir::intLit(1, ir::uint32());
    EXPECT_FALSE(verify(maker, original, either(isFlat(), step, original), {}).passed()) << isGrid;
  }
}

// Fewer than 64 elements make a grid without blocks, which no launch can have.
TEST(Verify, gridsWithoutBlocksAreDifferences) {
  const frontend::ImportResult import = importText(R"(
    __global__ void copy(const float* a, float* b, int n) {
      for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) b[i] = a[i];
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = launchOf(std::make_shared<ir::Kernel>(*original->original), original);
  const ir::ExprPtr n = ir::convert(ir::ref(original->original->params[2]), ir::uint32());
  step.grid[0] = ir::binary(ir::BinaryOp::Div, n, ir::intLit(64, ir::uint32()));
  Settings settings;
  settings.block = Given{"64", "--block"};
  const CaseMaker maker(original->original, settings, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, either(isFlat(), step, original), {}).passed());
}

// Blocks that do the work of several, of which the second is wrong where arrays are not aligned.
TEST(Verify, severalBlocksOfArraysThatBeginAnywhere) {
  const frontend::ImportResult import = importText(R"(
    __global__ void each(const int* a, int* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) b[i] = a[i];
    }
    __global__ void tiles(const int* a, int* b, int n) {
      int begin = blockIdx.x * ((size_t)a % 16 == 0 ? 1024 : 1023);
      for (int k = 0; k < 4; ++k) {
        int i = begin + threadIdx.x * 4 + k;
        if (i < n) b[i] = a[i];
      }
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
  const ir::ExprPtr tile = ir::intLit(1024, ir::uint32()), threads = ir::times(step.grid[0], step.block[0]);
  step.grid[0] = ir::ceilDiv(threads, tile);
  step.block[0] = ir::intLit(256, ir::uint32());
  const ir::ExprPtr n = ir::convert(ir::ref(original->original->params[2]), ir::uint32());
  const ir::ExprPtr isCovered = ir::binary(ir::BinaryOp::Le, n, threads);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  EXPECT_FALSE(
      verify(maker, original, either(ir::andAlso(isFlat(), isCovered), step, original), {}).passed());
}

// Of two arrays that must begin at multiples of 16 bytes but one is tested.
TEST(Verify, eachArrayMayBeginAnywhere) {
  const frontend::ImportResult import = importText(R"(
    __global__ void each(const float* a, float* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) for (int k = 0; k < 4; ++k) b[4 * i + k] = a[4 * i + k];
    }
    __global__ void four(const float* a, float* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) reinterpret_cast<float4*>(b)[i] = reinterpret_cast<const float4*>(a)[i];
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  const ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  JudgeOptions apart;
  apart.assumeNoalias = true;
  const auto isAligned = [&](size_t param) {
    const ir::ExprPtr address = ir::convert(ir::ref(original->original->params[param]), ir::uint64(), true);
    return ir::binary(ir::BinaryOp::Eq, ir::binary(ir::BinaryOp::Rem, address, ir::intLit(16, ir::uint64())),
                      ir::intLit(0, ir::uint64()));
  };
  for (const size_t param : {0, 1})
    EXPECT_FALSE(verify(maker, original, either(isAligned(param), step, original), apart).passed()) << param;
  const ir::ExprPtr both = ir::andAlso(isAligned(0), isAligned(1));
  EXPECT_TRUE(verify(maker, original, either(both, step, original), apart).passed());
}

// The kernel asks itself, and is wrong where one of the two is aligned.
TEST(Verify, eachArrayMayBeginAnywhereWithinTheKernel) {
  const auto passes = [](const char* both) {
    const frontend::ImportResult import = importText(fmt::format(R"(
      __global__ void each(const float* a, float* b, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) for (int k = 0; k < 4; ++k) b[4 * i + k] = a[4 * i + k];
      }}
      __global__ void four(const float* a, float* b, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        if ((size_t)a % 16 == 0 {} (size_t)b % 16 == 0)
          reinterpret_cast<float4*>(b)[i] = reinterpret_cast<const float4*>(a)[i];
        else
          for (int k = 0; k < 4; ++k) b[4 * i + k] = a[4 * i + k];
      }})",
                                                                 both));
    const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
    const CaseMaker maker(original->original, {}, nullptr, nullptr);
    JudgeOptions apart;
    apart.assumeNoalias = true;
    const ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
    return verify(maker, original, either(isFlat(), step, original), apart).passed();
  };
  EXPECT_TRUE(passes("&&"));
  EXPECT_FALSE(passes("||"));
}

TEST(Verify, whatHasNoEndIsADifference) {
  const frontend::ImportResult import = importText(R"(
    __global__ void once(float* a, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) a[i] = 2 * a[i];
    }
    __global__ void again(float* a, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) {
        float x = 2 * a[i];
        for (unsigned k = 0; k != 1; k += 2) x += 1e-9f * k;
        a[i] = x;
      }
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  const ir::PlanPtr endless = ir::originalPlan(import.kernels[1].kernel);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  const Judgement judged = verify(maker, original, endless, {});
  EXPECT_FALSE(judged.equal);
  ASSERT_EQ(judged.runs.size(), 1u);  // one is enough to know
}

// Rows of 64 elements: beyond that threads of the original write over each other, and nothing says what is
// right.
TEST(Verify, whatTheOriginalRacesForIsNoMeasure) {
  const frontend::ImportResult import = importText(R"(
    __global__ void rows(float* a, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
      if (i < n && j < m) a[j * 64 + i] = j * 1000 + i;
    }
    __global__ void backwards(float* a, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
      i = n - 1 - i, j = m - 1 - j;
      if (i >= 0 && j >= 0) a[j * 64 + i] = j * 1000 + i;
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  const ir::PlanPtr plan =
      either(isCoveredBy(original), launchOf(import.kernels[1].kernel, original), original);
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  const Judgement guessed = verify(maker, original, plan, {});
  ASSERT_FALSE(guessed.runs.empty());
  EXPECT_FALSE(guessed.runs[0].skipped.empty());
  EXPECT_TRUE(guessed.passed());
  // Where nothing else is tried it is not called equal either.
  JudgeOptions here;
  here.exactSizes = true;
  const Judgement alone = verify(maker, original, plan, here);
  EXPECT_TRUE(alone.equal);
  EXPECT_FALSE(alone.passed());
  EXPECT_NE(alone.uncompared.find("the original has findings"), std::string::npos) << alone.uncompared;
}

// Two layers in one, without asking whether the second was launched.
TEST(Verify, oddGridsShowLayersOnTop) {
  const frontend::ImportResult import = importText(R"(
    __global__ void whole(const int* a, int* b, int n, int layers) {
      int i = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
      if (i < n && z < layers) b[z * n + i] = a[z * n + i] * 2 + 1;
    }
    __global__ void pairs(const int* a, int* b, int n, int layers) {
      for (int part = 0; part < 2; ++part) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z * 2 + part;
        if (i < n && z < layers) b[z * n + i] = a[z * n + i] * 2 + 1;
      }
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
  step.grid[2] = ir::ceilDiv(step.grid[2], ir::intLit(2, ir::uint32()));
  const ir::ExprPtr isThin =
      ir::binary(ir::BinaryOp::Eq, ir::coord(ir::CoordKind::BlockDim, 2), ir::intLit(1, ir::uint32()));
  const CaseMaker maker(original->original, {}, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, either(isThin, step, original), {}).passed());
}

// The same where the fast version asks for more of the sizes: odd launches are of sizes that it takes, and
// that leave something to do behind a number which is given.
TEST(Verify, oddBlocksAreOfSizesThatTheFastVersionTakes) {
  const frontend::ImportResult import = importText(R"(
    __global__ void whole(const int* a, int* b, int w, int h, int last) {
      int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y + last;
      if (i < w && j < h) b[j * w + i] = a[j * w + i] * 2 + 1;
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = launchOf(std::make_shared<ir::Kernel>(*original->original), original);
  const ir::ExprPtr warp = ir::intLit(32, ir::uint32());
  step.grid[0] = ir::ceilDiv(ir::times(step.grid[0], step.block[0]), warp);
  step.block[0] = warp;
  const auto number = [&](int i) { return ir::ref(original->original->params[i]); };
  const ir::ExprPtr isEven =
      ir::binary(ir::BinaryOp::Eq, ir::binary(ir::BinaryOp::Rem, number(2), ir::intLit(4)), ir::intLit(0));
  const ir::ExprPtr hasWork = ir::binary(ir::BinaryOp::Lt, number(4), number(3));
  for (const char* const last : {"0", "150"}) {
    Settings settings;
    settings.set["last"] = Given{last, "--set"};
    const CaseMaker maker(original->original, settings, nullptr, nullptr);
    const ir::ExprPtr all = ir::andAlso(ir::andAlso(isFlat(), isEven), hasWork);
    EXPECT_FALSE(verify(maker, original, either(all, step, original), {}).passed()) << last;
  }
}

// Sixteen blocks in one, of which the second is wrong: sizes that bound both axes make it too many blocks.
TEST(Verify, theSecondBlockIsRunAlongEachAxis) {
  const frontend::ImportResult import = importText(R"(
    __global__ void whole(const int* a, int* b, int w, int h) {
      int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
      if (i < w && j < h && i + j < w + h) b[j * w + i] = a[j * w + i] * 2 + 1;
    }
    __global__ void many(const int* a, int* b, int w, int h) {
      for (int part = 0; part < 16; ++part) {
        int i = (blockIdx.x * 17 + part) * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
        if (i < w && j < h) b[j * w + i] = a[j * w + i] * 2 + 1;
      }
    })");
  const ir::PlanPtr original = ir::originalPlan(import.kernels[0].kernel);
  ir::LaunchStep step = launchOf(import.kernels[1].kernel, original);
  step.grid[0] = ir::ceilDiv(step.grid[0], ir::intLit(16, ir::uint32()));
  const ir::ExprPtr w = ir::convert(ir::ref(original->original->params[2]), ir::uint32());
  const ir::ExprPtr isCovered =
      ir::binary(ir::BinaryOp::Le, w,
                 ir::times(ir::coord(ir::CoordKind::GridDim, 0), ir::coord(ir::CoordKind::BlockDim, 0)));
  const ir::ExprPtr isBlock =
      ir::binary(ir::BinaryOp::Eq, ir::coord(ir::CoordKind::BlockDim, 0), ir::intLit(32, ir::uint32()));
  Settings settings;
  settings.block = Given{"32x8", "--block"};
  const CaseMaker maker(original->original, settings, nullptr, nullptr);
  EXPECT_FALSE(verify(maker, original, either(ir::andAlso(isBlock, isCovered), step, original), {}).passed());
}

}  // namespace hone::device
