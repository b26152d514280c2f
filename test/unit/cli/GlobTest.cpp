#include "cli/inputs/Glob.h"

#include <gtest/gtest.h>

namespace hone::cli {
namespace {

TEST(Glob, StarsStayInTheirFolder) {
  EXPECT_TRUE(globMatches("src/*.cu", "src/a.cu"));
  EXPECT_FALSE(globMatches("src/*.cu", "src/b/a.cu"));
  EXPECT_TRUE(globMatches("src/**.cu", "src/b/a.cu"));
  EXPECT_TRUE(globMatches("**/a.cu", "a.cu"));
  EXPECT_TRUE(globMatches("**/a.cu", "x/y/a.cu"));
  EXPECT_TRUE(globMatches("src/**/a.cu", "src/a.cu"));
  EXPECT_FALSE(globMatches("src/**/a.cu", "srcs/a.cu"));
  EXPECT_TRUE(globMatches("third_party/", "third_party/x/y.cu"));
  EXPECT_FALSE(globMatches("third_party/", "third_parties.cu"));
}

TEST(Glob, LettersAndSets) {
  EXPECT_TRUE(globMatches("k?.cu", "k1.cu"));
  EXPECT_FALSE(globMatches("k?.cu", "k/.cu"));
  EXPECT_TRUE(globMatches("k[0-3a].cu", "k2.cu"));
  EXPECT_TRUE(globMatches("k[0-3a].cu", "ka.cu"));
  EXPECT_FALSE(globMatches("k[0-3a].cu", "k4.cu"));
  EXPECT_TRUE(globMatches("k[!0-3].cu", "k4.cu"));
  EXPECT_FALSE(globMatches("debug", "debug_sum"));
  EXPECT_TRUE(globMatches("debug_*", "debug_"));
}

TEST(Glob, SaysWhatIsWrong) {
  EXPECT_EQ(globProblem("src/*.cu"), "");
  EXPECT_EQ(globProblem("k[]].cu"), "");
  EXPECT_EQ(globProblem(""), "it is empty");
  EXPECT_EQ(globProblem("k[1.cu"), "a `[` has no `]`");
  EXPECT_EQ(globProblem("*a*a*a*a*a*a*a*a*a"), "it has more than eight `*`");
}

}  // namespace
}  // namespace hone::cli
