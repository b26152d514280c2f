#include "device/SizeExpr.h"

#include <gtest/gtest.h>

namespace hone::device {

namespace {

Names known() {
  return {[](const std::string& name) -> std::optional<Number> {
            if (name == "n") return wholeNumber(1000);
            if (name == "p.w") return wholeNumber(7);
            if (name == "f") return realNumber(2.5);
            return std::nullopt;
          },
          {}};
}

int64_t whole(const std::string& text) {
  Evaluated e = evaluate(text, known());
  EXPECT_TRUE(e.value) << text << ": " << e.problem;
  EXPECT_TRUE(!e.value || !e.value->isReal) << text;
  return e.value ? e.value->whole : -999;
}

std::string problem(const std::string& text) {
  Evaluated e = evaluate(text, known());
  EXPECT_FALSE(e.value) << text;
  return e.problem;
}

}  // namespace

TEST(SizeExpr, computesAsCDoes) {
  EXPECT_EQ(whole("(n + 255) / 256"), 4);
  EXPECT_EQ(whole("n % 7 * 2 - -3"), 15);
  EXPECT_EQ(whole("1 << 10 | 1"), 1025);
  EXPECT_EQ(whole("n > 3 && n < 5 ? 1 : 0x10"), 16);
  EXPECT_EQ(whole("p->w * p.w"), 49);
  EXPECT_EQ(whole("min(n, 12u) + max(3, 4UL)"), 16);
  EXPECT_EQ(whole("2 * 16 * sizeof(float) + sizeof(unsigned char)"), 129);
  EXPECT_EQ(whole("(int)ceil((float)n / 16)"), 63);
  EXPECT_EQ(whole("static_cast<size_t>(f)"), 2);
  EXPECT_EQ(whole("-7 / 2"), -3);
  EXPECT_EQ(whole("1 < 2 == 1"), 1);
  EXPECT_EQ(whole("~0 & 6"), 6);
}

TEST(SizeExpr, realsStayReal) {
  Evaluated e = evaluate("f * 2 + 1e-1", known());
  ASSERT_TRUE(e.value);
  EXPECT_TRUE(e.value->isReal);
  EXPECT_DOUBLE_EQ(e.value->real, 5.1);
  EXPECT_FLOAT_EQ(static_cast<float>(evaluate("1.5f", {}).value->real), 1.5F);
}

TEST(SizeExpr, saysWhatIsWrong) {
  EXPECT_EQ(problem("n + q"), "there is no 'q'");
  EXPECT_EQ(problem("n +"), "a number is missing at the end");
  EXPECT_EQ(problem("(n"), "')' is missing at ''");
  EXPECT_EQ(problem("n / (n - n)"), "division by zero");
  EXPECT_EQ(problem("3 4"), "'4' is not understood");
  EXPECT_EQ(problem("12x"), "'12x' is not a number");
  EXPECT_EQ(problem("g(3)"), "there is no function 'g' of 1 arguments");
  EXPECT_EQ(problem(std::string(5000, '(')), "nested too deep");
}

TEST(SizeExpr, splitsAtCommasOutsideOfParentheses) {
  EXPECT_EQ(splitArguments("f(a, b), c , d[1,2]"), (std::vector<std::string>{"f(a, b)", "c", "d[1,2]"}));
  EXPECT_TRUE(splitArguments("  ").empty());
}

}  // namespace hone::device
