// What of a kernel ties its threads to each other, and which changes of its launch that forbids.
#include "passes/edit/Cooperation.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {
namespace {

std::string said(const Obstacle& obstacle) { return obstacle ? obstacle->reason : "fine"; }

struct Answers {
  std::string merging = "fine", otherWarps = "fine", otherOrder = "fine", sharing = "fine";
  bool meet = false;
};

void expectAnswers(const ir::Kernel& kernel, const Answers& expected, bool reassociate = false) {
  EXPECT_EQ(said(obstacleToMerging(kernel, reassociate)), expected.merging);
  EXPECT_EQ(said(obstacleToOtherWarps(kernel)), expected.otherWarps);
  EXPECT_EQ(said(obstacleToOtherOrder(kernel, reassociate)), expected.otherOrder);
  EXPECT_EQ(said(obstacleToSharing(kernel, reassociate)), expected.sharing);
  EXPECT_EQ(doThreadsMeet(kernel.body), expected.meet);
}

ir::KernelPtr cooperating(const std::string& body, const std::string& before = "") {
  return affine::kernelOf(
      before + "__global__ void k(float* a, int* b, volatile int* v, int n) { int i = threadIdx.x;\n" + body +
      "\n}\n");
}

const std::string together = "threads of its blocks work together already";
const std::string isVolatile = " is volatile: blocks may wait for each other there";

TEST(Cooperation, NoneAtAll) { expectAnswers(*cooperating("a[i] = b[i];"), {}); }

TEST(Cooperation, Barriers) {
  expectAnswers(*cooperating("__syncthreads(); a[i] = 1;"), {"fine", "fine", "fine", together, true});
  const std::string waits = "threads of a warp wait for each other";
  expectAnswers(*cooperating("__syncwarp(); a[i] = 1;"), {waits, waits, "fine", together, true});
  expectAnswers(*cooperating("int m = __syncthreads_count(i < n); b[i] = m;"),
                {"a barrier counts votes of the block", "fine", "fine", together, true});
}

TEST(Cooperation, Warps) {
  expectAnswers(*cooperating("int m = __shfl_sync(~0u, i, 0); b[i] = m;"),
                {"threads exchange values in groups by shfl_sync",
                 "threads of a warp exchange values by shfl_sync", "fine", together, true});
  expectAnswers(*cooperating("b[i] = i % warpSize;"),
                {"it asks for the size of a warp", "the warp size is used"});
}

// A thread that becomes several asks once for each of them.
TEST(Cooperation, WhereAThreadRuns) {
  expectAnswers(*cooperating("unsigned m = __activemask(); b[i] = m;"),
                {"activemask depends on where or when a thread runs",
                 "activemask depends on where or when a thread runs", "fine",
                 "activemask depends on where or when a thread runs", true});
}

TEST(Cooperation, Fences) {
  const std::string fence = "a memory fence orders what blocks tell each other";
  expectAnswers(*cooperating("a[i] = 1; __threadfence(); b[i] = 1;"),
                {fence, "fine", fence, "it orders its memory with fences"});
  expectAnswers(*cooperating("a[i] = 1; __threadfence_block(); b[i] = 1;"),
                {"fine", "fine", "fine", "it orders its memory with fences"});
}

// At device scope, but of local memory: other blocks do not see that.
TEST(Cooperation, FencesOfSharedMemoryAlone) {
  ir::Kernel kernel = *cooperating("__threadfence(); a[i] = 1;");
  class LocalAlone : public ir::Rewriter {
   protected:
    ir::StmtList mapStmt(const ir::StmtPtr& s) override {
      const auto* fence = s->as<ir::Fence>();
      return {fence ? ir::makeStmt(ir::Fence{fence->scope, true, false}) : s};
    }
  } local;
  kernel.body = local.rewriteBlock(kernel.body);
  expectAnswers(kernel, {"fine", "fine", "fine", "it orders its memory with fences"});
}

TEST(Cooperation, SharedMemory) {
  expectAnswers(*cooperating("__shared__ float t[64]; t[i] = 1; a[i] = t[i];"),
                {"fine", "fine", "fine", together});
  expectAnswers(*cooperating("extern __shared__ float t[]; t[i] = 1; a[i] = t[i];"),
                {"fine", "fine", "fine", together});
}

TEST(Cooperation, VolatileMemory) {
  expectAnswers(*cooperating("a[i] = v[i];"),
                {"it accesses volatile memory", "fine", "v" + isVolatile, "it uses volatile memory"});
  expectAnswers(*cooperating("volatile int m = 3; b[i] = m;"), {"`m` is volatile"});
}

// Named nowhere in the body but where it is used.
TEST(Cooperation, VolatileGlobals) {
  expectAnswers(*cooperating("a[i] = flag;", "__device__ volatile int flag;\n"),
                {"`flag` is volatile", "fine", "flag" + isVolatile, "it uses volatile memory"});
  expectAnswers(*cooperating("a[i] = flags[i];", "__device__ volatile int flags[64];\n"),
                {"`flags` is volatile", "fine", "flags" + isVolatile, "it uses volatile memory"});
}

// Threads of a warp that go in step read there what another one has just written.
TEST(Cooperation, VolatileSharedMemory) {
  expectAnswers(*cooperating("__shared__ volatile float t[64]; t[i] = 1; t[i] += t[i ^ 1]; a[i] = t[i];"),
                {"`t` is volatile", "fine", "fine", together, true});
}

TEST(Cooperation, AtomicsOfWholeNumbers) {
  expectAnswers(*cooperating("atomicAdd(b, 1);"), {});
  expectAnswers(*cooperating("int m = atomicAdd(b, 1); a[m] = 1;"),
                {"fine", "fine", "what an atomic on b returns depends on the order of threads"});
}

TEST(Cooperation, AtomicsOfFloatingPointNumbers) {
  const std::string adds =
      "atomics add floating-point numbers in the order in which threads come; pass --reassociate to permit "
      "another";
  const ir::KernelPtr kernel = cooperating("atomicAdd(a, 1.0f);");
  expectAnswers(
      *kernel,
      {adds, "fine",
       "atomics add to a in the order in which threads come; pass --reassociate to permit another", adds});
  expectAnswers(*kernel, {}, true);
}

// The greatest is the greatest in any order.
TEST(Cooperation, ExtremaOfFloatingPointNumbers) {
  ir::Kernel kernel = *cooperating("atomicAdd(a, 1.0f);");
  class Greatest : public ir::Rewriter {
   protected:
    ir::ExprPtr mapExpr(const ir::ExprPtr& e) override {
      const auto* call = ir::as<ir::Call>(e);
      if (!call) return e;
      ir::Call copy = *call;
      copy.intrinsic = &ir::intrinsic("atomic_fetch_max");
      return ir::makeExpr(e->type, copy, e->loc);
    }
  } greatest;
  kernel.body = greatest.rewriteBlock(kernel.body);
  expectAnswers(kernel, {});
}

TEST(Cooperation, Locks) {
  const std::string order = "what an atomic on b returns depends on the order of threads";
  expectAnswers(*cooperating("while (atomicCAS(b, 0, 1) != 0) {} atomicExch(b, 0);"),
                {"threads wait for each other at a lock", "fine", order});
  expectAnswers(
      *cooperating(
          "int seen = b[0], old; do { old = seen; seen = atomicCAS(b, old, old + i); } while (seen != old);"),
      {"fine", "fine", order});
}

// Whatever a lock stores, its owner for example, threads wait until it is free.
TEST(Cooperation, LocksThatStoreTheirOwner) {
  const std::string order = "what an atomic on b returns depends on the order of threads";
  const Answers locked{"threads wait for each other at a lock", "fine", order};
  expectAnswers(*cooperating("while (atomicCAS(b, 0, i + 1) != 0) {} atomicExch(b, 0);"), locked);
  expectAnswers(*cooperating("const int isFree = n + 1; bool done = false; while (!done) {\n"
                             "int own = i % 4; if (atomicCAS(&b[own], isFree, i) == isFree) done = true; }"),
                locked);
  const std::string take = "__device__ bool take(int* p, int by) { return atomicCAS(p, 0, by) == 0; }\n";
  expectAnswers(*cooperating("while (!take(b, i + 1)) {}", take),
                {locked.merging, "fine", "what an atomic on p returns depends on the order of threads"});
}

TEST(Cooperation, SwapsThatAreNoLocks) {
  const std::string order = "what an atomic on b returns depends on the order of threads";
  // The next place is tried where one is taken.
  expectAnswers(*cooperating("int at = i; while (atomicCAS(&b[at], 0, i + 1) != 0) at = (at + 1) % n;"),
                {"fine", "fine", order});
  const std::string take =
      "__device__ bool take(int* p, int at, int by) {\n"
      "return atomicCAS(&p[at], 0, by) == 0; }\n";
  expectAnswers(*cooperating("int at = i; while (!take(b, at, i + 1)) at = (at + 1) % n;", take),
                {"fine", "fine", "what an atomic on p returns depends on the order of threads"});
  expectAnswers(*cooperating("while (true) { int seen = b[0];\n"
                             "if (atomicCAS(b, seen, seen + i) == seen) break; }"),
                {"fine", "fine", order});
  // So many tries and no more; once; and nobody looks whether it took.
  expectAnswers(*cooperating("for (int j = 0; j < n; ++j) a[j] = atomicCAS(b, 0, i + j);"),
                {"fine", "fine", order});
  expectAnswers(*cooperating("do { a[i] = atomicCAS(b, 0, i + 1); } while (0);"), {"fine", "fine", order});
  expectAnswers(*cooperating("int j = i; while (j * j < n) { atomicCAS(b, 0, j + 1); j += 2; }"), {});
}

// Merged with the thread that it waits for, it would wait for ever.
TEST(Cooperation, LoopsUntilAnotherThreadHasStored) {
  const std::string order = "what an atomic on b returns depends on the order of threads";
  expectAnswers(*cooperating("while (atomicAdd(b, 0) == 0) {} a[i] = 1;"),
                {"threads wait for each other at a lock", "fine", order});
  expectAnswers(*cooperating("while (atomicAdd(b, 1) < n) a[i] += 1;"), {"fine", "fine", order});
  expectAnswers(*cooperating("for (int j = 0; j < n; ++j) a[j] = atomicOr(b, 0);"), {"fine", "fine", order});
}

TEST(Cooperation, CalledFunctionsAreLookedInto) {
  expectAnswers(
      *cooperating("tell(b, i);", "__device__ void tell(int* p, int i) { p[i] = 1; __threadfence(); }\n"),
      {"a memory fence orders what blocks tell each other", "fine",
       "a memory fence orders what blocks tell each other", "it orders its memory with fences"});
  expectAnswers(*cooperating("b[i] = twice(i);", "__device__ int twice(int i) { return 2 * i; }\n"), {});
}

TEST(Cooperation, TheFirstIsNamed) {
  const Obstacle no = obstacleToMerging(*cooperating("\n__syncwarp();\n__threadfence(); a[i] = 1;"), false);
  ASSERT_TRUE(no);
  EXPECT_EQ(no->reason, "threads of a warp wait for each other");
  EXPECT_EQ(no->place.line, 3u);
}

}  // namespace
}  // namespace hone::passes
