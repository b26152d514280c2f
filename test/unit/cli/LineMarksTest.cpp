// Lines of copies: what a compiler sees in each line of the text that nvcc is given.
#include "cli/nvcc/LineMarks.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "emit/Marks.h"

namespace hone::cli {
namespace {

// By line as compilers count: the lines of code with that number, of the branch without HONE_OFF.
std::multimap<unsigned, std::string> numbered(const std::string& text) {
  std::multimap<unsigned, std::string> out;
  std::istringstream lines(text);
  unsigned number = 1;
  bool isOther = false;
  for (std::string line; std::getline(lines, line); ++number) {
    if (line.starts_with("#line ")) {
      EXPECT_NE(line.find(" \"k.cu\""), std::string::npos) << line;
      number = static_cast<unsigned>(std::stoul(line.substr(6))) - 1;
    } else if (line == "#else") {
      isOther = true;
    } else if (line == "#endif") {
      isOther = false;
    } else if (!isOther && line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '#') {
      out.emplace(number, line.substr(line.find_first_not_of(" \t")));
    }
  }
  return out;
}

unsigned lineOfText(const std::multimap<unsigned, std::string>& lines, const std::string& text) {
  for (const auto& [number, line] : lines)
    if (line.find(text) != std::string::npos) return number;
  ADD_FAILURE() << "nowhere: " << text;
  return 0;
}

TEST(LineMarks, LinesOfTheUserKeepTheirNumbersBehindABlock) {
  const std::string added =
      emit::markedInsertion("k", "namespace k_hone {\n//@ 2\nint a = f(1,\n  2);\n}", {});
  const auto lines =
      numbered(withLineMarks("void k() {\n  work();\n}" + added + "\nint after;\n", "k.cu", {{"k", 1}}));
  EXPECT_EQ(lineOfText(lines, "work"), 2U);
  EXPECT_EQ(lineOfText(lines, "namespace"), 1U);
  EXPECT_EQ(lineOfText(lines, "int a = f(1, 2);"), 2U);
  EXPECT_EQ(lineOfText(lines, "int after"), 4U);
}

TEST(LineMarks, ABodyInPlaceHasTheLinesOfItsStatements) {
  emit::MarkSite site;
  const std::string body = emit::markedBody("k", "//@ 3\n#pragma unroll\n  for (;;) {\n//@ 4\n    g();\n  }",
                                            "\n  for (;;)\n    g();\n", site);
  const auto lines = numbered(withLineMarks("//\nvoid k() {" + body + "}\nint after;\n", "k.cu", {{"k", 2}}));
  EXPECT_EQ(lineOfText(lines, "for"), 3U);
  EXPECT_EQ(lineOfText(lines, "g()"), 4U);
  EXPECT_EQ(lineOfText(lines, "int after"), 6U);
}

TEST(LineMarks, ACallHasTheLineOfTheLaunch) {
  emit::MarkSite site;
  site.ownLine = true;
  site.indent = "  ";
  const std::string call = emit::markedCall("k_launch(a,\n    b);", "k<<<1,\n    2>>>(a);", site);
  const auto lines = numbered(withLineMarks("void h() {\n  " + call + "\n  next();\n}\n", "k.cu", {}));
  EXPECT_EQ(lineOfText(lines, "k_launch(a, b);"), 2U);
  EXPECT_EQ(lineOfText(lines, "next()"), 4U);
}

TEST(LineMarks, NamesAreQuoted) {
  EXPECT_TRUE(withLineMarks("", "a\"b\\c.cu", {}).starts_with("#line 1 \"a\\\"b\\\\c.cu\"\n"));
}

}  // namespace
}  // namespace hone::cli
