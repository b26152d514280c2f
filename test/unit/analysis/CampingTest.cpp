// Partition camping: which accesses make neighbouring blocks ask one partition of memory.
#include "analysis/Camping.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"

namespace hone::analysis {
namespace {

using namespace affine;

const target::Target& machine(const std::string& name) {
  static const std::vector<target::Target> all = target::loadTargets(target::targetsFolder());
  return target::findTarget(all, name);
}

Camping of(const KernelModel& model, const std::string& handle, const std::string& target,
           std::map<std::string, int64_t> symbols = {}) {
  Launch launch;
  launch.grid = {64, 64, 1};
  launch.symbols = std::move(symbols);
  return camping(model, *model.find(handle), machine(target), launch.symbols.empty() ? nullptr : &launch);
}

const char* const transpose =
    "__global__ void k(const float* a, float* b, int w) {\n"
    "int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "b[x * w + y] = a[y * w + x]; }";

// 16 rows of w floats: 4096 camps on eight partitions and not on six, 3072 on both.
TEST(Camping, RowsOfTheSource) {
  const KernelModel model = modelOf(transpose, {16, 16, 1});
  EXPECT_EQ(of(model, "b#1", "gtx280", {{"w", 4096}}).verdict, CampingVerdict::Yes);
  EXPECT_EQ(of(model, "b#1", "gtx8800", {{"w", 4096}}).verdict, CampingVerdict::No);
  EXPECT_EQ(of(model, "b#1", "gtx280", {{"w", 3072}}).verdict, CampingVerdict::Yes);
  EXPECT_EQ(of(model, "b#1", "gtx8800", {{"w", 3072}}).verdict, CampingVerdict::Yes);
  EXPECT_EQ(of(model, "b#1", "gtx280", {{"w", 3072}}).reached, 1u);
  EXPECT_EQ(of(model, "b#1", "gtx280", {{"w", 4100}}).verdict, CampingVerdict::No);
  EXPECT_EQ(of(model, "a#1", "gtx280", {{"w", 4096}}).verdict, CampingVerdict::No);
}

TEST(Camping, WithoutSizesItDepends) {
  const KernelModel model = modelOf(transpose, {16, 16, 1});
  const Camping camping = of(model, "b#1", "gtx280");
  EXPECT_EQ(camping.verdict, CampingVerdict::DependsOn);
  EXPECT_EQ(camping.reason,
            "blocks lie 64*w bytes apart: camps where that is a multiple of 8 partitions of 256 bytes");
  // Whatever w is, 512 rows of 4 bytes are a multiple of 2048.
  EXPECT_EQ(of(modelOf(transpose, {512, 1, 1}), "b#1", "gtx280").verdict, CampingVerdict::Yes);
}

// 512 threads that stream are 2048 bytes apart from block to block, and each block reaches every partition by
// itself.
TEST(Camping, AStreamDoesNotCamp) {
  const char* const stream = "__global__ void k(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
  const Camping wide = of(modelOf(stream, {512, 1, 1}), "a#1", "gtx280");
  EXPECT_EQ(wide.verdict, CampingVerdict::No);
  EXPECT_EQ(wide.reached, 8u);
  EXPECT_EQ(wide.reason, "one block reaches all 8 partitions at once");
  EXPECT_EQ(of(modelOf(stream, {256, 1, 1}), "a#1", "gtx280").verdict, CampingVerdict::No);
  EXPECT_EQ(of(modelOf(stream, {384, 1, 1}), "a#1", "gtx8800").reached, 6u);
}

TEST(Camping, NothingToCampOn) {
  EXPECT_EQ(of(modelOf(transpose, {16, 16, 1}), "b#1", "h200", {{"w", 4096}}).verdict, CampingVerdict::No);
  const KernelModel broadcast =
      modelOf("__global__ void k(const float* a, float* b) { b[threadIdx.x] = a[threadIdx.x]; }");
  EXPECT_EQ(of(broadcast, "a#1", "gtx280").reason, "neighbouring blocks touch the same");
  const KernelModel loaded =
      modelOf("__global__ void k(const int* a, float* b) { b[a[blockIdx.x] + threadIdx.x] = 1; }");
  EXPECT_EQ(of(loaded, "b#1", "gtx280").verdict, CampingVerdict::Unknown);
}

}  // namespace
}  // namespace hone::analysis
