// Divergence and reconvergence, loops, switches, calls: results against the same code run one thread at a
// time on the host.
#include "sim/RunKernel.h"

namespace hone::sim::testing {
namespace {

std::vector<int> sequence(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(i);
  return v;
}

std::vector<int> runInts(const std::string& body, uint32_t grid, uint32_t block, int n,
                         std::string* report = nullptr) {
  RunKernel k(
      "__device__ int twice(int x) { if (x > 5) return x * 2; return -x; }\n"
      "__global__ void k(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; " +
          body + " }",
      "k");
  const uint64_t a = k.array(sequence(n), "a");
  k.args(a, n);
  k.run(grid, block);
  EXPECT_TRUE(k.result.completed) << k.report();
  if (report)
    *report = k.report();
  else
    EXPECT_EQ(k.report(), "");
  return k.read<int>(a, size_t(n));
}

template <class F>
std::vector<int> expected(int n, F&& f) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(f(i));
  return v;
}

TEST(ControlFlow, ifElseNested) {
  EXPECT_EQ(runInts("if (i < n) { if (i % 3 == 0) { if (i & 1) a[i] = 1; else a[i] = 2; } else if (i % 3 == "
                    "1) a[i] = 3; a[i] += 10; }",
                    3, 64, 150),
            expected(150, [](int i) {
              int v = i;
              if (i % 3 == 0)
                v = i & 1 ? 1 : 2;
              else if (i % 3 == 1)
                v = 3;
              return v + 10;
            }));
}

TEST(ControlFlow, loopsWithBreakAndContinue) {
  EXPECT_EQ(runInts("int s = 0; for (int j = 0; j < i; ++j) { if (j % 4 == 1) continue; if (j > 20) break; "
                    "for (int m = 0; m < 3; ++m) { if (m == j % 3) break; s += j; } } a[i] = s;",
                    2, 48, 96),
            expected(96, [](int i) {
              int s = 0;
              for (int j = 0; j < i; ++j) {
                if (j % 4 == 1) continue;
                if (j > 20) break;
                for (int m = 0; m < 3; ++m) {
                  if (m == j % 3) break;
                  s += j;
                }
              }
              return s;
            }));
}

TEST(ControlFlow, doWhileAndWhile) {
  EXPECT_EQ(runInts("int x = i, c = 0; do { x = x & 1 ? 3 * x + 1 : x / 2; ++c; } while (x > 1); while (c > "
                    "7) c -= 7; a[i] = c;",
                    1, 64, 64),
            expected(64, [](int i) {
              int x = i, c = 0;
              do {
                x = x & 1 ? 3 * x + 1 : x / 2;
                ++c;
              } while (x > 1);
              while (c > 7) c -= 7;
              return c;
            }));
}

TEST(ControlFlow, switchFallsThrough) {
  EXPECT_EQ(runInts("int r = 0; for (int j = 0; j < 2; ++j) switch (i % 6) { case 0: r += 1; case 1: r += "
                    "10; break; default: r += 1000; case 3: case 4: r += 100; if (j == 1) break; if (i & 1) "
                    "continue; r += 7; } a[i] = r;",
                    1, 96, 96),
            expected(96, [](int i) {
              int r = 0;
              for (int j = 0; j < 2; ++j) switch (i % 6) {
                  case 0: r += 1; [[fallthrough]];
                  case 1: r += 10; break;
                  default: r += 1000; [[fallthrough]];
                  case 3:
                  case 4:
                    r += 100;
                    if (j == 1) break;
                    if (i & 1) continue;
                    r += 7;
                }
              return r;
            }));
}

TEST(ControlFlow, earlyReturnAndCalls) {
  EXPECT_EQ(runInts("if (i == 7) return; int v = twice(i % 11) + twice(i & 7); for (int j = 0; ; ++j) { if "
                    "(j == i % 5) { a[i] = v + j; return; } }",
                    1, 64, 64),
            expected(64, [](int i) {
              const auto t = [](int x) { return x > 5 ? x * 2 : -x; };
              return i == 7 ? 7 : t(i % 11) + t(i & 7) + i % 5;
            }));
}

TEST(ControlFlow, logicIsShortCircuit) {
  // Only lanes below n may read a[i]: the others would run over its end.
  EXPECT_EQ(runInts("int ok = i < n && a[i] > 3 || i == 2; int v = i < n ? a[n - 1 - i] : 0; "
                    "__syncthreads(); if (i < n) a[i] = ok ? v : -1;",
                    1, 32, 10),
            (std::vector<int>{-1, -1, 7, -1, 5, 4, 3, 2, 1, 0}));
}

TEST(ControlFlow, spinLockWithinAWarp) {
  RunKernel k(R"(__device__ int lock = 0;
__global__ void k(volatile int* total, int n) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      *total = *total + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
})",
              "k");
  const uint64_t total = k.array(std::vector<int>{0}, "total");
  k.args(total, 1);
  k.run(3, 70);
  EXPECT_TRUE(k.result.completed) << k.report();
  EXPECT_EQ(k.read<int>(total, 1)[0], 210);
}

TEST(ControlFlow, lanesWaitForLanesThatLeftTheLoop) {
  RunKernel k(R"(__global__ void k(int* lock, int* total) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  *total += 1;
  __threadfence();
  atomicExch(lock, 0);
})",
              "k");
  const uint64_t lock = k.array(std::vector<int>{0}, "lock"), total = k.array(std::vector<int>{0}, "total");
  k.args(lock, total);
  k.run(2, 64);
  EXPECT_TRUE(k.result.completed) << k.report();
  EXPECT_EQ(k.read<int>(total, 1)[0], 128);
}

TEST(ControlFlow, blocksWaitForLaterBlocks) {
  RunKernel k(R"(__global__ void k(volatile int* flag, int* out) {
  if (blockIdx.x == 0) { while (*flag == 0) { } out[0] = 5; }
  else { __threadfence(); *flag = 1; }
})",
              "k");
  const uint64_t flag = k.array(std::vector<int>{0}, "flag"), out = k.array(std::vector<int>{0}, "out");
  k.args(flag, out);
  k.run(2, 1);
  EXPECT_TRUE(k.result.completed) << k.report();
  EXPECT_EQ(k.read<int>(out, 1)[0], 5);
}

TEST(ControlFlow, endlessLoopMeetsTheStepLimit) {
  RunKernel k("__global__ void k(int* a) { int i = 0;\n while (i >= 0) { i = i & 7; }\n a[0] = i; }", "k");
  const uint64_t a = k.array(std::vector<int>{0}, "a");
  k.args(a);
  k.options.stepLimit = 100000;
  k.run(1, 32);
  EXPECT_FALSE(k.result.completed);
  ASSERT_EQ(k.result.findings.size(), 1u) << k.report();
  EXPECT_EQ(k.result.findings[0].kind, FindingKind::StepLimit);
  EXPECT_EQ(k.result.findings[0].party.line, 2u);
}

// Lanes that are accessed one by one take longer than rows; how much a run takes is the same in every run,
// and a limit on it ends the launch as a whole, without a finding.
TEST(ControlFlow, workIsCountedAndLimited) {
  RunKernel k(R"(__global__ void k(int* a, int stride, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; ++j) a[i * stride] += j;
})",
              "k");
  const uint64_t a = k.array(std::vector<int>(256 * 17), "a");
  const auto workOf = [&](int stride) {
    k.args(a, stride, 100);
    k.run(4, 64);
    EXPECT_TRUE(k.result.completed) << k.report();
    EXPECT_GE(k.result.work, k.result.warpInstructions);
    return k.result.work;
  };
  const uint64_t rows = workOf(1), scattered = workOf(17), instructions = k.result.warpInstructions;
  EXPECT_EQ(rows, workOf(1));
  EXPECT_EQ(scattered, workOf(17));
  EXPECT_GE(scattered, rows + 8 * 100 * 2 * 4);  // of 8 warps 100 times two accesses, four units each
  EXPECT_EQ(rows, instructions);
  k.options.mostWork = scattered;
  workOf(17);
  k.options.mostWork = scattered - 1;
  k.run(4, 64);
  EXPECT_FALSE(k.result.completed);
  EXPECT_TRUE(k.result.isOverWork);
  EXPECT_EQ(k.report(), "");
}

// An array without an end grows with what is touched; a limit on that ends the launch, and what it counts as
// work is the same in every run.
TEST(ControlFlow, bytesOfEndlessArraysAreLimited) {
  RunKernel k(R"(__global__ void k(int* a, long long n) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  for (long long j = 0; j < n; ++j) a[i + j * 1024] += 1;
})",
              "k");
  const uint64_t a = k.device.memory.allocateElastic("a", 4, [](uint8_t*, uint64_t, uint64_t) {});
  k.options.mostBytesMade = 8 << 20;
  k.args(a, 1000LL);  // 4 MB
  k.run(4, 64);
  EXPECT_TRUE(k.result.completed) << k.report();
  k.args(a, 100'000LL);
  for (int again = 0; again < 2; ++again) {
    k.run(4, 64);
    EXPECT_FALSE(k.result.completed);
    EXPECT_TRUE(k.result.isOverWork);
    EXPECT_EQ(k.report(), "");
    EXPECT_EQ(k.result.work, k.options.mostBytesMade / 128);
  }
}

TEST(ControlFlow, gridBarrierOrdersBlocks) {
  RunKernel k(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* a, int* b, int n) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank();
  a[i] = i * i;
  grid.sync();
  b[i] = a[n - 1 - i];
})",
              "k");
  const uint64_t a = k.array(std::vector<int>(256), "a"), b = k.array(std::vector<int>(256), "b");
  k.args(a, b, 256);
  k.run(4, 64);
  EXPECT_TRUE(k.result.completed);
  EXPECT_EQ(k.report(), "");
  EXPECT_EQ(k.read<int>(b, 256)[0], 255 * 255);
}

}  // namespace
}  // namespace hone::sim::testing
