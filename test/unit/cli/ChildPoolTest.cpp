#include "cli/programs/ChildPool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <stdexcept>

using hone::cli::ChildPool;
using hone::cli::ChildResult;

namespace {

TEST(ChildPool, ReturnsLargeResultsOfManyItems) {
  ChildPool pool{4, 60};
  std::map<size_t, ChildResult> results;
  pool.run(
      20, [](size_t i) { return std::string(i * 50000, static_cast<char>('a' + i)); },
      [&](size_t i, ChildResult result) { results[i] = std::move(result); });
  ASSERT_EQ(results.size(), 20u);
  for (const auto& [i, result] : results) {
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.output, std::string(i * 50000, static_cast<char>('a' + i)));
  }
}

TEST(ChildPool, CrashesHangsAndExceptionsCostOneItem) {
  ChildPool pool{3, 0.4};
  std::map<size_t, ChildResult> results;
  auto work = [](size_t i) -> std::string {
    if (i == 0) ::raise(SIGKILL);
    if (i == 1) ::sleep(30);
    if (i == 2) throw std::runtime_error("no");
    return "fine";
  };
  pool.run(4, work, [&](size_t i, ChildResult result) { results[i] = std::move(result); });
  EXPECT_NE(results[0].problem.find("crashed (signal 9"), std::string::npos) << results[0].problem;
  EXPECT_EQ(results[1].problem, "took longer than 0.4 s");
  EXPECT_NE(results[2].problem, "");
  EXPECT_EQ(results[3].output, "fine");
}

TEST(ChildPool, ProcessorSecondsEndWorkAndWaitingDoesNot) {
  ChildPool pool{2, 60};
  pool.processorSeconds = 1;
  std::map<size_t, ChildResult> results;
  auto work = [](size_t i) -> std::string {
    if (i == 1) ::usleep(1500000);
    for (volatile bool busy = i == 0; busy;) {}
    return "fine";
  };
  pool.run(2, work, [&](size_t i, ChildResult result) { results[i] = std::move(result); });
  EXPECT_EQ(results[0].problem, "took all of its 1 s of processors");
  EXPECT_EQ(results[1].output, "fine");
}

}  // namespace
