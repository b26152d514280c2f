#include "sim/model/EstimateRegisters.h"

#include <fmt/core.h>

#include "RunKernel.h"

namespace hone::sim {
namespace {

unsigned registersOf(const std::string& body, unsigned besides = 14) {
  const std::string text =
      "__global__ void k(const float* a, float* b, int n) {\n"
      "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n" +
      body + "}\n";
  target::Target target;
  target.compiler.registersBesides = besides;
  return estimateRegisters(compile(*testing::importText(text, "k")), target);
}

const std::string mean =
    "  b[x] = (a[x] + a[x + n] + a[x + 2 * n] + a[x + 3 * n]) * (a[x * 3] + a[x * 5] + a[x * 7] + a[x * "
    "9]);\n";

// What a statement works with is no longer needed behind it.
TEST(EstimateRegisters, StatementsOneAfterTheOtherShareThem) {
  std::string many;
  for (int i = 0; i < 8; ++i) many += mean;
  EXPECT_EQ(registersOf(many), registersOf(mean));
  EXPECT_EQ(registersOf("  if (x < n) {\n" + many + "  } else {\n" + many + "  }\n"), registersOf(mean));
}

std::string declared(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("  float v{} = a[x + {}];\n", i, i);
  return text;
}
std::string stored(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("  b[x + {}] = v{};\n", i, i);
  return text;
}

TEST(EstimateRegisters, ValuesThatAreUsedLaterStay) {
  const unsigned fewest = registersOf(declared(1) + stored(1)), many = registersOf(declared(40) + stored(40));
  EXPECT_GE(many, 40u);
  // Behind a branch, a loop, and a loop that may be left in the middle.
  for (const char* between : {"  if (x > 3) b[x] = 1;\n", "  for (int i = 0; i < n; ++i) b[i] = 2;\n",
                              "  while (true) { if (b[x] > 0) break; b[x] += 1; }\n"})
    EXPECT_GE(registersOf(declared(40) + between + stored(40)), 40u) << between;
  EXPECT_LT(fewest, 40u);
  EXPECT_EQ(many, registersOf(declared(40) + stored(40), 6) + 8);  // half of each address
}

// Each iteration adds to what the one before left, so that all sums are alive all through the loop.
TEST(EstimateRegisters, WhatTheNextIterationNeedsIsAliveAtTheEndOfThisOne) {
  std::string text, sums, ends;
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("  float v{} = 0;\n", i);
    sums += fmt::format("    if (x != {}) v{} += a[i + {}];\n", i, i, i);
    ends += fmt::format("  b[x + {}] = v{};\n", i, i);
  }
  EXPECT_GE(registersOf(text + "  for (int i = 0; i < n; ++i) {\n" + sums + "  }\n" + ends), 40u);
  // A value of the iteration before that nothing behind the loop asks for.
  std::string before, late;
  for (int i = 0; i < 40; ++i) {
    before += fmt::format("    b[x + {}] = v{};\n", i, i);
    late += fmt::format("    v{} = a[i + {}];\n", i, i);
  }
  EXPECT_GE(registersOf(text + "  for (int i = 0; i < n; ++i) {\n" + before + late + "  }\n"), 40u);
}

}  // namespace
}  // namespace hone::sim
