#include "device/RunPlan.h"

#include <algorithm>
#include <cstring>

#include "Source.h"
#include "device/Judge.h"
#include "ir/Error.h"

namespace hone::device {

namespace {

// What a split in two would make of `whole`.
const char* const source = R"(
  __global__ void whole(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] * 2 + 1;
  }
  __global__ void first(const int* a, int* t, int n) {
    int i = blockIdx.x;
    if (i < n) t[i] = a[i] * 2;
  }
  __global__ void second(const int* t, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = t[i] + 1;
  })";

class Plans : public ::testing::Test {
 protected:
  Plans() : import(importText(source)) { original = ir::originalPlan(import.kernels[0].kernel); }

  ir::LaunchStep launch(size_t kernel, std::vector<ir::ExprPtr> args) {
    ir::LaunchStep step = std::get<ir::LaunchStep>(original->steps[0]);
    step.kernel = import.kernels[kernel].kernel;
    step.args = std::move(args);
    return step;
  }

  // t of `count` elements; first(a, t, n) in as many blocks as there are threads, second(t, b, n) as
  // the original.
  ir::PlanPtr split(const ir::ExprPtr& count) {
    const auto& params = original->original->params;
    auto t = std::make_shared<ir::Variable>();
    t->name = "t";
    t->type = ir::pointerType(ir::int32(), ir::Space::Global);
    auto plan = std::make_shared<ir::Plan>();
    plan->original = original->original;
    plan->steps.emplace_back(ir::BufferStep{t, count});
    ir::LaunchStep one = launch(1, {ir::ref(params[0]), ir::ref(t), ir::ref(params[2])});
    ir::ExprPtr threads =
        ir::binary(ir::BinaryOp::Mul, ir::convert(ir::coord(ir::CoordKind::GridDim, 0), ir::uint32()),
                   ir::convert(ir::coord(ir::CoordKind::BlockDim, 0), ir::uint32()));
    one.grid[0] = threads;
    one.block[0] = ir::intLit(1, ir::uint32());
    plan->steps.emplace_back(one);
    plan->steps.emplace_back(launch(2, {ir::ref(t), ir::ref(params[1]), ir::ref(params[2])}));
    return plan;
  }

  Judgement verifyWith(const ir::PlanPtr& plan) {
    CaseMaker maker(original->original, {}, nullptr, nullptr);
    return verify(maker, original, plan, {});
  }

  frontend::ImportResult import;
  ir::PlanPtr original;
};

}  // namespace

TEST_F(Plans, buffersAndLaunches) {
  Judgement j = verifyWith(split(ir::ref(original->original->params[2])));
  EXPECT_TRUE(j.equal);
  EXPECT_EQ(j.errors(), 0u);
  EXPECT_GE(j.runs.size(), 5u);
}

TEST_F(Plans, aBufferThatIsTooShortIsFound) {
  ir::ExprPtr n = ir::ref(original->original->params[2]);
  Judgement j = verifyWith(split(ir::binary(ir::BinaryOp::Sub, n, ir::intLit(1))));
  EXPECT_GT(j.errors(), 0u);
  EXPECT_TRUE(std::any_of(j.findings.begin(), j.findings.end(), [](const JudgedFinding& f) {
    return f.kind == "out-of-bounds" && f.finding.array == "t";
  }));
}

TEST_F(Plans, choices) {
  // Split where n > 100, else the original; both branches are taken by the sizes that verify tries.
  auto plan = std::make_shared<ir::Plan>();
  plan->original = original->original;
  ir::ExprPtr n = ir::ref(original->original->params[2]);
  plan->steps.emplace_back(
      ir::ChoiceStep{ir::binary(ir::BinaryOp::Gt, n, ir::intLit(100)), split(n), original});
  EXPECT_TRUE(verifyWith(plan).equal);
  // The branch for small sizes left out: nothing is computed there.
  auto half = std::make_shared<ir::Plan>();
  half->original = original->original;
  half->steps.emplace_back(
      ir::ChoiceStep{ir::binary(ir::BinaryOp::Gt, n, ir::intLit(100)), split(n), nullptr});
  Judgement j = verifyWith(half);
  EXPECT_FALSE(j.equal);
  for (const JudgedRun& run : j.runs) EXPECT_EQ(*run.equal, run.sizes.at("n") > 100);
}

TEST_F(Plans, anExpressionWithoutValue) {
  auto plan = std::make_shared<ir::Plan>(*original);
  auto& step = std::get<ir::LaunchStep>(plan->steps[0]);
  step.grid[0] = ir::coord(ir::CoordKind::ThreadIdx, 0);
  EXPECT_THROW(verifyWith(plan), Error);
}

// Work that verification may take: sizes that are left over are named, what runs for too long is not
// compared, and what has no end where the original has is different.
TEST(Compare, limitsOfWork) {
  const auto judge = [](const std::string& a, const std::string& b, uint64_t ofRun, uint64_t inAll) {
    const std::string head =
        "__global__ void k(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + "
        "threadIdx.x; float s = 0; ";
    const ir::KernelPtr first = kernelOf(head + a + "if (i < n) b[i] = s; }"),
                        second = kernelOf(head + b + "if (i < n) b[i] = s; }");
    JudgeOptions options;
    options.run.mostWork = ofRun;
    options.mostWorkInAll = inAll;
    return verify(CaseMaker(first, {}, nullptr, nullptr), ir::originalPlan(first), ir::originalPlan(second),
                  options);
  };
  const std::string loop = "for (int j = 0; j < 100; ++j) s += j;", longer = "s = 4950;",
                    endless = "while (s < 1) { s = s * a[0]; }";
  const Judgement all = judge(loop, loop, UINT64_MAX, UINT64_MAX), one = judge(loop, loop, UINT64_MAX, 1);
  EXPECT_TRUE(all.passed());
  EXPECT_GT(all.runs.size(), 3u);
  EXPECT_TRUE(one.passed());
  EXPECT_EQ(one.runs.size(), 1u);
  const auto isLeftOver = [](const std::string& note) {
    return note.starts_with("not run at n=") && note.ends_with("runs at other sizes took long");
  };
  EXPECT_GT(std::count_if(one.notes.begin(), one.notes.end(), isLeftOver), 2);
  EXPECT_THROW(judge(loop, loop, 100, UINT64_MAX), Error);
  const Judgement slow = judge(longer, "for (int j = 0; j < 100; ++j) s += j;", 900, UINT64_MAX);
  EXPECT_FALSE(slow.passed());
  EXPECT_EQ(slow.uncompared, "threads of the new version run for too long to be tried here");
  const Judgement never = judge(loop, endless, 400'000, UINT64_MAX);
  EXPECT_FALSE(never.equal);
}

TEST(Compare, kernelsThatDiffer) {
  auto judge = [](const std::string& a, const std::string& b, bool reassociate = false) {
    std::string head =
        "__global__ void k(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + "
        "threadIdx.x; ";
    ir::KernelPtr first = kernelOf(head + a + "}"), second = kernelOf(head + b + "}");
    JudgeOptions options;
    options.compare.reassociate = reassociate;
    return verify(CaseMaker(first, {}, nullptr, nullptr), ir::originalPlan(first), ir::originalPlan(second),
                  options);
  };
  std::string triple = "if (i < n) b[i] = a[i] * 3;", sum = "if (i < n) b[i] = a[i] + a[i] + a[i];";
  EXPECT_TRUE(judge(triple, triple).equal);
  EXPECT_EQ(judge(triple, triple).maxError, 0);
  EXPECT_FALSE(judge("if (i < n) b[i] = a[i] * 0.1f * 3;", "if (i < n) b[i] = a[i] * (0.1f * 3);").equal);
  EXPECT_TRUE(
      judge("if (i < n) b[i] = a[i] * 0.1f * 3;", "if (i < n) b[i] = a[i] * (0.1f * 3);", true).equal);
  EXPECT_FALSE(judge(triple, "if (i < n) b[i] = a[i] * 3.01f;", true).equal);
  // One thread too few, at one size only.
  Judgement j = judge(triple, "if (i < n && i != 600) b[i] = a[i] * 3;");
  EXPECT_FALSE(j.equal);
  for (const JudgedRun& run : j.runs) EXPECT_EQ(*run.equal, run.sizes.at("n") <= 600);
}

TEST(Compare, parametersMustCorrespond) {
  ir::KernelPtr a = kernelOf("__global__ void k(float* a, int n) { a[n] = 0; }");
  EXPECT_NO_THROW(
      checkSameParameters(*a, *kernelOf("__global__ void q(float* x, unsigned m) { x[m] = 0; }")));
  EXPECT_THROW(checkSameParameters(*a, *kernelOf("__global__ void q(float* x, long long m) { x[m] = 0; }")),
               Error);
  EXPECT_THROW(checkSameParameters(*a, *kernelOf("__global__ void q(int m, float* x) { x[m] = 0; }")), Error);
}

}  // namespace hone::device
