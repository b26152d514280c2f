// A plan with a condition that keeps the launch becomes one kernel that tests the condition.
#include "passes/host/ChooseInside.h"

#include <gtest/gtest.h>

#include "emit/Emit.h"
#include "frontend/Import.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Verify.h"
#include "ir/Walk.h"
#include "passes/host/PlanEdit.h"

namespace hone {
namespace {

using namespace ir;

KernelPtr imported(const std::string& name, const std::string& text) {
  frontend::SourceRequest request;
  request.path = name;
  request.contents = text;
  frontend::ImportResult result = frontend::importFile(request);
  return result.kernels.empty() ? nullptr : result.kernels[0].kernel;
}

// The kernel with a constant for each 2.
PlanPtr guarded(const KernelPtr& original) {
  struct Change : Rewriter {
    ExprPtr mapExpr(const ExprPtr& e) override {
      const auto* l = as<IntLiteral>(e);
      return l && l->value == 2 ? named(3, {RoleKind::RowCount}, e->type) : e;
    }
  } change;
  PlanPtr plan = ir::mapLaunches(originalPlan(original), [&](LaunchStep launch) {
    auto kernel = std::make_shared<Kernel>(*launch.kernel);
    kernel->body = change.rewriteBlock(kernel->body);
    kernel->constants = {{{RoleKind::RowCount}, 3, "was two"}};
    launch.kernel = kernel;
    return launch;
  });
  TypePtr size = original->language == Language::OpenCL ? uint64() : uint32();
  return passes::onlyWhere(
      plan, binary(BinaryOp::LogicalAnd, binary(BinaryOp::Ge, ref(original->params[1]), intLit(64)),
                   binary(BinaryOp::Eq, coord(CoordKind::BlockDim, 0, size), intLit(32, size))));
}

void expectReadsBack(const Kernel& merged, const std::string& file, const std::string& head,
                     const std::vector<std::string>& parts) {
  ASSERT_TRUE(verify(merged).empty()) << verify(merged).front();
  emit::EmitOptions options;
  options.language = merged.language;
  emit::EmitResult body = emit::emitBody(merged, options);
  ASSERT_TRUE(body.ok()) << body.errors.front().reason;
  KernelPtr again = imported(file, head + body.text + "\n");
  ASSERT_TRUE(again) << body.text;
  std::string why;
  Kernel plain = merged;
  plain.body = withoutRoles(plain.body);
  EXPECT_TRUE(equal(plain, *again, &why)) << why << "\n" << body.text;
  for (const std::string& part : parts)
    EXPECT_NE(body.text.find(part), std::string::npos) << part << "\n" << body.text;
}

TEST(ChooseInside, TestsTheConditionAtEntry) {
  const std::string head = "__global__ void f(int* x, int n) ";
  KernelPtr original = imported("f.cu", head + R"({
  __shared__ int t[32];
  int i = threadIdx.x;
  t[i] = x[i];
  __syncthreads();
  if (i < n) x[i] = t[31 - i] * 2;
}
)");
  ASSERT_TRUE(original);
  KernelPtr merged = passes::chooseInside(*guarded(original));
  ASSERT_TRUE(merged);
  expectReadsBack(*merged, "f.cu", head,
                  {"constexpr int kRows = 3;  // was two\n", "if (n >= 64 && blockDim.x == 32",
                   "t[31 - i] * kRows", "} else {", "t[31 - i] * 2"});
}

TEST(ChooseInside, KeepsLocalMemoryInTheOutermostScopeOfOpenCl) {
  const std::string head = "__kernel void f(__global int* x, int n) ";
  KernelPtr original = imported("f.cl", head + R"({
  __local int t[32];
  int i = get_local_id(0);
  t[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) x[i] = t[31 - i] * 2;
}
)");
  ASSERT_TRUE(original);
  KernelPtr merged = passes::chooseInside(*guarded(original));
  ASSERT_TRUE(merged);
  expectReadsBack(*merged, "f.cl", head,
                  {"__local int t[32];\n  __local int t_2[32];\n", "if (n >= 64 && get_local_size(0) == 32",
                   "kRows = 3"});
}

TEST(ChooseInside, IsNotForPlansThatChangeTheLaunch) {
  KernelPtr original = imported("f.cu", "__global__ void f(int* x, int n) { x[threadIdx.x] = 2; }\n");
  ASSERT_TRUE(original);
  EXPECT_FALSE(passes::chooseInside(*originalPlan(original)));
  PlanPtr plan = ir::mapLaunches(guarded(original), [](LaunchStep launch) {
    launch.block[0] = intLit(64, uint32());
    return launch;
  });
  EXPECT_FALSE(passes::chooseInside(*plan));
}

}  // namespace
}  // namespace hone
