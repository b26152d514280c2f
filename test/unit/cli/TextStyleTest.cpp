#include "cli/inputs/TextStyle.h"

#include <gtest/gtest.h>

using hone::cli::detectStyle;

namespace {

TEST(TextStyle, FindsTheIndentation) {
  EXPECT_EQ(detectStyle("void f() {\n  if (x) {\n    y();\n  }\n}\n").indent, 2u);
  EXPECT_EQ(detectStyle("void f() {\n    if (x) {\n        y();\n    }\n}\n").indent, 4u);
  EXPECT_EQ(detectStyle("void f()\n{\n   x();\n}\n").indent, 3u);
  EXPECT_EQ(detectStyle("/**\n * text\n * text\n */\nvoid f() {\n    x();\n}\n").indent, 4u);
  EXPECT_EQ(detectStyle("").indent, 2u);
  // Arguments aligned to a parenthesis are no step.
  EXPECT_EQ(detectStyle("void f(int a,\n       int b) {\n  x();\n}\n").indent, 2u);
}

TEST(TextStyle, FindsTabsAndNewlines) {
  EXPECT_TRUE(detectStyle("void f() {\n\tx();\n}\n").useTabs);
  EXPECT_FALSE(detectStyle("void f() {\n\tx();\n    y();\n    z();\n}\n").useTabs);
  EXPECT_EQ(detectStyle("a\r\nb\r\nc\n").newline, "\r\n");
  EXPECT_EQ(detectStyle("a\r\nb\nc\n").newline, "\n");
}

TEST(TextStyle, KeepsTheLevelOfTheLine) {
  std::string text = "namespace a {\n    void f() {\n        x();\n    }\n}\n";
  auto options =
      hone::cli::emitOptionsAt(text, text.find("void"), detectStyle(text), hone::ir::Language::Cuda);
  EXPECT_EQ(options.indent, 4u);
  EXPECT_EQ(options.baseIndent, 1u);
  EXPECT_EQ(hone::cli::emitOptionsAt(text, 0, detectStyle(text), hone::ir::Language::Cuda).baseIndent, 0u);
  EXPECT_EQ(hone::cli::lineOf(text, text.find("x()")), 3u);
}

}  // namespace
