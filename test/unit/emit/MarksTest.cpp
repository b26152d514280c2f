#include "emit/Marks.h"

#include <gtest/gtest.h>

#include <random>

using namespace hone::emit;

namespace {

std::string reverted(const std::string& text) {
  FoundMarks found = findMarks(text);
  EXPECT_TRUE(found.edited.empty()) << text;
  return withoutBlocks(text, found.blocks);
}

MarkSite siteWith(const std::string& newline, bool lineEnds = true) {
  MarkSite site;
  site.newline = newline;
  site.indent = "  ";
  site.lineEnds = lineEnds;
  return site;
}

// Text with a body replaced, as a rewritten file has it.
std::string replaced(const std::string& head, const std::string& original, const std::string& tail,
                     const MarkSite& site) {
  return head + "{" + markedBody("k", "  fast();", original, site) + "}" + tail;
}

void replaceOne(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

}  // namespace

TEST(Marks, InsertionsGoAsTheyCame) {
  for (const std::string newline : {"\n", "\r\n"})
    for (const std::string tail : {"", "\nint x;\n", "\r\nint x;\r\n", " int x;"}) {
      const std::string before = "void k() {}",
                        block = markedInsertion("ns::k<int, 4>", "void k_launch();",
                                                siteWith(newline, !tail.starts_with(' ')));
      EXPECT_EQ(reverted(before + block + tail), before + tail);
      // Two at one place, and one more further on.
      EXPECT_EQ(reverted(before + block + block + tail + "\ny" + block), before + tail + "\ny");
      FoundMarks found = findMarks(before + block + tail);
      ASSERT_EQ(found.blocks.size(), 1u);
      EXPECT_EQ(found.blocks[0].kernel, "ns::k<int, 4>");
    }
}

TEST(Marks, BodiesGoAsTheyCame) {
  for (const std::string newline : {"\n", "\r\n"})
    for (const std::string original :
         {"", " ", " one(); ", "\n  one();\n", "\r\n  one();\r\n", " // comment\n  one();\n",
          " /* a\n */ one();", "\n", "\n\n", "\n  one();\n  ", "one(); \\\n", " \\\n one();\n",
          "\n  one(); // \\\n two\n",
          " // ?"
          "?/\n one();\n",
          "\n#pragma unroll\n  for (;;)\n    one();\n"}) {
      const std::string text = replaced("void k() ", original, "", siteWith(newline));
      EXPECT_EQ(reverted(text), "void k() {" + original + "}") << text;
    }
}

// Directives keep their lines whatever the original ends or begins with.
TEST(Marks, DirectivesOfABodyStandAlone) {
  const std::string text = replaced("void k() ", " one(); ", "", siteWith("\n"));
  EXPECT_NE(text.find("\n#ifndef HONE_OFF\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#else\n one(); \n#endif\n"), std::string::npos) << text;
  const std::string comment = replaced("void k() ", " // why\n  one();\n", "", siteWith("\n"));
  EXPECT_NE(comment.find("\n#else // why\n  one();\n#endif\n"), std::string::npos) << comment;
}

TEST(Marks, RandomLaunchesGoAsTheyCame) {
  std::mt19937 random(7);
  const std::string letters = "*/\\?\r\n \"'ab(),";
  for (int i = 0; i < 20000; ++i) {
    std::string original = "k";
    for (unsigned n = random() % 12; n > 0; --n) original += letters[random() % letters.size()];
    original += ")";
    MarkSite site = siteWith(random() % 2 ? "\n" : "\r\n");
    site.ownLine = random() % 2;
    const std::string head = site.ownLine ? "{\n  " : "{ f(", tail = site.ownLine ? ";\n}\n" : "); }\n";
    const std::string text = head + markedCall("k_launch(1, (2), a)", original, site) + tail;
    ASSERT_EQ(reverted(text), head + original + tail) << text;
    // What a comment holds must not end it.
    const size_t open = text.find("/* hone: was "), close = text.find("*/");
    if (open != std::string::npos && open == head.size()) ASSERT_EQ(text.substr(close, 5), "*/ k_") << text;
  }
}

TEST(Marks, LaunchesReadWell) {
  MarkSite site = siteWith("\n");
  site.ownLine = true;
  EXPECT_EQ(markedCall("k_launch(1, 2, 0, 0, a)", "k<<<1, 2>>>(\n      a)", site).substr(25),
            ": k<<<1, 2>>>(\n  //       a)\n  k_launch(1, 2, 0, 0, a)");
}

TEST(Marks, EditsAroundSurvive) {
  MarkSite site = siteWith("\n");
  site.ownLine = true;
  const std::string block = markedInsertion("k", "void k_launch();", site),
                    call = markedCall("k_launch(1)", "k<<<1>>>()", site);
  std::string text =
      "a\n{" + markedBody("k", "  fast();", "\n  slow();\n", site) + "}" + block + "\nb\n  " + call + ";\n";
  replaceOne(text, "a\n", "A\nA2\n");
  replaceOne(text, "\nb\n", "\nB\n\n\n");
  EXPECT_EQ(reverted(text), "A\nA2\n{\n  slow();\n}\nB\n\n\n  k<<<1>>>();\n");
  // The blank line before a block, and lines before and behind one inside the braces.
  replaceOne(text, "}\n\n  // hone: begin, beside", "}\n// mine\n  // hone: begin, beside");
  replaceOne(text, "{\n  // hone: begin, in", "{\n  int first;\n  // hone: begin, in");
  EXPECT_EQ(reverted(text), "A\nA2\n{\n  int first;\n  slow();\n}\n// mine\nB\n\n\n  k<<<1>>>();\n");
}

TEST(Marks, EditsInsideAreSeen) {
  MarkSite site = siteWith("\n");
  site.ownLine = true;
  const std::string whole = "a\n{" + markedBody("k", "  fast();", "\n  slow();\n", site) + "}" +
                            markedInsertion("k", "void k_launch();", site) + "\nb\n  " +
                            markedCall("k_launch(1)", "k<<<1>>>()", site) + ";\n";
  EXPECT_TRUE(findMarks(whole).edited.empty());
  const std::vector<std::tuple<std::string, std::string, unsigned>> edits = {
      {"fast();", "fast() ;", 3},   {"slow();", "slow(2);", 3},         {"ifndef", "ifdef", 3},
      {"#else", "# else", 3},       {"void k_l", "void j_l", 12},       {"beside k", "beside j", 12},
      {"k<<<1>>>", "k<<<2>>>", 16}, {"k_launch(1)", "k_launch(2)", 16}, {"  // hone: end", "  // end", 3}};
  for (const auto& [from, to, line] : edits) {
    std::string text = whole;
    replaceOne(text, from, to);
    const FoundMarks found = findMarks(text);
    ASSERT_FALSE(found.edited.empty()) << text;
    EXPECT_EQ(found.edited[0], line) << text;
  }
}

// Version control may turn the ends of all lines.
TEST(Marks, OtherLineEndsAreNoEdit) {
  std::string text = "{" + markedBody("k", "  fast();", "\n  slow();\n", siteWith("\n")) + "}\n", other;
  for (char c : text) other += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(reverted(other), "{\r\n  slow();\r\n}\r\n");
}

TEST(Marks, OrdinaryTextHasNone) {
  const std::string text =
      "// hone: end of story\n/* hone: was here */\n\"// hone: was 12\"\n // hone: wasp\n";
  EXPECT_TRUE(findMarks(text).blocks.empty());
  EXPECT_TRUE(findMarks(text).edited.empty());
}
