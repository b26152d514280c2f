#include "analysis/Facts.h"

#include "affine/ModelOf.h"

namespace hone::analysis {

TEST(FactsCache, keepsAnswersByKernelAndBlock) {
  target::Target machine;
  machine.coalescing = target::CoalescingRule::Sectors;
  FactsCache cache(machine, 2);
  const char* const text = "__global__ void k(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
  const ir::KernelPtr first = affine::kernelOf(text), second = affine::kernelOf(text);
  Facts& wide = cache.of(first, {64, 1, 1});
  EXPECT_EQ(&cache.of(first, {64, 1, 1}), &wide);
  EXPECT_EQ(wide.model().block[0], 64u);
  EXPECT_NE(&cache.of(first, {32, 1, 1}), &wide);
  // The third entry pushes out the least recently used one, which is the first block's.
  EXPECT_EQ(cache.of(second, {64, 1, 1}).kernel(), second);
  EXPECT_EQ(cache.of(first, {32, 1, 1}).model().block[0], 32u);
  EXPECT_EQ(cache.of(first, {64, 1, 1}).model().block[0], 64u);
}

TEST(FactsCache, readiesAKernelOnce) {
  FactsCache cache(target::Target{}, 2);
  const ir::KernelPtr kernel = affine::kernelOf("__global__ void k(float* a) { a[0] = 1; }");
  const auto copy = [](const ir::KernelPtr& k) -> ir::KernelPtr { return std::make_shared<ir::Kernel>(*k); };
  const ir::KernelPtr once = cache.readied(kernel, copy);
  EXPECT_NE(once, kernel);
  EXPECT_EQ(cache.readied(kernel, copy), once);
  const auto same = [](const ir::KernelPtr& k) { return k; };
  EXPECT_EQ(cache.readied(once, same), once);
}

TEST(Facts, answersAreWorkedOutOnce) {
  target::Target machine;
  machine.coalescing = target::CoalescingRule::Sectors;
  Facts facts(affine::kernelOf("__global__ void k(float* a) { a[32 * threadIdx.x] = 1; }"), {32, 1, 1},
              machine);
  const Coalescing& strided = facts.coalescing(affine::AccessId(0));
  EXPECT_EQ(strided.verdict, CoalescingVerdict::Strided);
  EXPECT_EQ(&facts.coalescing(affine::AccessId(0)), &strided);
}

}  // namespace hone::analysis
