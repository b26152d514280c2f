#include "tune/DispatchPlan.h"

#include <gtest/gtest.h>

#include "ir/Verify.h"
#include "tune/KernelOnTarget.h"

namespace hone::tune {
namespace {

class DispatchPlanTest : public KernelOnTarget {
 protected:
  DispatchPlanTest() {
    plans.push_back(ir::originalPlan(kernel));
    for (const char* recipe : {"block(x=64)", "block(x=256)"}) {
      const passes::PassResult made =
          passes::applyRecipe(plans.front(), passes::parseRecipe(recipe), context);
      plans.push_back(made.plan);
    }
  }

  static std::unique_ptr<SizeTree> leaf(size_t variant) {
    auto tree = std::make_unique<SizeTree>();
    tree->variant = variant;
    return tree;
  }
  static std::unique_ptr<SizeTree> split(int64_t most, std::unique_ptr<SizeTree> small,
                                         std::unique_ptr<SizeTree> large) {
    auto tree = std::make_unique<SizeTree>();
    tree->test = {{"n"}, most};
    tree->small = std::move(small);
    tree->large = std::move(large);
    return tree;
  }
  static const ir::ChoiceStep& choiceOf(const ir::PlanPtr& plan) {
    return std::get<ir::ChoiceStep>(plan->steps.at(0));
  }
  static const ir::LaunchStep& launchOf(const ir::PlanPtr& plan) {
    return std::get<ir::LaunchStep>(plan->steps.at(0));
  }

  std::vector<ir::PlanPtr> plans;
};

TEST_F(DispatchPlanTest, OneLeafIsItsVariant) {
  const Dispatch made = dispatchPlan(*leaf(1), plans);
  EXPECT_EQ(made.plan, plans[1]);
  EXPECT_TRUE(made.names.empty());
}

TEST_F(DispatchPlanTest, WhatAllClassesNeedIsAskedForOnce) {
  ASSERT_TRUE(plans[1] && plans[2]);
  const Dispatch made = dispatchPlan(*split(1000, leaf(1), leaf(2)), plans);
  EXPECT_TRUE(ir::verify(*made.plan).empty());
  EXPECT_EQ(made.names.at(1), "small");
  EXPECT_EQ(made.names.at(2), "large");
  const ir::ChoiceStep& allowed = choiceOf(made.plan);
  EXPECT_EQ(launchOf(allowed.otherwise).kernel, kernel);
  const ir::ChoiceStep& bySize = choiceOf(allowed.then);
  EXPECT_EQ(launchOf(bySize.then).kernel->name, "small");
  EXPECT_EQ(launchOf(bySize.otherwise).kernel->name, "large");
}

TEST_F(DispatchPlanTest, TheOriginalIsNeverTheOtherSideOfATestOfSizes) {
  const Dispatch made = dispatchPlan(*split(1000, leaf(1), leaf(0)), plans);
  EXPECT_TRUE(ir::verify(*made.plan).empty());
  const ir::ChoiceStep& bySize = choiceOf(made.plan);
  EXPECT_EQ(launchOf(bySize.then).kernel, kernel);
  const auto* test = ir::as<ir::Binary>(bySize.cond);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->op, ir::BinaryOp::Gt);
  // The variant keeps what it asks for.
  EXPECT_EQ(launchOf(choiceOf(bySize.otherwise).otherwise).kernel, kernel);
}

}  // namespace
}  // namespace hone::tune
