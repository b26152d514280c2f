// Walks over plans: which steps, in which order, and what is made of them.
#include "ir/PlanWalk.h"

#include <gtest/gtest.h>

#include "ir/Compare.h"
#include "ir/HostIteration.h"

namespace hone::ir {
namespace {

KernelPtr kernelNamed(const std::string& name) {
  auto kernel = std::make_shared<Kernel>();
  kernel->name = name;
  kernel->body = block({});
  return kernel;
}

LaunchStep launchNamed(const std::string& name) {
  return std::get<LaunchStep>(originalPlan(kernelNamed(name))->steps[0]);
}

class PlanWalk : public ::testing::Test {
 protected:
  KernelPtr original = kernelNamed("original");

  // a; if (…) { b; for (…) c; } else { d; } e;
  PlanPtr plan =
      planOf(original,
             {launchNamed("a"),
              ChoiceStep{boolLit(true),
                         planOf(original, {launchNamed("b"), LoopStep{nullptr, nullptr, nullptr, nullptr,
                                                                      planOf(original, {launchNamed("c")})}}),
                         planOf(original, {launchNamed("d")})},
              launchNamed("e")});

  static std::string names(const Plan& of, Branches branches) {
    std::string all;
    for (const LaunchStep* launch : launchesOf(of, branches)) all += launch->kernel->name;
    return all;
  }
};

TEST_F(PlanWalk, LaunchesStandInOrder) {
  EXPECT_EQ(names(*plan, Branches::Fast), "abce");
  EXPECT_EQ(names(*plan, Branches::All), "abcde");
}

TEST_F(PlanWalk, ChoicesAndLoopsComeBeforeWhatTheyHold) {
  std::string kinds;
  walkSteps(*plan, Branches::All, [&](const Step& step) { kinds += "LBCF"[step.index()]; });
  EXPECT_EQ(kinds, "LCLFLLL");
  kinds.clear();
  walkSteps(*plan, Branches::Fast, [&](const Step& step) { kinds += "LBCF"[step.index()]; });
  EXPECT_EQ(kinds, "LCLFLL");
}

TEST_F(PlanWalk, MapsTheBranchesThatAreMeant) {
  auto renamed = [](LaunchStep launch) -> Step {
    launch.kernel = kernelNamed(launch.kernel->name + launch.kernel->name);
    return launch;
  };
  EXPECT_EQ(names(*mapLaunches(plan, renamed), Branches::All), "aabbccdee");
  EXPECT_EQ(names(*mapLaunches(plan, renamed, Branches::All), Branches::All), "aabbccddee");
  EXPECT_EQ(names(*plan, Branches::All), "abcde") << "the plan itself changed";
}

TEST_F(PlanWalk, LaunchesBecomeAnyNumberOfSteps) {
  const PlanPtr made = expandLaunches(plan, [](const LaunchStep& launch) -> std::vector<Step> {
    if (launch.kernel->name == "b") return {};
    return {launch, launchNamed("x")};
  });
  EXPECT_EQ(names(*made, Branches::All), "axcxdex");
  EXPECT_EQ(made->original, original);
}

TEST_F(PlanWalk, KeepsHowManyIterationsAPlanDoes) {
  auto several = std::make_shared<Plan>(*plan);
  several->iterations = 3;
  EXPECT_EQ(mapLaunches(several, [](const LaunchStep& launch) -> Step { return launch; })->iterations, 3u);
}

TEST_F(PlanWalk, OnlyStepsOfAPlan) {
  const PlanPtr one = planOf(original, {launchNamed("a")}), none = planOf(original, {});
  EXPECT_TRUE(onlyStep<LaunchStep>(*one));
  EXPECT_FALSE(onlyStep<ChoiceStep>(*one));
  EXPECT_FALSE(onlyStep<LaunchStep>(*none));
  EXPECT_FALSE(onlyStep<LaunchStep>(*plan));
  EXPECT_TRUE(isLaunchOf(*originalPlan(original), original));
  EXPECT_FALSE(isLaunchOf(*one, original));
  EXPECT_FALSE(isLaunchOf(*none, original));
}

TEST_F(PlanWalk, IterationsOfTheLongestWay) {
  auto with = [&](unsigned iterations) {
    auto part = std::make_shared<Plan>(*planOf(original, {launchNamed("a")}));
    part->iterations = iterations;
    return PlanPtr(part);
  };
  EXPECT_EQ(mostIterations(*plan), 0u);
  EXPECT_FALSE(doesIterations(*with(1)));
  const PlanPtr choice = planOf(original, {ChoiceStep{boolLit(true), with(2), with(4)}});
  EXPECT_EQ(mostIterations(*choice), 4u);
  EXPECT_TRUE(doesIterations(*choice));
  // What a loop of launches holds counts too.
  const PlanPtr loop = planOf(original, {LoopStep{nullptr, nullptr, nullptr, nullptr, with(5)}});
  EXPECT_EQ(mostIterations(*loop), 5u);
  EXPECT_TRUE(doesIterations(*loop));
}

}  // namespace
}  // namespace hone::ir
