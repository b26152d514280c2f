// hone-worker itself, on the OpenCL device of this machine: what is right is measured, and what is wrong
// costs one variant.
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"

namespace hone::worker {
namespace {

using nlohmann::json;

constexpr unsigned kLength = 1000;

const char* const kSource = R"(
__kernel void twice(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = 2.0f * a[i];
}
__kernel void some(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  if (i < n && i != 517) b[i] = 2.0f * a[i];
}
__kernel void nan_once(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = i == 3 ? sqrt(-1.0f - a[i] * a[i]) : 2.0f * a[i];
}
__kernel void spoils(__global float* a, __global float* b, int n) {
  int i = get_global_id(0);
  if (i < n) { b[i] = 2.0f * a[i]; a[i] = 0.0f; }
}
__kernel void takes(__global const float* a, __global float* b, int n, __local float* t) {
  t[get_local_id(0)] = n;
  b[get_global_id(0)] = t[0];
}
__kernel void forever(__global const float* a, __global volatile float* b, int n) {
  while (b[0] != 1.0e30f + a[0]) b[1] = n;
}
__kernel void wild(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  b[(size_t)i + ((size_t)1 << 44)] = a[i];
}
)";

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    // It lies beside this program.
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    worker = std::make_unique<ChildProcess>(std::vector<std::string>{(folder / "hone-worker").string()});
    const json answer = ask({{"do", "devices"}});
    for (const json& device : answer.at("devices"))
      if (device.at("kind") == "opencl") deviceId = device.at("id");
    if (deviceId.empty()) GTEST_SKIP() << "no OpenCL device here";
    const json opened = ask(json(theCase()));
    ASSERT_EQ(opened.value("case", ""), "c") << opened.dump();
  }

  CaseSpec theCase() const {
    CaseSpec spec;
    spec.id = "c";
    spec.device = deviceId;
    ArraySpec a;
    a.name = "a";
    a.elements = kLength;
    a.elementBytes = 4;
    a.leaves = {{Scalar::F32, 0}};
    a.isWritten = false;
    ArraySpec b = a;
    b.name = "b";
    b.isWritten = true;
    b.fill.kind = FillKind::Poison;
    spec.arrays = {a, b};
    return spec;
  }

  static VariantSpec variantOf(const std::string& kernel) {
    VariantSpec out;
    out.id = kernel;
    out.caseId = "c";
    out.language = "opencl";
    out.source = kSource;
    out.secondsAtMost = 0.1;
    LaunchSpec launch;
    launch.kernel = kernel;
    launch.grid = {32, 1, 1};
    launch.block = {32, 1, 1};
    const int n = kLength;
    std::vector<uint8_t> bytes(4);
    std::memcpy(bytes.data(), &n, 4);
    launch.arguments = {{"a", 0, {}, 0}, {"b", 0, {}, 0}, {"", 0, bytes, 0}};
    out.launches = {launch};
    return out;
  }

  json ask(const json& job) {
    worker->write(job.dump());
    std::string line;
    EXPECT_EQ(worker->read(line, 60), ChildProcess::Read::Line);
    return json::parse(line, nullptr, false);
  }

  Result measured(const VariantSpec& variant) { return resultFrom(ask(json(variant))); }

  Result original() {
    VariantSpec variant = variantOf("twice");
    variant.isReference = true;
    return measured(variant);
  }

  std::unique_ptr<ChildProcess> worker;
  std::string deviceId;
};

TEST_F(WorkerTest, TimesTheOriginalAndAVariant) {
  const Result first = original();
  EXPECT_EQ(first.status, Status::Ok) << first.message;
  EXPECT_GT(first.timing.median, 0);
  EXPECT_GE(first.timing.samples, 7u);
  EXPECT_LE(first.timing.low, first.timing.median);
  EXPECT_GE(first.timing.high, first.timing.median);
  EXPECT_GT(first.timing.sets, 1u)
      << "small arrays are used in turn, so that the cache is not what is measured";
  EXPECT_EQ(measured(variantOf("twice")).status, Status::Ok);
}

TEST_F(WorkerTest, NothingIsMeasuredBeforeTheOriginal) {
  const Result result = measured(variantOf("twice"));
  EXPECT_EQ(result.status, Status::Invalid);
  EXPECT_NE(result.message.find("the original"), std::string::npos);
}

TEST_F(WorkerTest, AnElementThatIsNotWrittenIsFoundAlthoughAnEarlierVariantWroteIt) {
  original();
  EXPECT_EQ(measured(variantOf("twice")).status, Status::Ok);
  const Result result = measured(variantOf("some"));
  EXPECT_EQ(result.status, Status::Wrong);
  EXPECT_NE(result.message.find("b[517]"), std::string::npos) << result.message;
}

TEST_F(WorkerTest, NanNeverPasses) {
  original();
  EXPECT_EQ(measured(variantOf("nan_once")).status, Status::NotANumber);
  VariantSpec asOriginal = variantOf("nan_once");
  asOriginal.isReference = true;
  ask(json(theCase()));
  EXPECT_EQ(measured(asOriginal).status, Status::NotANumber);
}

TEST_F(WorkerTest, AnInputThatIsChangedIsFound) {
  original();
  const Result result = measured(variantOf("spoils"));
  EXPECT_EQ(result.status, Status::Wrong);
  EXPECT_NE(result.message.find("a["), std::string::npos) << result.message;
  EXPECT_EQ(measured(variantOf("twice")).status, Status::Ok) << "what it spoiled is renewed";
}

TEST_F(WorkerTest, AHangCostsOneVariant) {
  original();
  VariantSpec forever = variantOf("forever");
  forever.timeoutSeconds = 1;
  EXPECT_EQ(measured(forever).status, Status::TimedOut);
  EXPECT_EQ(measured(variantOf("twice")).status, Status::Ok);
}

TEST_F(WorkerTest, ACrashCostsOneVariant) {
  original();
  const Result crashed = measured(variantOf("wild"));
  EXPECT_EQ(crashed.status, Status::Faulted) << crashed.message;
  const Result after = measured(variantOf("twice"));
  EXPECT_EQ(after.status, Status::Ok) << after.message;
}

TEST_F(WorkerTest, WhatDoesNotCompileOrFitIsSaid) {
  original();
  VariantSpec broken = variantOf("twice");
  broken.source = "__kernel void twice(__global float* a) { a[0] = nothing; }";
  const Result refused = measured(broken);
  EXPECT_EQ(refused.status, Status::BuildFailed);
  VariantSpec large = variantOf("twice");
  large.launches[0].block = {1u << 20, 1, 1};
  EXPECT_EQ(measured(large).status, Status::LaunchFailed);
  VariantSpec hungry = variantOf("takes");
  hungry.launches[0].arguments.push_back({"", 0, {}, uint64_t(1) << 30});
  EXPECT_EQ(measured(hungry).status, Status::LaunchFailed);
  VariantSpec stranger = variantOf("twice");
  stranger.launches[0].arguments[0].array = "z";
  EXPECT_EQ(measured(stranger).status, Status::Invalid);
  EXPECT_EQ(ask({{"do", "dance"}}).value("status", ""), "invalid");
  EXPECT_EQ(ask(json("text")).value("status", ""), "invalid");
}

TEST_F(WorkerTest, SlowVariantsAreGivenUp) {
  original();
  VariantSpec slow = variantOf("twice");
  slow.giveUpAbove = 1e-6;
  const Result result = measured(slow);
  EXPECT_EQ(result.status, Status::GivenUp);
  EXPECT_EQ(result.timing.samples, 1u);
}

}  // namespace
}  // namespace hone::worker
