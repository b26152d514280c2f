// Kernels from source on old and new targets: the counters must say what is known of them.
#include <gtest/gtest.h>

#include "sim/Accesses.h"
#include "sim/RunKernel.h"
#include "sim/count/CountLines.h"
#include "sim/execute/ScheduleBlocks.h"
#include "sim/model/EstimateRegisters.h"
#include "sim/model/TimeModel.h"

using namespace hone::sim;
using namespace hone::sim::test;
using hone::sim::testing::RunKernel;

namespace {

struct Counted {
  Counters counters;
  KernelCount kernel;
  TimeEstimate time;
};

// Runs a kernel whose arguments are set, and counts.
Counted profile(RunKernel& k, const std::string& targetName, std::array<uint32_t, 3> grid,
                std::array<uint32_t, 3> block, ProfileOptions options = {}) {
  const hone::target::Target& target = shippedTarget(targetName);
  Profiling profiling;
  profiling.target = &target;
  profiling.options = options;
  const auto occupancy = hone::target::occupancyOf(
      target, {block[0] * block[1] * block[2], estimateRegisters(k.program, target), k.program.staticShared});
  profiling.residentBlocks = occupancy.blocks;
  k.options.checkRaces = k.options.checkUninitialized = false;
  k.options.profiling = &profiling;
  k.run(grid, block);
  EXPECT_TRUE(k.result.completed && k.result.findings.empty()) << k.report();
  Counted out;
  out.counters = wholeGrid(profiling.counters);
  out.kernel = countKernel(out.counters, k.program, target);
  out.time = estimateTime(out.counters, k.program, target, occupancy);
  return out;
}

uint64_t floats(RunKernel& k, size_t n, const char* name) { return k.device.memory.allocate(n * 4, name, 4); }

// Blocks in flight and the bytes that they hold.
std::pair<size_t, size_t> inFlight(RunKernel& k, uint32_t threads) {
  const uint64_t out = floats(k, 1 << 20, "out");
  k.args(out, 0);
  k.launch.grid = {4096, 1, 1};
  k.launch.block = {threads, 1, 1};
  const LaunchState launch(k.program, k.launch, k.options, k.device.memory, k.device.textures);
  const size_t blocks = blocksInFlight(launch, 4096, 8, 132);
  return {blocks, blocks * launch.blockBytes()};
}

// All that a machine holds, and no more than there is memory for where a thread has much of its own.
TEST(ProfileKernels, BlocksInFlightAreBounded) {
  RunKernel plain("__global__ void f(float* out, int n) { out[blockIdx.x * blockDim.x + threadIdx.x] = n; }",
                  "f");
  EXPECT_EQ(inFlight(plain, 256).first, 132u * 8);
  RunKernel large(R"(
__global__ void f(float* out, int n) {
  float own[4096];
  for (int i = 0; i < n; ++i) own[i % 4096] = i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = own[n];
})",
                  "f");
  const auto [blocks, bytes] = inFlight(large, 256);
  EXPECT_GE(blocks, 1u);
  EXPECT_LE(bytes, size_t(64) << 20);
  EXPECT_GE(inFlight(large, 1024).first, 1u);
}

// Threads that each walk along a page of their own: whoever has more pages than are kept makes them again in
// every iteration, which is work though it is no instruction.
TEST(ProfileKernels, PagesMadeAgainAreWork) {
  const char* text = R"(
__global__ void f(float* a, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[id * 1024 + i];
  a[id * 1024] = sum;
})";
  const hone::target::Target& target = shippedTarget("h200");
  for (const uint32_t blocks : {16u, 64u}) {
    RunKernel k(text, "f");
    k.args(k.device.memory.allocateElastic("a", 4, [](uint8_t*, uint64_t, uint64_t) {}), 64);
    Profiling profiling;
    profiling.target = &target;
    profiling.options.exact = true;
    profiling.residentBlocks = 8;
    k.options.checkRaces = k.options.checkUninitialized = false;
    k.options.profiling = &profiling;
    k.options.mostWork = 4'000'000;
    k.run({blocks, 1, 1}, {256, 1, 1});
    EXPECT_EQ(k.result.isOverWork, blocks > 32) << blocks;
  }
}

// The access patterns of a matrix product and its like on a GTX 8800, half warps of 16 threads in x.
TEST(ProfileKernels, StrictCoalescing) {
  struct Pattern {
    const char* index;
    int step;
    bool isCoalesced;
    int pitch = 1024;
  };
  const Pattern patterns[] = {
      {"idy * w + i", 1, false},
      {"i * w + idx", 1, true},
      {"i * w + idx", 1, false, 1000},
      {"idx + i", 1, false},
      {"idx + i", 16, true},
      {"idx * w", 1, false},
      {"idy * w", 1, false},
      {"idx", 1, true},
      {"2 * idx", 1, false},
      {"idx + 1", 1, false},
      {"idy * w + i + tidx", 16, true},
  };
  for (const Pattern& p : patterns) {
    SCOPED_TRACE(p.index + std::string(", step ") + std::to_string(p.step) + ", pitch " +
                 std::to_string(p.pitch));
    const std::string text = std::string(R"(
__global__ void k(const float* a, float* out, int w, int step) {
  int tidx = threadIdx.x, idx = blockIdx.x * blockDim.x + threadIdx.x, idy = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < 16 * step; i += step) sum += a[)") +
                             p.index + R"(];
  out[idy * 1024 + idx] = sum;
})";
    RunKernel k(text, "k");
    k.args(floats(k, 1 << 18, "a"), floats(k, 1 << 14, "out"), p.pitch, p.step);
    const Counted c = profile(k, "gtx8800", {2, 2, 1}, {16, 1, 1});
    const MemoryCount& loads = c.kernel.all.loads;
    EXPECT_EQ(loads.groups, 4u * 16);
    EXPECT_EQ(loads.coalesced == loads.groups, p.isCoalesced);
    EXPECT_EQ(c.kernel.all.stores.coalesced, 4u);
    // The segments of the GTX 280 are kinder: the shifted row costs 2 transactions at most, and not 16.
    ProfileOptions strict;
    strict.rules = "strict16";
    RunKernel again(text, "k");
    again.args(floats(again, 1 << 18, "a"), floats(again, 1 << 14, "out"), p.pitch, p.step);
    const MemoryCount byRule = profile(again, "gtx280", {2, 2, 1}, {16, 1, 1}, strict).kernel.all.loads;
    EXPECT_EQ(byRule.coalesced, loads.coalesced);
    EXPECT_EQ(byRule.transactions, loads.transactions);
  }
}

// A 16 by 16 tile in shared memory of a K20; each thread reads its point and its four neighbours and writes
// one.
uint64_t tileWavefronts(const char* type, int pad, bool xIsRow, bool isFlat) {
  const std::string text =
      "#define P (18 + " + std::to_string(pad) + ")\n#define AT(r, c) " +
      (isFlat ? "tile[(r) * P + (c)]" : "tile[r][c]") + "\n__global__ void k(" + type +
      "* out) {\n  __shared__ " + type + (isFlat ? " tile[20 * P];\n" : " tile[18][P];\n") +
      (xIsRow ? "  int r = threadIdx.x + 1, c = threadIdx.y + 1;\n"
              : "  int r = threadIdx.y + 1, c = threadIdx.x + 1;\n") +
      "  AT(r, c) = r; AT(r - 1, c) = r; AT(r + 1, c) = c; AT(r, c - 1) = c; AT(r, c + 1) = c;\n  "
      "__syncthreads();\n" +
      "  " + type + " v = AT(r, c) + AT(r - 1, c) + AT(r + 1, c) + AT(r, c - 1) + AT(r, c + 1);\n" +
      "  __syncthreads();\n  AT(r, c) = v;\n  out[threadIdx.y * 16 + threadIdx.x] = v;\n}";
  RunKernel k(text, "k");
  k.args(k.device.memory.allocate(256 * 8, "out", 8));
  return profile(k, "k20", {1, 1, 1}, {16, 16, 1}).kernel.all.loads.wavefronts;
}

TEST(ProfileKernels, BankConflictsOfPaddedTilesOnK20) {
  for (const char* type : {"int", "double"}) {
    SCOPED_TRACE(type);
    // 18 elements a row (16 and a halo) collide like 16 do when x runs along rows' starts; one more takes
    // most of it away.
    const uint64_t bad = tileWavefronts(type, -2, true, true), padded = tileWavefronts(type, -1, true, true);
    const uint64_t good = tileWavefronts(type, -2, false, true),
                   goodPadded = tileWavefronts(type, -1, false, true);
    EXPECT_GE(bad, 2 * padded);
    EXPECT_LE(good, padded);  // mapping x to the elements of a row does as much
    EXPECT_LE(goodPadded, padded);
    for (int pad : {0, 1})
      for (bool xIsRow : {false, true})
        EXPECT_EQ(tileWavefronts(type, pad, xIsRow, true), tileWavefronts(type, pad, xIsRow, false))
            << "layout does not matter";
  }
}

// One thread a row, 16 rows a block: what neighbouring blocks ask for at the same time lies 16 rows apart.
double camping(const std::string& target, int width) {
  RunKernel k(R"(
__global__ void rows(const float* a, float* sums, int w, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[row * w + i];
  sums[row] = sum;
})",
              "rows");
  k.args(floats(k, size_t(1024) * size_t(width), "a"), floats(k, 1024, "sums"), width, 32);
  const MemoryCount m = profile(k, target, {64, 1, 1}, {16, 1, 1}).kernel.all.loads;
  return double(m.partitionBusiest) / double(m.partitionEven);
}

TEST(ProfileKernels, PartitionCamping) {
  EXPECT_GT(camping("gtx280", 4096), 7);
  EXPECT_LE(camping("gtx8800", 4096), 2);
  EXPECT_GT(camping("gtx280", 3072), 7);
  EXPECT_GT(camping("gtx8800", 3072), 5);
}

// Rotating the loop by a partition's width for each block takes the camping away.
TEST(ProfileKernels, RotationEndsCamping) {
  RunKernel k(R"(
__global__ void rows(const float* a, float* sums, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 32; i++) sum += a[row * w + (i + 64 * blockIdx.x) % w];
  sums[row] = sum;
})",
              "rows");
  k.args(floats(k, 1024 * 4096, "a"), floats(k, 1024, "sums"), 4096);
  const MemoryCount m = profile(k, "gtx280", {64, 1, 1}, {16, 1, 1}).kernel.all.loads;
  EXPECT_LT(double(m.partitionBusiest) / double(m.partitionEven), 2);
}

TEST(ProfileKernels, DivergenceIsSeenByLine) {
  RunKernel k(
      "__global__ void k(float* x) {\n  if (threadIdx.x % 4 == 0)\n    x[threadIdx.x] = "
      "sqrtf(x[threadIdx.x]);\n}",
      "k");
  k.args(floats(k, 256, "x"));
  const Counted c = profile(k, "h200", {1, 1, 1}, {256, 1, 1});
  const auto lines = countLines(c.counters, k.program, shippedTarget("h200"));
  bool found = false;
  for (const LineCount& line : lines) {
    if (line.line != 3) continue;
    found = true;
    EXPECT_EQ(line.loads.requests, 8u);
    EXPECT_EQ(line.loads.lanes, 64u);
    EXPECT_EQ(line.loads.sectors, 32u);  // eight lanes on four sectors
    EXPECT_EQ(line.lanes * 4, line.warps * warpLanes);
  }
  EXPECT_TRUE(found);
}

TEST(ProfileKernels, LocalArraysAreInterleaved) {
  RunKernel k(
      "__global__ void k(float* x, int n) {\n  float a[16];\n  for (int i = 0; i < 16; i++) a[(i * n) % 16] "
      "= i;\n"
      "  x[threadIdx.x] = a[(threadIdx.x * n) % 16];\n}",
      "k");
  k.args(floats(k, 32, "x"), 3);
  const Counted c = profile(k, "h200", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(c.kernel.all.stores.localRequests, 16u);
  // Lanes that use the same element lie side by side: four sectors a store.
  EXPECT_EQ(c.kernel.all.stores.sectors, 16u * 4 + 4);
  EXPECT_EQ(c.kernel.all.loads.localRequests, 1u);
  EXPECT_GT(c.kernel.all.loads.sectors, 4u);
}

TEST(ProfileKernels, SamplesAgreeWithAllBlocks) {
  const char* text = R"(
__global__ void blur(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
})";
  auto count = [&](bool exact) {
    RunKernel k(text, "blur");
    k.args(floats(k, 1 << 20, "in"), floats(k, 1 << 20, "out"), 1024, 1024);
    ProfileOptions options;
    options.exact = exact;
    options.sampleBlocks = 512;
    return profile(k, "h200", {32, 128, 1}, {32, 8, 1}, options).kernel.all;
  };
  const LineCount all = count(true), some = count(false);
  auto near = [](uint64_t a, uint64_t b, double bound) {
    return std::abs(double(a) - double(b)) <= bound * double(b);
  };
  EXPECT_TRUE(near(some.loads.sectors, all.loads.sectors, 0.03))
      << some.loads.sectors << " " << all.loads.sectors;
  EXPECT_TRUE(near(some.stores.sectors, all.stores.sectors, 0.03));
  EXPECT_TRUE(near(some.loads.l2Sectors, all.loads.l2Sectors, 0.10))
      << some.loads.l2Sectors << " " << all.loads.l2Sectors;
}

Limiter limiterOf(const char* text, std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block, int n) {
  RunKernel k(text, "k");
  k.args(floats(k, 1 << 24, "x"), floats(k, 1 << 24, "y"), n);
  return profile(k, "h200", grid, block).time.limiter;
}

// Between two iterations no lane is active: the limit is told wherever it falls.
TEST(ProfileKernels, theStepLimitIsToldWhereverItFalls) {
  RunKernel k(R"(__global__ void k(float* x, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < i; ++j) sum += x[j];
    x[i] = sum;
  }
})",
              "k");
  const uint64_t x = k.array(std::vector<float>(64), "x");
  k.args(x, 64);
  k.options.checkRaces = false;
  for (uint64_t limit = 900; limit < 960; ++limit) {
    Profiling counts;  // warps take turns of a few instructions
    counts.target = &shippedTarget("h200");
    k.options.profiling = &counts;
    k.options.stepLimit = limit;
    k.run(1, 32);
    EXPECT_FALSE(k.result.completed);
    ASSERT_EQ(k.result.findings.size(), 1u) << limit;
    EXPECT_EQ(k.result.findings[0].kind, FindingKind::StepLimit);
  }
}

TEST(TimeModel, NamesTheLimiter) {
  EXPECT_EQ(limiterOf("__global__ void k(const float4* x, float4* y, int n) {\n"
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i];\n}",
                      {4096, 1, 1}, {1024, 1, 1}, 0),
            Limiter::Dram);
  EXPECT_EQ(limiterOf("__global__ void k(const float* x, float* y, int n) {\n  __shared__ float t[32 * 32];\n"
                      "  float s = 0;\n  for (int i = 0; i < n; i++) s += t[threadIdx.x * 32 + i % 32];\n  "
                      "y[blockIdx.x * 32 + threadIdx.x] = s;\n}",
                      {4224, 1, 1}, {32, 1, 1}, 64),
            Limiter::SharedMemory);
  EXPECT_EQ(limiterOf("__global__ void k(const float* x, float* y, int n) {\n  float a = threadIdx.x, b = 1, "
                      "c = 2, d = 3;\n"
                      "  for (int i = 0; i < n; i++) { a = a * 1.5f + 1; b = b * 1.5f + 1; c = c * 1.5f + 1; "
                      "d = d * 1.5f + 1; }\n"
                      "  y[blockIdx.x * 256 + threadIdx.x] = a + b + c + d;\n}",
                      {1056, 1, 1}, {256, 1, 1}, 64),
            Limiter::Issue);
  EXPECT_EQ(
      limiterOf("__global__ void k(const float* x, float* y, int n) {\n  float s = 0;\n"
                "  for (int i = 0; i < n; i++) s += x[i * 1024 + threadIdx.x];\n  y[threadIdx.x] = s;\n}",
                {1, 1, 1}, {256, 1, 1}, 256),
      Limiter::TooFewBlocks);
  // Shared memory lets four warps on a multiprocessor, and each waits for one load after another.
  EXPECT_EQ(
      limiterOf(
          "__global__ void k(const float* x, float* y, int n) {\n  __shared__ float t[12000];\n"
          "  t[threadIdx.x] = 0;\n  float s = 0;\n"
          "  for (int i = 0; i < n; i++) s += x[(i * 4096 + blockIdx.x * 32 + threadIdx.x) & 0xffffff];\n"
          "  y[blockIdx.x * 32 + threadIdx.x] = s + t[threadIdx.x];\n}",
          {528, 1, 1}, {32, 1, 1}, 64),
      Limiter::Latency);
  EXPECT_EQ(limiterOf("__global__ void k(const float* x, float* y, int n) { atomicAdd((int*)y, 1); }",
                      {4096, 1, 1}, {256, 1, 1}, 0),
            Limiter::Atomics);
}

TEST(TimeModel, MoreWorkTakesLonger) {
  auto seconds = [](uint32_t blocks) {
    RunKernel k(
        "__global__ void k(const float* x, float* y, int n) {\n  int i = blockIdx.x * blockDim.x + "
        "threadIdx.x;\n"
        "  y[i] = x[i] + n;\n}",
        "k");
    k.args(floats(k, 1 << 24, "x"), floats(k, 1 << 24, "y"), 1);
    return profile(k, "h200", {blocks, 1, 1}, {256, 1, 1}).time.seconds;
  };
  EXPECT_LT(seconds(1024), seconds(8192));
  EXPECT_LT(seconds(8192) * 4, seconds(65536));
}

// What one block takes, without the launch.
double secondsOf(const std::string& body) {
  RunKernel k(
      "__global__ void k(const float* x, float* y, int n, int one) {\n  __shared__ float t[256];\n  int i = "
      "threadIdx.x;\n" +
          body + "\n}",
      "k");
  k.args(floats(k, 1 << 20, "x"), floats(k, 1 << 20, "y"), 64, 1);
  return profile(k, "h200", {1, 1, 1}, {256, 1, 1}).time.seconds - shippedTarget("h200").launchUs * 1e-6;
}

TEST(TimeModel, LoadsDoNotMoveOverJumps) {
  const double straight =
      secondsOf("float s = x[i] + x[i + 4096] + x[i + 8192] + x[i + 12288];\n  y[i] = s;");
  const double predicated = secondsOf(
      "float s = x[i];\n  if (one) s += x[i + 4096];\n  if (one < 2) s += x[i + 8192];\n  if (one < 3) s += "
      "x[i + 12288];\n  y[i] = s;");
  const double jumping = secondsOf(
      "float s = x[i];\n  if (one) s += x[i + 4096]; else s -= x[i + 300];\n  if (one < 2) s += x[i + 8192]; "
      "else s -= x[i + 600];\n"
      "  if (one < 3) s += x[i + 12288]; else s -= x[i + 900];\n  y[i] = s;");
  EXPECT_LT(predicated, straight * 1.2);
  EXPECT_GT(jumping, straight * 1.6);
}

TEST(TimeModel, AllWaitAtABarrierForWhatOneWarpLoads) {
  const double all = secondsOf("t[i] = x[i];\n  __syncthreads();\n  y[i] = x[i + 4096] + t[i ^ 1];");
  const double one =
      secondsOf("if (i < 32) t[i] = x[i];\n  __syncthreads();\n  y[i] = x[i + 4096] + t[i & 31];");
  const double none = secondsOf("y[i] = x[i + 4096] + i;");
  EXPECT_GT(one, none + (all - none) * 0.7);
}

TEST(TimeModel, RemaindersFollowFromQuotients) {
  const std::string iteration = "int s = 0;\n  for (int j = 1; j < n * 16; j++) s += ";
  const double both = secondsOf(iteration + "(i + j) / (one + j) + (i + j) % (one + j);\n  y[i] = s;");
  const double quotient = secondsOf(iteration + "(i + j) / (one + j);\n  y[i] = s;");
  const double known = secondsOf(iteration + "(i + j) / 8;\n  y[i] = s;");
  EXPECT_LT(both, quotient * 1.4);
  EXPECT_LT(known, quotient * 0.7);
}

}  // namespace
