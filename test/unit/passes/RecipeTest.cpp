#include "passes/recipe/Recipe.h"

#include <gtest/gtest.h>

#include "ir/Error.h"
#include "passes/recipe/Registry.h"

using hone::passes::parseRecipe;

namespace {

std::string failure(const std::string& text) {
  try {
    hone::passes::checkRecipe(parseRecipe(text));
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
  EXPECT_EQ(recipe.calls[0].name, "stage");
  EXPECT_EQ(recipe.calls[0].arguments[0].value, "a#1");
  EXPECT_EQ(recipe.calls[1].arguments[1].name, "y");
  EXPECT_EQ(recipe.calls[1].arguments[1].value, "8");
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

TEST(Recipe, UnknownPassesAndParametersNameTheNearest) {
  EXPECT_NE(failure("inlin").find("there is no pass 'inlin'; did you mean 'inline'?"), std::string::npos);
  EXPECT_NE(failure("inline(al=1)").find("'inline' has no parameter 'al'; did you mean 'all'?"),
            std::string::npos);
  EXPECT_NE(failure("inline(f)").find("'inline' takes no 'f'"), std::string::npos);
  EXPECT_EQ(failure("inline"), "");
}

}  // namespace
