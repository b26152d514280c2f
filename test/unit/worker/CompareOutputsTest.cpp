#include "worker/CompareOutputs.h"

#include <gtest/gtest.h>

namespace hone::worker {
namespace {

OutputComparison compared(const std::string& before, const std::string& after) {
  return compareOutputs({before, before}, {after, after}, 1e-6);
}

TEST(CompareOutputs, TimesAreLeftOut) {
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"Average kernel time: 92.1 usec.\n", "Average kernel time: 45.3 usec.\n"},
           {"Total kernel execution time 34.5466 (ms)\n", "Total kernel execution time 4.5 (ms)\n"},
           {"elapsed time=3.8e+06 GDOF/s=0.70\n", "elapsed time=1.2e+06 GDOF/s=1.40\n"},
           {"took 12 ms\n", "took 3 ms\n"},
           {"21590.66 GB/sec (1349.42 billion)\n", "31590.66 GB/sec (1349.42 billion)\n"}}) {
    const OutputComparison out = compared(before, after);
    EXPECT_TRUE(out.isSame) << out.difference;
    EXPECT_EQ(out.withTimes, 1u) << before;
  }
}

TEST(CompareOutputs, ALineOfTimesAloneComparesNothing) {
  EXPECT_EQ(compared("time 3 ms\n", "time 4 ms\n").compared, 0u);
}

TEST(CompareOutputs, WhatStandsBesideATimeIsCompared) {
  EXPECT_FALSE(compared("t=0.5 s energy 3.14\n", "t=0.5 s energy 99\n").isSame);
  EXPECT_FALSE(compared("energy at time 5: 3.14\n", "energy at time 5: 99.0\n").isSame);
  EXPECT_FALSE(compared("throughput 5 residual 1e-6\n", "throughput 7 residual 12\n").isSame);
  EXPECT_FALSE(compared("PASS in 3 ms\n", "FAIL in 3 ms\n").isSame);
  EXPECT_TRUE(compared("throughput 5 residual 1e-6\n", "throughput 7 residual 1e-6\n").isSame);
}

TEST(CompareOutputs, WhatTheOriginalChangesItselfIsLeftOut) {
  const OutputComparison out = compareOutputs({"a 1\nb 2\n", "a 1\nb 3\n"}, {"a 1\nb 9\n"}, 1e-6);
  EXPECT_TRUE(out.isSame);
  EXPECT_EQ(out.unsteady, 1u);
  EXPECT_EQ(out.compared, 1u);
}

TEST(CompareOutputs, WordsOfLinesThatVaryAreCompared) {
  EXPECT_FALSE(compareOutputs({"sum 1.5 PASS\n", "sum 1.7 PASS\n"}, {"sum 1.6 FAIL\n"}, 1e-6).isSame);
  EXPECT_FALSE(compareOutputs({"sum 1.5\n", "sum 1.7\n"}, {"sum -nan\n"}, 1e-6).isSame);
  EXPECT_TRUE(compareOutputs({"first a\n", "first b\n"}, {"first c\n"}, 1e-6).isSame);
}

TEST(CompareOutputs, DeviationsWithinTheToleranceAreTheSame) {
  EXPECT_TRUE(compared("Relative difference: 9.5e-08\n", "Relative difference: 2.3e-08\n").isSame);
  EXPECT_FALSE(compared("Relative difference: 9.5e-08\n", "Relative difference: 2.3e-02\n").isSame);
  EXPECT_FALSE(compared("mass 9.5e-08\n", "mass 2.3e-08\n").isSame);
  EXPECT_FALSE(compared("error 1e-9, mass 9.5e-08\n", "error 1e-9, mass 2.3e-08\n").isSame);
}

TEST(CompareOutputs, NumbersThatAreNoTimesAreCompared) {
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"took 3.2 seconds, checksum = 77\n", "took 3.2 seconds, checksum = 99\n"},
           {"Bandwidth: 12.0 GB/s, checksum 77\n", "Bandwidth: 12.0 GB/s, checksum 88\n"},
           {"123.4 GFLOPS checksum 17\n", "123.4 GFLOPS checksum 88\n"},
           {"converged after 12 steps\n", "converged after 50 steps\n"},
           {"3 groups\n", "4 groups\n"},
           {"velocity 3.5 m/s\n", "velocity 4.5 m/s\n"},
           {"perfect matches: 12\n", "perfect matches: 13\n"},
           {"timestep 10: ok\n", "timestep 11: ok\n"},
           {"clockwise 1\n", "clockwise 2\n"},
           {"dofs: 300\n", "dofs: 301\n"},
           {"3 secondary nodes\n", "4 secondary nodes\n"},
           {"x=4 s=2\n", "x=5 s=2\n"},
           {"speedup ok, result 77\n", "speedup ok, result 78\n"},
           {"time for all the large sparse matrices in the set 77\n",
            "time for all the large sparse matrices in the set 78\n"},
           {"hash 12e4567\n", "hash 12e4568\n"},
           {"9007199254740993\n", "9007199254740992\n"},
           {"diffusion 0.0000001\n", "diffusion 0.0000009\n"},
           {"ab c\n", "a bc\n"}})
    EXPECT_FALSE(compared(before, after).isSame) << before;
}

TEST(CompareOutputs, TimesInManyWordings) {
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"Average kernel execution time: 12.5 (us)\n", "Average kernel execution time: 2.5 (us)\n"},
           {"Average execution time of Relu_impl2 Kernel: 12.5 (us)\n",
            "Average execution time of Relu_impl2 Kernel: 9.5 (us)\n"},
           {"kernel_time 12\n", "kernel_time 13\n"},
           {"Elapsed time         =       0.01 (s)\n", "Elapsed time         =      10.01 (s)\n"},
           {"Total Time (s)      : 0.0224408\n", "Total Time (s)      : 0.018\n"},
           {"12.5ms\n", "3ms\n"},
           {"size(GB):2.00, average time(sec):1.5, BW:1.33\n",
            "size(GB):2.00, average time(sec):0.5, BW:4\n"},
           {"t = 12.5 usec/iter\n", "t = 13.5 usec/iter\n"},
           {"9.1 GB/s\n", "19.1 GB/s\n"},
           {"n     5\n", "n 5\n"}})
    EXPECT_TRUE(compared(before, after).isSame) << before;
}

TEST(CompareOutputs, OneNumberThatVariesHidesNoOther) {
  EXPECT_FALSE(
      compareOutputs({"pid 1 result 5.0\n", "pid 2 result 5.0\n"}, {"pid 3 result 9.0\n"}, 1e-6).isSame);
  EXPECT_TRUE(
      compareOutputs({"pid 1 result 5.0\n", "pid 2 result 5.0\n"}, {"pid 3 result 5.0\n"}, 1e-6).isSame);
}

TEST(CompareOutputs, WholeNumbersAreNotRounded) {
  EXPECT_FALSE(compared("count 100000000\n", "count 100000001\n").isSame);
  EXPECT_TRUE(compared("sum 100000000.0\n", "sum 100000001.0\n").isSame);
  EXPECT_TRUE(compared("sum 3\n", "sum 3.0000001\n").isSame);
}

}  // namespace
}  // namespace hone::worker
