#include "report/CodeFinding.h"

#include <gtest/gtest.h>

#include "report/Annotations.h"
#include "report/Sarif.h"

namespace hone::report {
namespace {

CodeFinding finding(const char* kernel, unsigned line, const char* message = "m") {
  CodeFinding out;
  out.rule = "race";
  out.file = "/p/src/a b.cu";
  out.line = line;
  out.kernel = kernel;
  out.message = message;
  return out;
}

std::vector<std::string> fingerprints(std::vector<CodeFinding> findings, const std::string& text) {
  findings = inOrder(std::move(findings));
  setFingerprints(findings, "/p", [&](const std::string&) { return text; });
  std::vector<std::string> out;
  for (const CodeFinding& one : findings) out.push_back(one.fingerprint);
  return out;
}

TEST(CodeFinding, FingerprintsStayWhenLinesMove) {
  const auto before = fingerprints({finding("k", 1), finding("k", 2)}, "x = 1;\nx = 1;\n");
  EXPECT_NE(before[0], before[1]);  // alike, and told apart by their order
  EXPECT_EQ(before, fingerprints({finding("k", 3), finding("k", 4)}, "// new\n\n  x = 1;\n\tx  = 1;\n"));
  EXPECT_NE(before, fingerprints({finding("k", 1), finding("k", 2)}, "x = 2;\nx = 2;\n"));
  EXPECT_NE(before, fingerprints({finding("other", 1), finding("other", 2)}, "x = 1;\nx = 1;\n"));
}

TEST(CodeFinding, OneForAllInstantiations) {
  const auto merged = inOrder({finding("k<int>", 4), finding("k<float>", 4), finding("k<float>", 9)});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].message, "m (and in 1 other instantiation of it)");
  EXPECT_EQ(merged[1].message, "m");
}

TEST(CodeFinding, AnnotationsAreEscaped) {
  CodeFinding one = finding("k", 7, "50 % of:\nall, at once");
  one.file = "/p/a,b:c.cu";
  EXPECT_EQ(githubAnnotations({one}, "/p"),
            "::warning file=a%2Cb%3Ac.cu,line=7,title=hone%3A race::50 %25 of:%0Aall, at once\n");
}

TEST(CodeFinding, SarifNamesFilesOutsideOfTheRootByThemselves) {
  CodeFinding outside = finding("k", 7);
  outside.file = "/q/c.cu";
  const std::string text = toSarif({"1", "/p", checkRules(), {finding("k", 7), outside}});
  EXPECT_NE(text.find("\"uri\": \"src/a%20b.cu\",\n"), std::string::npos);
  EXPECT_NE(text.find("\"uri\": \"file:///q/c.cu\"\n"), std::string::npos);
  EXPECT_NE(text.find("\"uri\": \"file:///p/\"\n"), std::string::npos);
}

}  // namespace
}  // namespace hone::report
