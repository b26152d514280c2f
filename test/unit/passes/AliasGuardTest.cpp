// Which arrays a guard tests before the launch, and where these tests draw the line.
#include "passes/host/AliasGuard.h"

#include "HostNumbers.h"
#include "ir/Build.h"

namespace hone::passes {
namespace {

using namespace ir;

class AliasGuards : public ::testing::Test {
 protected:
  std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  const target::Target& machine = target::findTarget(targets, "h200");
  analysis::FactsCache facts{machine};
  PassContext context{machine, facts};

  // A guard of a launch, with short ways to ask it by names of arrays.
  struct Guarded : ModelledLaunch {
    Guarded(const std::string& source, const PassContext& context, bool isOpenCL = false)
        : ModelledLaunch(source, {64, 1, 1}, isOpenCL), guard(launch, model, context) {}
    AliasGuard guard;
    bool separate(const std::string& a, const std::string& b) {
      return isKept(guard.requireApart(array(a), array(b)));
    }
    bool keepUnchanged(const std::string& name) { return isKept(guard.requireUnchanged(array(name))); }
    std::string reason;  // for which it refused last

   private:
    bool isKept(const Obstacle& no) {
      if (no) reason = no->reason;
      return !no;
    }
  };
  Guarded guarded(const std::string& parameters, const std::string& body) const {
    return {"__global__ void k(" + parameters + ") {\n  int i = blockIdx.x * 64 + threadIdx.x;\n" + body +
                "\n}\n",
            context};
  }

  // 4 blocks of 64 threads, one element of 4 bytes each: 1024 bytes.
  static HostNumbers at(int64_t a, int64_t c) {
    return {{"a", a},         {"c", c},           {"gridDim.x", 4},  {"gridDim.y", 1},
            {"gridDim.z", 1}, {"blockDim.x", 64}, {"blockDim.y", 1}, {"blockDim.z", 1}};
  }
};

TEST_F(AliasGuards, ArraysThatMayTouchButNotOverlap) {
  Guarded made = guarded("const float* a, float* c", "c[i] = a[i];");
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  const ExprPtr& condition = made.guard.condition();
  ASSERT_TRUE(condition);
  EXPECT_TRUE(sameType(condition->type, boolType()));
  EXPECT_TRUE(holds(condition, at(4096, 4096 + 1024)));
  EXPECT_FALSE(holds(condition, at(4096, 4096 + 1020)));
  EXPECT_FALSE(holds(condition, at(4096, 4096)));
  EXPECT_FALSE(holds(condition, at(4096 + 1020, 4096)));
  EXPECT_TRUE(holds(condition, at(4096 + 1024, 4096)));
  EXPECT_EQ(made.guard.tested(), "`c` and `a`");
  EXPECT_EQ(made.reason, "");
}

TEST_F(AliasGuards, RestrictNeedsNoTest) {
  Guarded made = guarded("const float* __restrict__ a, float* __restrict__ c", "c[i] = a[i];");
  EXPECT_TRUE(made.separate("a", "c"));
  EXPECT_EQ(made.guard.condition(), nullptr);
  EXPECT_EQ(made.guard.tested(), "");
}

TEST_F(AliasGuards, PromisesNeedNoTest) {
  context.assumeNoalias = true;
  Guarded made = guarded("const float* a, float* c", "c[i] = a[i];");
  EXPECT_TRUE(made.separate("a", "c"));
  EXPECT_TRUE(made.keepUnchanged("a"));
  EXPECT_EQ(made.guard.condition(), nullptr);
}

TEST_F(AliasGuards, ArraysThatNobodyWritesMayOverlap) {
  Guarded made = guarded("const float* a, const float* b, float* c", "c[i] = a[i] + b[i];");
  EXPECT_TRUE(made.separate("a", "b"));
  EXPECT_EQ(made.guard.condition(), nullptr);
}

TEST_F(AliasGuards, AnArrayAndItself) {
  Guarded made = guarded("float* c", "c[i] = c[i + 1];");
  EXPECT_TRUE(made.separate("c", "c"));
  EXPECT_EQ(made.guard.condition(), nullptr);
}

TEST_F(AliasGuards, AskedTwiceAndTheOtherWayRound) {
  Guarded made = guarded("const float* a, float* c", "c[i] = a[i];");
  ASSERT_TRUE(made.separate("c", "a"));
  const ExprPtr once = made.guard.condition();
  EXPECT_TRUE(made.separate("a", "c"));
  EXPECT_TRUE(made.separate("c", "a"));
  EXPECT_EQ(made.guard.condition(), once);
  EXPECT_EQ(made.guard.tested(), "`c` and `a`");
}

// Two passes that test one pair write one test, whichever array their kernel names first.
TEST_F(AliasGuards, TestsAreInTheOrderOfNames) {
  Guarded first = guarded("const float* a, float* c", "c[i] = a[i];");
  Guarded second = guarded("float* c, const float* a", "float v = c[i]; c[i] = v + a[i];");
  ASSERT_TRUE(first.separate("a", "c") && second.separate("a", "c"));
  EXPECT_EQ(textOf(first.guard.condition()), textOf(second.guard.condition()));
}

TEST_F(AliasGuards, RangesBeginWhereTheFirstAccessIs) {
  Guarded made = guarded("const float* a, float* c, int n", "c[i] = a[i + n];");
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  HostNumbers numbers = at(4096, 4096);
  numbers["n"] = 256;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["n"] = 255;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
  numbers["n"] = -256;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
}

TEST_F(AliasGuards, ElementsOfTwoSizesCompareAsNumbers) {
  Guarded made = guarded("const double* a, float* c", "c[i] = float(a[i]);");
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  EXPECT_TRUE(holds(made.guard.condition(), at(4096, 4096 + 2048)));
  EXPECT_FALSE(holds(made.guard.condition(), at(4096, 4096 + 2044)));
  EXPECT_TRUE(holds(made.guard.condition(), at(4096 + 1024, 4096)));
  EXPECT_FALSE(holds(made.guard.condition(), at(4096 + 1020, 4096)));
}

TEST_F(AliasGuards, TheBlockThatTheRangesCountIsTested) {
  Guarded made = guarded("const float* a, float* c", "c[i] = a[i];");
  ASSERT_TRUE(made.separate("a", "c"));
  for (const char* extent : {"blockDim.x", "blockDim.y", "blockDim.z"}) {
    HostNumbers numbers = at(4096, 1 << 20);
    numbers[extent] = 32;
    EXPECT_FALSE(holds(made.guard.condition(), numbers)) << extent;
  }
}

TEST_F(AliasGuards, AnyBlockOfAKernelThatTakesAny) {
  Guarded made(
      "__global__ void k(const float* a, float* c) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; c[i] = a[i]; }\n",
      context);
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  HostNumbers numbers = at(4096, 4096 + 1024);
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["blockDim.x"] = 128, numbers["gridDim.x"] = 2;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["gridDim.x"] = 3;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
}

TEST_F(AliasGuards, OnlyAccessesUnderTheBoundCount) {
  Guarded made = guarded("const float* a, float* c, int n", "if (i < n) c[i] = a[i];");
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  HostNumbers numbers = at(4096, 4096 + 400);
  numbers["n"] = 100;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["n"] = 101;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
}

TEST_F(AliasGuards, WhatRangesRelyOnIsTested) {
  Guarded made = guarded("const float* a, float* c, unsigned w", "c[i] = a[i * w];");
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  HostNumbers numbers = at(1ll << 40, 1ll << 20);
  numbers["w"] = 16843009;  // 255 * w is 2^32 - 1
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["w"] = 16843010;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
}

TEST_F(AliasGuards, SeveralPairs) {
  Guarded made = guarded("const float* a, const float* b, float* c", "c[i] = a[i] + b[i];");
  ASSERT_TRUE(made.separate("a", "c") && made.separate("b", "c"));
  HostNumbers numbers = at(4096, 8192);
  numbers["b"] = 16384;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["b"] = 8192 + 4;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
  numbers["b"] = 4096;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  EXPECT_EQ(made.guard.tested(), "`c` and `a`, `c` and `b`");
  // What both pairs rely on is asked once.
  const std::string text = textOf(made.guard.condition());
  EXPECT_EQ(text.find("blockDim.x == 64"), text.rfind("blockDim.x == 64")) << text;
}

TEST_F(AliasGuards, PointersInStructs) {
  Guarded made(
      "struct Arrays { const float* a; float* c; };\n"
      "__global__ void k(Arrays s) { int i = blockIdx.x * 64 + threadIdx.x; s.c[i] = s.a[i]; }\n",
      context);
  ASSERT_TRUE(made.separate("s.a", "s.c")) << made.reason;
  HostNumbers numbers = at(0, 0);
  numbers["s.a"] = 4096, numbers["s.c"] = 4096 + 1024;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["s.c"] -= 4;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
}

TEST_F(AliasGuards, ArgumentsOfTheLaunchStandForParameters) {
  ModelledLaunch made(
      "__global__ void k(const float* a, float* c, int n) {\n"
      "  int i = blockIdx.x * 64 + threadIdx.x; if (i < n) c[i] = a[i]; }\n",
      {64, 1, 1});
  made.launch.args[0] = addressOf(subscript(made.launch.args[0], {intLit(100)}), Space::Global);
  made.launch.args[2] = intLit(50);
  AliasGuard guard(made.launch, made.model, context);
  ASSERT_FALSE(guard.requireApart(made.array("a"), made.array("c")));
  EXPECT_TRUE(holds(guard.condition(), at(4096, 4096 + 600)));
  EXPECT_FALSE(holds(guard.condition(), at(4096, 4096 + 596)));
  EXPECT_TRUE(holds(guard.condition(), at(4096, 4096 + 200)));
  EXPECT_FALSE(holds(guard.condition(), at(4096, 4096 + 204)));
}

TEST_F(AliasGuards, AddressesThatAreNotKnownBeforeTheLaunch) {
  Guarded made = guarded("const float* a, float* c, const int* idx", "c[idx[i]] = a[i];");
  EXPECT_FALSE(made.separate("a", "c"));
  EXPECT_EQ(made.reason,
            "c may alias a (`idx[i]` is loaded from memory); add __restrict__ or pass --assume-noalias");
  EXPECT_EQ(made.guard.condition(), nullptr);
}

TEST_F(AliasGuards, ConditionOfAGuardThatFailedLaterStays) {
  Guarded made =
      guarded("const float* a, float* c, const int* idx, float* d", "c[i] = a[i]; d[idx[i]] = a[i + 1];");
  ASSERT_TRUE(made.separate("a", "c"));
  const ExprPtr before = made.guard.condition();
  EXPECT_FALSE(made.separate("a", "d"));
  EXPECT_EQ(made.guard.condition(), before);
}

TEST_F(AliasGuards, WhatStaysUnchanged) {
  Guarded made = guarded("const float* a, const float* __restrict__ b, float* c, float* d",
                         "c[i] = a[i] + b[i]; d[i] = 0;");
  EXPECT_TRUE(made.keepUnchanged("b"));
  EXPECT_EQ(made.guard.condition(), nullptr);
  ASSERT_TRUE(made.keepUnchanged("a"));
  EXPECT_EQ(made.guard.tested(), "`c` and `a`, `a` and `d`");
  HostNumbers numbers = at(4096, 1 << 20);
  numbers["d"] = 4096 + 1024;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["d"] -= 4;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
}

TEST_F(AliasGuards, WhatTheKernelWritesDoesNotStayUnchanged) {
  Guarded made = guarded("float* c", "c[i] = c[i + 1];");
  EXPECT_FALSE(made.keepUnchanged("c"));
  EXPECT_FALSE(made.reason.empty());
  EXPECT_EQ(made.guard.condition(), nullptr);
}

TEST_F(AliasGuards, GlobalVariablesLieWhereTheHostDoesNotKnow) {
  Guarded made(
      "__device__ float table[4096];\n"
      "__global__ void k(const float* a) { table[threadIdx.x] = a[threadIdx.x]; }\n",
      context);
  EXPECT_FALSE(made.separate("a", "table"));
  EXPECT_NE(made.reason.find("the host does not know where they lie"), std::string::npos) << made.reason;
}

TEST_F(AliasGuards, OffsetOfIdsInOpenCl) {
  Guarded made(
      "__kernel void k(__global const float* a, __global float* c) {\n"
      "  size_t i = get_group_id(0) * 64 + get_local_id(0); c[i] = a[i + get_global_offset(0)]; }\n",
      context, true);
  ASSERT_TRUE(made.separate("a", "c")) << made.reason;
  HostNumbers numbers = at(4096, 4096);
  numbers["globalOffset.x"] = 256;
  EXPECT_TRUE(holds(made.guard.condition(), numbers));
  numbers["globalOffset.x"] = 255;
  EXPECT_FALSE(holds(made.guard.condition(), numbers));
}

}  // namespace
}  // namespace hone::passes
