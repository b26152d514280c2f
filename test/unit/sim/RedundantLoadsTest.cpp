// Which loads of straight code a compiler makes.
#include <gtest/gtest.h>

#include "sim/RunKernel.h"
#include "sim/model/RedundantLoads.h"

using namespace hone::sim;
using hone::sim::testing::RunKernel;

namespace {

// Loads that are left of a kernel, from one space.
double loadsOf(const std::string& source, MemorySpace space, const std::set<std::string>& aligned = {}) {
  RunKernel k(source, "k");
  const std::vector<double> shares = loadShares(k.program, aligned);
  double left = 0;
  for (size_t pc = 0; pc < shares.size(); ++pc)
    if (k.program.code[pc].op == Op::Load && k.program.code[pc].space == space) left += shares[pc];
  return left;
}

std::string kernel(const std::string& body) {
  return "__global__ void k(const float* a, float* o, int n) { __shared__ float t[1024]; int x = "
         "threadIdx.x; "
         "t[x] = 1; __syncthreads(); " +
         body + " }";
}

TEST(RedundantLoads, TheSameAddressIsLoadedOnce) {
  EXPECT_EQ(loadsOf(kernel("float s = t[x + 1] + t[1 + x] + t[x + 2 - 1]; o[x] = s;"), MemorySpace::Shared),
            1);
  EXPECT_EQ(loadsOf(kernel("float s = a[x * n + 3] + a[3 + x * n]; o[x] = s;"), MemorySpace::Global), 1);
  EXPECT_EQ(loadsOf(kernel("float s = t[x + 1] + t[x + 2]; o[x] = s;"), MemorySpace::Shared), 2);
}

TEST(RedundantLoads, WhatMayHaveChangedIsLoadedAgain) {
  EXPECT_EQ(loadsOf(kernel("float s = t[x + 1]; t[x] = 2; s += t[x + 1]; o[x] = s;"), MemorySpace::Shared),
            2);
  EXPECT_EQ(
      loadsOf(kernel("float s = t[x + 1]; __syncthreads(); s += t[x + 1]; o[x] = s;"), MemorySpace::Shared),
      2);
  EXPECT_EQ(loadsOf(kernel("float s = a[x]; o[x] = s; s += a[x]; o[x + 1] = s;"), MemorySpace::Global), 2);
  EXPECT_EQ(loadsOf(kernel("float s = t[x]; x += 1; s += t[x]; o[x] = s;"), MemorySpace::Shared), 2);
}

TEST(RedundantLoads, WhatABranchLoadsIsNotAtHandBehindIt) {
  EXPECT_EQ(
      loadsOf(kernel("float s = 0; if (n > 3) s = t[x + 1]; s += t[x + 1]; o[x] = s;"), MemorySpace::Shared),
      2);
  EXPECT_EQ(loadsOf(kernel("float s = t[x + 1]; if (n > 3) s *= t[x + 1]; o[x] = s;"), MemorySpace::Shared),
            1);
  EXPECT_EQ(loadsOf(kernel("float s = 0; for (int i = 0; i < n; ++i) s += t[x + i] * t[i + x]; o[x] = s;"),
                    MemorySpace::Shared),
            1);
}

TEST(RedundantLoads, NeighboursComeTogetherWhereArraysAreAligned) {
  const std::string four = kernel("o[x] = t[4 * x] + t[4 * x + 1] + t[4 * x + 2] + t[4 * x + 3];");
  EXPECT_EQ(loadsOf(four, MemorySpace::Shared, {"t"}), 1);
  EXPECT_EQ(loadsOf(four, MemorySpace::Shared), 4);
  EXPECT_EQ(loadsOf(kernel("o[x] = t[4 * x + 1] + t[4 * x + 2];"), MemorySpace::Shared, {"t"}), 2);
  EXPECT_EQ(loadsOf(kernel("o[x] = t[2 * x] + t[2 * x + 1];"), MemorySpace::Shared, {"t"}), 1);
  EXPECT_EQ(loadsOf(kernel("o[x] = t[3 * x] + t[3 * x + 1];"), MemorySpace::Shared, {"t"}), 2);
}

}  // namespace
