// What a thread may do although nobody looks at what it makes of it.
#include "passes/edit/Harmless.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "ir/Walk.h"

namespace hone::passes {
namespace {

// Whether the last assignment of the body is harmless.
bool harmless(const std::string& body, HarmlessRules rules = {}, const std::string& before = "",
              const std::string& unset = "") {
  const ir::KernelPtr kernel = affine::kernelOf(
      before +
      "__global__ void k(const int* a, int n, float f, float4 v) { int r = 0; float g = 0; int q;\n" + body +
      "\n}\n");
  const ir::Assign* last = nullptr;
  std::set<const ir::Variable*> without;
  ir::walkStmts(kernel->body, [&](const ir::Stmt& s) {
    if (const auto* assign = s.as<ir::Assign>()) last = assign;
    if (const auto* d = s.as<ir::Declare>(); d && d->var->name == unset) without.insert(d->var.get());
  });
  rules.unset = &without;
  return last && isHarmless(*last, rules);
}

TEST(Harmless, Arithmetic) {
  EXPECT_TRUE(harmless("r = n * 3 + (int)f;"));
  EXPECT_TRUE(harmless("g += f / g;"));
  EXPECT_TRUE(harmless("g = sqrtf(f);"));
  EXPECT_FALSE(harmless("r = a[n];"));
  EXPECT_FALSE(harmless("r = __ldg(a);"));
}

TEST(Harmless, DivisionOfWholeNumbers) {
  EXPECT_TRUE(harmless("r = n / 3;"));
  EXPECT_TRUE(harmless("r = n % -5;"));
  EXPECT_FALSE(harmless("r = 3 / n;"));
  EXPECT_FALSE(harmless("r = n / -1;"));
  EXPECT_TRUE(harmless("r /= 3;"));
  EXPECT_FALSE(harmless("r /= n;"));
  EXPECT_FALSE(harmless("r %= n;"));
}

TEST(Harmless, VariablesWithoutAValue) {
  EXPECT_FALSE(harmless("r = q + 1;", {}, "", "q"));
  EXPECT_FALSE(harmless("q += 1;", {}, "", "q"));
  EXPECT_TRUE(harmless("q = 1;", {}, "", "q"));
}

TEST(Harmless, LoadsThatAreAllowed) {
  HarmlessRules any;
  any.mayLoad = [](const ir::ExprPtr&) { return true; };
  EXPECT_TRUE(harmless("r = a[n];", any));
  EXPECT_TRUE(harmless("r = a[a[n] / n];", any));  // the answer holds for the subscripts
  EXPECT_FALSE(harmless("r = a[n] / n;", any));
}

TEST(Harmless, FunctionsOfTheUser) {
  HarmlessRules calls;
  calls.mayCall = true;
  const std::string twice = "__device__ int f1(int v) { return 2 * v; }\n";
  EXPECT_TRUE(harmless("r = f1(n);", calls, twice));
  EXPECT_FALSE(harmless("r = f1(n);", {}, twice));
  EXPECT_FALSE(harmless("r = f1(n);", calls, "__device__ int f1(int v) { return 2 / v; }\n"));
  EXPECT_FALSE(
      harmless("r = f1(n);", calls, "__device__ int f1(int v) { while (v > 1) v = v * 3 + 1; return v; }\n"));
}

}  // namespace
}  // namespace hone::passes
