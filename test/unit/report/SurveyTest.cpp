#include "report/Survey.h"

#include <gtest/gtest.h>

#include "report/Table.h"

namespace report = hone::report;

namespace {

report::SurveyKernel kernel(const std::string& name, bool imported, const std::string& reason = "") {
  report::SurveyKernel out;
  out.file = "a.cu";
  out.line = 3;
  out.name = name;
  out.language = "cuda";
  out.imported = imported;
  out.reason = reason;
  return out;
}

TEST(Survey, OneImportIsEnough) {
  report::SurveyResult result;
  report::addKernel(result, kernel("f", false, "left"));
  report::addKernel(result, kernel("f", true));
  report::addKernel(result, kernel("f", false, "left"));
  report::finish(result);
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_TRUE(result.kernels[0].imported);
}

TEST(Survey, NewTextInOneFileIsEnough) {
  report::SurveyResult result;
  auto stays = kernel("f", true);
  stays.textStays = "its definition comes out of a macro";
  report::addKernel(result, stays);
  EXPECT_EQ(report::totals(result).textStays, 1u);
  report::addKernel(result, kernel("f", true));
  report::addKernel(result, stays);
  report::finish(result);
  EXPECT_EQ(report::totals(result).imported, 1u);
  EXPECT_EQ(report::totals(result).textStays, 0u);
}

TEST(Survey, AnInstantiationSpeaksForItsTemplate) {
  report::SurveyResult result;
  auto open = kernel("t", false, "nothing instantiates it");
  open.isUninstantiated = true;
  report::addKernel(result, open);
  auto instance = kernel("t", true);
  instance.templateArgs = {"int"};
  report::addKernel(result, instance);
  report::finish(result);
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_EQ(result.kernels[0].templateArgs.size(), 1u);
}

TEST(Survey, CountsDefinitionsOnceAndReasonsTogether) {
  report::SurveyResult result;
  for (const char* argument : {"int", "float"}) {
    auto instance =
        kernel("t", argument[0] == 'i', argument[0] == 'i' ? "" : "call of 'g', which hone does not know");
    instance.templateArgs = {argument};
    report::addKernel(result, instance);
  }
  report::addKernel(result, kernel("u", false, "call of 'h', which hone does not know"));
  report::finish(result);
  auto totals = report::totals(result);
  EXPECT_EQ(totals.kernels, 3u);
  EXPECT_EQ(totals.imported, 1u);
  EXPECT_EQ(totals.definitions, 2u);
  EXPECT_EQ(totals.definitionsImported, 0u);
  ASSERT_EQ(totals.reasons.size(), 1u);
  EXPECT_EQ(totals.reasons[0].second, 2u);
}

TEST(Survey, GeneralReasonsLeaveNamesOut) {
  EXPECT_EQ(report::generalReason("call of 'f<int>', in `g`"), "call of '…', in `…`");
  EXPECT_EQ(report::generalReason("the kernel's shape isn't known"), "the kernel's shape isn't known");
  EXPECT_EQ(report::generalReason("one line\nand more"), "one line");
}

TEST(Table, AlignsColumns) {
  EXPECT_EQ(report::table({{"name", "count"}, {"a", "1"}, {"longer", "12"}}),
            "name    count\na           1\nlonger     12\n");
  EXPECT_EQ(report::table({{"…", "x"}, {"ab", "y"}}), "…   x\nab  y\n");
  EXPECT_EQ(report::wrap("aa bb cc", 5, 2), "aa bb\n  cc");
}

}  // namespace
