#include "passes/recipe/ParseRecipe.h"

#include <gtest/gtest.h>

#include "ir/Error.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeThreads.h"
#include "passes/recipe/Registry.h"
#include "passes/reduce/SplitReduction.h"
#include "passes/shared/StageArrays.h"

using namespace hone::passes;

namespace {

std::string failure(const std::string& text) {
  try {
    parseRecipe(text);
  } catch (const hone::Error& error) {
    EXPECT_EQ(error.status, 2);
    return error.what();
  }
  return "";
}

TEST(Recipe, EmptyIsTheIdentity) {
  EXPECT_TRUE(parseRecipe("").isIdentity());
  EXPECT_TRUE(parseRecipe("  \t").isIdentity());
  EXPECT_EQ(failure(""), "");
}

TEST(Recipe, ReadsPassesWithArguments) {
  auto recipe = parseRecipe("stage(a#1,b)merge-threads( x=8 , y = 8 )  unroll(L1.2) prefetch()");
  ASSERT_EQ(recipe.calls.size(), 4u);
  EXPECT_EQ(recipe.calls[0].pass, &stagePass());
  EXPECT_EQ(stagePass().of(recipe.calls[0]).names, (std::vector<std::string>{"a#1", "b"}));
  EXPECT_EQ(mergeThreadsPass().of(recipe.calls[1]).y, 8);
  EXPECT_EQ(mergeThreadsPass().of(recipe.calls[1]).how, std::nullopt);
  EXPECT_EQ(str(recipe), "stage(a#1, b) merge-threads(x=8, y=8) unroll(L1.2) prefetch");
  EXPECT_EQ(str(parseRecipe(str(recipe))), str(recipe));
}

TEST(Recipe, MistakesShowTheirPlace) {
  EXPECT_EQ(failure("stage(a"), "recipe: expected ',' or ')'\n  stage(a\n         ^");
  EXPECT_EQ(failure("a(x=)"), "recipe: expected a value for 'x'\n  a(x=)\n      ^");
  EXPECT_EQ(failure("  )"), "recipe: expected the name of a pass\n    )\n    ^");
  EXPECT_NE(failure("a(x=1, x=2)").find("'x' is given twice"), std::string::npos);
  EXPECT_NE(failure("8"), "");
}

TEST(Recipe, ArgumentsHaveTheTypesOfTheirParameters) {
  EXPECT_EQ(failure("stage(depth=1)"), "recipe: stage: 'depth' takes a number from 2 on, not '1'");
  EXPECT_EQ(failure("stage(depth=x)"), "recipe: stage: 'depth' takes a number from 2 on, not 'x'");
  EXPECT_EQ(failure("specialize(n=x)"), "recipe: specialize: 'n' takes a number from 0 on, not 'x'");
  EXPECT_EQ(failure("merge-threads(how=strode)"),
            "recipe: merge-threads: 'how' is one of blocks, adjacent, strided, groups, not 'strode'; did you "
            "mean 'strided'?");
  EXPECT_EQ(failure("inline(all=2)"), "recipe: inline: 'all' is one of 0, 1, not '2'; did you mean '0'?");
  EXPECT_EQ(failure("unroll(by=half)"), "recipe: unroll: 'by' is one of a number, full, not 'half'");
  EXPECT_EQ(failure("inline(all=1) unroll(by=full) specialize(n=5, m=0) stage(pad=0)"), "");
}

// What is made of values prints as what is read from text, and reads back as the same values.
TEST(Recipe, IsAValue) {
  const Recipe made{{stagePass()({.names = {"a"}, .depth = 16, .wide = 4}),
                     mergeThreadsPass()({.x = 2, .how = MergedThreads::Groups}),
                     unrollPass()({.by = allIterations}), splitReductionPass()({.over = SplitOver::Warp})}};
  const std::string text =
      "stage(a, depth=16, wide=4) merge-threads(x=2, how=groups) unroll(by=full) "
      "split-reduction(over=warp)";
  EXPECT_EQ(str(made), text);
  EXPECT_EQ(parseRecipe(text), made);
  EXPECT_NE(parseRecipe("stage(a, depth=16)"), Recipe{{made.calls.front()}});
  EXPECT_TRUE(made.has(unrollPass()));
  EXPECT_FALSE(Recipe{}.has(unrollPass()));
  EXPECT_EQ(unrollPass().of(made.calls[2]).by, allIterations);
}

TEST(Recipe, PassesAreListedOnce) {
  for (const Pass* pass : allPasses()) {
    EXPECT_EQ(findPass(pass->name), pass);
    EXPECT_NE(static_cast<bool>(pass->onLaunch), static_cast<bool>(pass->onPlan)) << pass->name;
    EXPECT_EQ(failure(pass->name), "");
  }
}

TEST(Recipe, UnknownPassesAndParametersNameTheNearest) {
  EXPECT_NE(failure("inlin").find("there is no pass 'inlin'; did you mean 'inline'?"), std::string::npos);
  EXPECT_NE(failure("inline(al=1)").find("'inline' has no parameter 'al'; did you mean 'all'?"),
            std::string::npos);
  EXPECT_NE(failure("inline(f)").find("'inline' takes no 'f'"), std::string::npos);
  EXPECT_EQ(failure("inline"), "");
}

}  // namespace
