#include "device/CapturedCase.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ir/Build.h"

namespace hone::device {
namespace {

using namespace ir;

Kernel kernelOf(const std::vector<std::pair<std::string, TypePtr>>& params) {
  Kernel kernel;
  kernel.name = kernel.qualifiedName = "k";
  for (const auto& [name, type] : params) {
    auto var = std::make_shared<Variable>();
    var->name = name;
    var->type = type;
    var->storage = Storage::Param;
    kernel.params.push_back(var);
  }
  return kernel;
}

capture::CaptureFile captureOf(const std::vector<std::pair<uint32_t, uint32_t>>& parameters,
                               const std::vector<uint8_t>& bytes,
                               const std::vector<capture::RecordedPointer>& pointers) {
  capture::CaptureFile file;
  file.path = "test.capture";
  capture::CapturedLaunch launch;
  launch.kernel = "_Zk";
  launch.grid = {3, 2, 1};
  launch.block = {64, 1, 1};
  launch.parameters = parameters;
  launch.bytes = bytes;
  launch.pointers = pointers;
  launch.launches = 1;
  file.launches.push_back(launch);
  return file;
}

const TypePtr floats = pointerType(floatType(32), Space::Global);

TEST(CapturedCase, NumbersHaveTheirTypes) {
  const Kernel kernel =
      kernelOf({{"n", int32()}, {"u", uint32()}, {"x", floatType(32)}, {"d", floatType(64)}});
  std::vector<uint8_t> bytes(24);
  const int n = -5;
  const unsigned u = 4000000000u;
  const float x = 0.5f;
  const double d = -2.25;
  std::memcpy(&bytes[0], &n, 4);
  std::memcpy(&bytes[4], &u, 4);
  std::memcpy(&bytes[8], &x, 4);
  std::memcpy(&bytes[16], &d, 8);
  const auto found = capturedCases(captureOf({{0, 4}, {4, 4}, {8, 4}, {16, 8}}, bytes, {}), kernel, "_Zk");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->cases.size(), 1u);
  const CapturedCase& c = found->cases[0];
  EXPECT_EQ(c.numbers.at("n").asWhole(), -5);
  EXPECT_EQ(c.numbers.at("u").asWhole(), 4000000000ll);
  EXPECT_EQ(c.numbers.at("x").asReal(), 0.5);
  EXPECT_EQ(c.numbers.at("d").asReal(), -2.25);
  EXPECT_EQ(c.grid[1], 2u);
}

// Of one work in several blocks the best block is what a change has to beat; other work is none of it.
TEST(CapturedCase, TheFastestOfSeveralBlocksComesFirst) {
  const Kernel kernel = kernelOf({{"n", int32()}});
  capture::CaptureFile file = captureOf({{0, 4}}, {100, 0, 0, 0}, {});
  file.launches.front().microseconds = 900;
  const auto add = [&](uint8_t n, uint32_t threads, double each, uint64_t launches) {
    capture::CapturedLaunch other = file.launches.front();
    other.bytes = {n, 0, 0, 0};
    other.block = {threads, 1, 1};
    other.microseconds = each * double(launches);
    other.launches = launches;
    file.launches.push_back(other);
  };
  add(100, 128, 20, 40);
  add(100, 32, 30, 20);
  add(50, 256, 1, 10);
  file.recordedBy = "cupti";
  const auto found = capturedCases(file, kernel, "_Zk");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->cases.size(), 4u);
  EXPECT_EQ(found->cases.front().block[0], 128u);
  EXPECT_EQ(found->cases[1].block[0], 64u);
  file.recordedBy = "hone run";
  EXPECT_EQ(capturedCases(file, kernel, "_Zk")->cases.front().block[0], 64u)
      << "of a clock that is too coarse";
}

TEST(CapturedCase, ArraysAreCutOrOverlap) {
  const Kernel kernel = kernelOf({{"a", floats}, {"b", floats}, {"c", floats}, {"d", floats}});
  // a and b are cut from one allocation, c begins an element behind a, d is a's own place again.
  const auto found = capturedCases(
      captureOf({{0, 8}, {8, 8}, {16, 8}, {24, 8}}, std::vector<uint8_t>(32),
                {{0, 4096, 4096, 0}, {8, 4096, 4096, 1024}, {16, 4096, 4096, 4}, {24, 4096, 4096, 0}}),
      kernel, "_Zk");
  ASSERT_TRUE(found);
  const CapturedCase& c = found->cases.at(0);
  EXPECT_EQ(c.lengths.at("a"), 256u);
  EXPECT_EQ(c.lengths.at("b"), 768u);
  EXPECT_FALSE(c.aliases.contains("a"));
  EXPECT_FALSE(c.aliases.contains("b"));
  EXPECT_EQ(c.aliases.at("c"), std::pair(std::string("a"), int64_t{1}));
  EXPECT_EQ(c.aliases.at("d"), std::pair(std::string("a"), int64_t{0}));
}

TEST(CapturedCase, AnotherVersionOfTheSourceIsNotUsed) {
  const Kernel kernel = kernelOf({{"n", int64()}});
  const auto found = capturedCases(captureOf({{0, 4}}, std::vector<uint8_t>(4), {}), kernel, "_Zk");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->cases.empty());
  EXPECT_NE(found->problem.find("another version"), std::string::npos);
  EXPECT_FALSE(capturedCases(captureOf({{0, 4}}, std::vector<uint8_t>(4), {}), kernel, "_Zother"));
}

TEST(CapturedCase, NamesThatCompilersDisagreeOnAreThoseOfTheSource) {
  capture::CaptureFile file;
  for (const char* name :
       {"_Z14timedReductionPKfPfPl", "_Z12block_strideIdLi0EEvjjPT_", "_Z3addPf", "_Z3addPd"}) {
    file.launches.emplace_back();
    file.launches.back().kernel = name;
  }
  EXPECT_EQ(capturedName(file, "_ZL14timedReductionPKfPfPl", "timedReduction"), "_Z14timedReductionPKfPfPl");
  EXPECT_EQ(capturedName(file, "_Zother", "block_stride<double, 0>"), "_Z12block_strideIdLi0EEvjjPT_");
  EXPECT_EQ(capturedName(file, "_Z3addPd", "add"), "_Z3addPd");
  EXPECT_EQ(capturedName(file, "_ZL3addPi", "add"), "");  // one of two, or neither
  EXPECT_EQ(capturedName(file, "_Z4scale", "scale"), "");
}

}  // namespace
}  // namespace hone::device
