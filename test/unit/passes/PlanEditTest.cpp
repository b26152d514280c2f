// Conditions of launches become tests before the plan, or choices inside of it.
#include "passes/host/PlanEdit.h"

#include "HostNumbers.h"
#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::passes {
namespace {

using namespace ir;

class Conditions : public ::testing::Test {
 protected:
  KernelPtr original = affine::kernelOf("__global__ void k(float* a, int n) { a[threadIdx.x] = n; }\n");
  LaunchStep before = std::get<LaunchStep>(originalPlan(original)->steps[0]), now = before;
  ExprPtr n = ref(original->params[1]), step;
  ExprPtr early = binary(BinaryOp::Ge, n, intLit(4)), late;

  Conditions() {
    auto counter = std::make_shared<Variable>();
    counter->name = "step";
    counter->type = int32();
    step = ref(VarPtr(counter));
    late = binary(BinaryOp::Lt, step, n);
    auto changed = std::make_shared<Kernel>(*original);
    changed->name = "changed";
    now.kernel = changed;
  }
  PlanPtr planWith(const std::vector<Step>& steps) const { return planOf(original, steps); }
};

TEST_F(Conditions, WithoutOneThereIsNoChoice) {
  LaunchConditions conditions(original);
  const PlanPtr plan = planWith(conditions.choose(nullptr, {now}, {before}));
  EXPECT_TRUE(isLaunchOf(*plan, now.kernel));
  EXPECT_EQ(conditions.atStartOf(plan), plan);
  EXPECT_TRUE(isLaunchOf(*planWith(conditions.choose(boolLit(true), {now}, {before})), now.kernel));
}

TEST_F(Conditions, WhatIsKnownAtTheStartIsTestedThere) {
  LaunchConditions conditions(original);
  const std::vector<Step> steps = conditions.choose(early, {now}, {before});
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<LaunchStep>(steps[0]));
  const PlanPtr plan = conditions.atStartOf(planWith(steps));
  const auto* choice = onlyStep<ChoiceStep>(*plan);
  ASSERT_TRUE(choice);
  EXPECT_TRUE(equal(choice->cond, early));
  EXPECT_TRUE(isLaunchOf(*choice->then, now.kernel));
  EXPECT_TRUE(isLaunchOf(*choice->otherwise, original));
}

// Of two kernels that take the place of one launch, both need what is tested at the start.
TEST_F(Conditions, StepsThatAreAChoiceNeedItOnBothSides) {
  auto second = std::make_shared<Kernel>(*original);
  LaunchStep other = before;
  other.kernel = second;
  const ExprPtr isEven = binary(BinaryOp::Eq, remainder(n, intLit(2)), intLit(0));
  const ChoiceStep two{isEven, planWith({now}), planWith({other})};
  LaunchConditions conditions(original);
  conditions.needOnBothSides();
  const PlanPtr plan = conditions.atStartOf(planWith(conditions.choose(early, {two}, {before})));
  const auto* choice = onlyStep<ChoiceStep>(*plan);
  ASSERT_TRUE(choice);
  EXPECT_TRUE(equal(choice->cond, early));
  EXPECT_TRUE(isLaunchOf(*choice->otherwise, original));
  const auto* inner = onlyStep<ChoiceStep>(*choice->then);
  ASSERT_TRUE(inner);
  EXPECT_TRUE(equal(inner->cond, isEven));
  EXPECT_TRUE(isLaunchOf(*inner->otherwise, second));
  // What comes later about the first of them is nothing to the second.
  const auto* once = onlyStep<ChoiceStep>(*onlyWhere(planWith({two}), early));
  ASSERT_TRUE(once);
  EXPECT_TRUE(isLaunchOf(*once->otherwise, second));
}

TEST_F(Conditions, WhatDependsOnAnIterationDecidesAboutOneLaunch) {
  LaunchConditions conditions(original);
  const std::vector<Step> steps = conditions.choose(late, {now}, {before});
  ASSERT_EQ(steps.size(), 1u);
  const auto* choice = std::get_if<ChoiceStep>(&steps[0]);
  ASSERT_TRUE(choice);
  EXPECT_TRUE(equal(choice->cond, late));
  EXPECT_TRUE(isLaunchOf(*choice->then, now.kernel));
  EXPECT_TRUE(isLaunchOf(*choice->otherwise, original));
  const PlanPtr plan = planWith(steps);
  EXPECT_EQ(conditions.atStartOf(plan), plan);
}

// Of one condition each part where it can be tested first.
TEST_F(Conditions, PartsAreTakenApart) {
  LaunchConditions conditions(original);
  const std::vector<Step> steps = conditions.choose(andAlso(late, early), {now}, {before});
  ASSERT_EQ(steps.size(), 1u);
  const auto* inside = std::get_if<ChoiceStep>(&steps[0]);
  ASSERT_TRUE(inside);
  EXPECT_TRUE(equal(inside->cond, late));
  EXPECT_TRUE(equal(conditionOf(*conditions.atStartOf(planWith({steps[0], before}))), early));
}

TEST_F(Conditions, OfSeveralLaunchesAreJoinedOnce) {
  LaunchConditions conditions(original);
  std::vector<Step> steps = conditions.choose(early, {now}, {before});
  const ExprPtr other = binary(BinaryOp::Le, n, intLit(100));
  for (const Step& one : conditions.choose(andAlso(early, other), {now, before}, {before}))
    steps.push_back(one);
  EXPECT_EQ(steps.size(), 3u);
  EXPECT_TRUE(equal(conditionOf(*conditions.atStartOf(planWith(steps))), andAlso(early, other)));
}

TEST_F(Conditions, AreAddedToThoseOfThePlan) {
  const PlanPtr plan = onlyWhere(planWith({now}), early);
  const ExprPtr other = binary(BinaryOp::Le, n, intLit(100));
  const PlanPtr both = onlyWhere(plan, other);
  EXPECT_TRUE(equal(conditionOf(*both), andAlso(early, other)));
  EXPECT_TRUE(isLaunchOf(*onlyStep<ChoiceStep>(*both)->then, now.kernel));
  EXPECT_EQ(onlyWhere(both, early), both) << "tested twice";
}

}  // namespace
}  // namespace hone::passes
