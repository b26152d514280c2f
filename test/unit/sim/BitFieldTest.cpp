// Bit-fields in memory: a write touches the whole storage unit, and asks nothing of the bits beside its own.
#include "sim/RunKernel.h"

namespace hone::sim::testing {
namespace {

bool races(RunKernel& k) {
  for (const Finding& f : k.result.findings)
    if (f.kind == FindingKind::Race) return true;
  return false;
}

TEST(BitFields, NeighboursOfOneUnitRace) {
  RunKernel k(R"(struct P { unsigned a : 8, b : 8; unsigned : 0; unsigned c : 4; };
__global__ void k(P* p) { if (threadIdx.x == 0) p->a = 1; if (threadIdx.x == 40) p->b = 2; })",
              "k");
  k.args(k.array(std::vector<uint32_t>(2), "p"));
  k.run(1, 64);
  EXPECT_TRUE(races(k)) << k.report();
}

TEST(BitFields, FieldsOfTwoUnitsDoNot) {
  RunKernel k(R"(struct P { unsigned a : 8, b : 8; unsigned : 0; unsigned c : 4; };
__global__ void k(P* p) { if (threadIdx.x == 0) p->a = 1; if (threadIdx.x == 40) p->c = 18; })",
              "k");
  const uint64_t p = k.array(std::vector<uint32_t>{0xffffffff, 0xffffffff}, "p");
  k.args(p);
  k.run(1, 64);
  EXPECT_FALSE(races(k)) << k.report();
  EXPECT_EQ(k.read<uint32_t>(p, 2), (std::vector<uint32_t>{0xffffff01, 0xfffffff2}));
}

// A char in the same word is a place of its own.
TEST(BitFields, MembersBesideDoNot) {
  RunKernel k(R"(struct P { unsigned a : 20; unsigned char d; };
__global__ void k(P* p) { if (threadIdx.x == 0) p->a = 0x12345; if (threadIdx.x == 40) p->d = 7; })",
              "k");
  const uint64_t p = k.array(std::vector<uint32_t>(1), "p");
  k.args(p);
  k.run(1, 64);
  EXPECT_EQ(k.report(), "");
  EXPECT_EQ(k.read<uint32_t>(p, 1)[0], 0x07012345u);
}

TEST(BitFields, BitsBesideNeedNotBeSet) {
  RunKernel k(R"(struct P { unsigned a : 3, b : 5; int c : 7; };
__global__ void k(int* x) {
  __shared__ P tile[64];
  P own[3];
  P lone;
  tile[threadIdx.x].b = threadIdx.x;
  own[x[40]].c = -5;
  lone.a = 6;
  x[threadIdx.x] = tile[threadIdx.x].b + own[x[40]].c + lone.a;
})",
              "k");
  const uint64_t x = k.array(std::vector<int>(64), "x");
  k.args(x);
  k.run(1, 32);
  EXPECT_EQ(k.report(), "");
  EXPECT_EQ(k.read<int>(x, 64)[9], 10);
}

TEST(BitFields, UnsetUnitsAreFound) {
  RunKernel k(R"(struct P { unsigned a : 3, b : 5; };
__global__ void k(int* x) { __shared__ P tile[64]; x[threadIdx.x] = tile[threadIdx.x].b; })",
              "k");
  k.args(k.array(std::vector<int>(64), "x"));
  k.run(1, 32);
  EXPECT_NE(k.report(), "");
}

}  // namespace
}  // namespace hone::sim::testing
