// Launches whose block becomes numbers, and launches that get a block of their own.
#include "HostNumbers.h"
#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Names.h"
#include "passes/launch/FixBlock.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/recipe/ParseRecipe.h"

namespace hone::passes {
namespace {

using namespace ir;

const std::string ids = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

LaunchStep launchOf(const std::string& source, bool isOpenCL = false) {
  return std::get<LaunchStep>(originalPlan(affine::kernelOf(source, isOpenCL))->steps[0]);
}

std::string kernelText(const Kernel& kernel) {
  EXPECT_TRUE(verify(kernel).empty()) << verify(kernel).front();
  emit::EmitOptions options;
  options.language = kernel.language;
  const emit::EmitResult made = emit::emitBody(kernel, options);
  EXPECT_TRUE(made.ok()) << made.errors.front().reason;
  return made.text;
}

bool hasText(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

unsigned coordsIn(const StmtPtr& body, CoordKind kind) {
  unsigned found = 0;
  walkExprs(body, [&](const Expr& e) {
    const auto* c = e.as<Coord>();
    found += c && c->kind == kind;
  });
  return found;
}

class Blocks : public ::testing::Test {
 protected:
  std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  const target::Target& machine = target::findTarget(targets, "h200");
  analysis::FactsCache facts{machine};
  PassContext context{machine, facts, {64, 2, 1}};

  static HostNumbers launched(int64_t x, int64_t y, int64_t z, int64_t grid = 10) {
    return {{"blockDim.x", x},   {"blockDim.y", y}, {"blockDim.z", z},     {"gridDim.x", grid},
            {"gridDim.y", grid}, {"gridDim.z", 1},  {"globalOffset.x", 0}, {"globalOffset.y", 0}};
  }
  LaunchResult shaped(const LaunchStep& launch, const std::string& arguments) {
    return shapeBlock(launch, blockPass().of(parseRecipe("block(" + arguments + ")").calls[0]), context);
  }
  static std::string reasonOf(const LaunchResult& result) {
    return result.refusal ? result.refusal->reason : "done";
  }
};

using FixedBlocks = Blocks;
using ShapedBlocks = Blocks;

TEST_F(FixedBlocks, BlockBecomesNumbers) {
  const LaunchStep launch = launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = blockDim.y;\n}\n");
  const FixedLaunch fixed = withFixedBlock(launch, context);
  EXPECT_EQ(fixed.block, (std::array<unsigned, 3>{64, 2, 1}));
  EXPECT_EQ(coordsIn(fixed.launch.kernel->body, CoordKind::BlockDim), 0u);
  const std::string text = kernelText(*fixed.launch.kernel);
  EXPECT_TRUE(hasText(text, "constexpr int kBlockX = 64;  // threads of a block along x")) << text;
  EXPECT_TRUE(hasText(text, "constexpr int kBlockY = 2;")) << text;
  EXPECT_TRUE(hasText(text, "blockIdx.x * kBlockX + threadIdx.x")) << text;
  for (unsigned axis = 0; axis < 3; ++axis)
    EXPECT_EQ(constantValue(fixed.launch.block[axis]), context.block[axis]);
  EXPECT_EQ(coordsIn(launch.kernel->body, CoordKind::BlockDim), 2u) << "the original changed";
}

TEST_F(FixedBlocks, TheConditionIsTheWholeBlock) {
  const FixedLaunch fixed =
      withFixedBlock(launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n"), context);
  EXPECT_TRUE(holds(fixed.condition, launched(64, 2, 1)));
  EXPECT_FALSE(holds(fixed.condition, launched(128, 2, 1)));
  EXPECT_FALSE(holds(fixed.condition, launched(64, 1, 1)));
  EXPECT_FALSE(holds(fixed.condition, launched(64, 2, 2)));
}

TEST_F(FixedBlocks, NothingIsAskedOfABlockThatIsNumbersAlready) {
  LaunchStep launch = launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n");
  launch.block = {intLit(32, uint32()), intLit(4, uint32()), intLit(1, uint32())};
  const FixedLaunch fixed = withFixedBlock(launch, context);
  EXPECT_EQ(fixed.block, (std::array<unsigned, 3>{32, 4, 1}));
  EXPECT_EQ(fixed.condition, nullptr);
  EXPECT_TRUE(hasText(kernelText(*fixed.launch.kernel), "kBlockX = 32"));
}

TEST_F(FixedBlocks, NumbersThatAreRightAlreadyAreNotAsked) {
  LaunchStep launch = launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n");
  launch.block[2] = intLit(1, uint32());
  EXPECT_EQ(textOf(withFixedBlock(launch, context).condition), "blockDim.x == 64u && blockDim.y == 2u");
}

TEST_F(FixedBlocks, AxesThatNobodyNamesGetNoConstant) {
  const FixedLaunch fixed =
      withFixedBlock(launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n"), context);
  EXPECT_EQ(fixed.launch.kernel->constants.size(), 1u);
}

TEST_F(FixedBlocks, TheSameKernelWhereNothingChanges) {
  const LaunchStep launch = launchOf("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  const FixedLaunch fixed = withFixedBlock(launch, context);
  EXPECT_EQ(fixed.launch.kernel, launch.kernel);
  EXPECT_TRUE(fixed.condition);
}

TEST_F(FixedBlocks, AnotherConstantOfTheRole) {
  auto kernel = std::make_shared<Kernel>(
      *affine::kernelOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n"));
  kernel->constants.push_back({blockExtent(0), 7, "something else"});
  const ExprPtr condition = setBlock(*kernel, {64, 1, 1});
  EXPECT_EQ(condition, nullptr);
  ASSERT_EQ(kernel->constants.size(), 2u);
  EXPECT_NE(kernel->constants[1].role, blockExtent(0));
  EXPECT_EQ(kernel->constants[1].value, 64);
  EXPECT_TRUE(
      hasText(kernelText(*kernel), "blockIdx.x * " + nameOf(kernel->constants[1].role) + " + threadIdx.x"));
}

const std::string globalIds =
    "__kernel void k(__global float* a, int n) {\n"
    "  int i = get_global_id(0); if (i < n) a[i] = get_global_size(0); }\n";

TEST_F(FixedBlocks, GlobalIdsOfOpenClAreTakenApart) {
  const FixedLaunch fixed = withFixedBlock(launchOf(globalIds, true), context);
  const StmtPtr& body = fixed.launch.kernel->body;
  EXPECT_EQ(coordsIn(body, CoordKind::GlobalId) + coordsIn(body, CoordKind::GlobalSize), 0u);
  EXPECT_EQ(coordsIn(body, CoordKind::GlobalOffset), 0u);
  const std::string text = kernelText(*fixed.launch.kernel);
  EXPECT_TRUE(hasText(text, "get_group_id(0) * kBlockX + get_local_id(0)")) << text;
  EXPECT_TRUE(hasText(text, "get_num_groups(0) * kBlockX")) << text;
}

TEST_F(FixedBlocks, IdsWithoutOffsetAreAsked) {
  const FixedLaunch fixed = withFixedBlock(launchOf(globalIds, true), context);
  HostNumbers numbers = launched(64, 2, 1);
  EXPECT_TRUE(holds(fixed.condition, numbers));
  numbers["globalOffset.y"] = 1;  // nobody names an id along y
  EXPECT_TRUE(holds(fixed.condition, numbers));
  numbers["globalOffset.x"] = 1;
  EXPECT_FALSE(holds(fixed.condition, numbers));
}

// Where nothing else is asked of the launch, nothing is asked about its offset.
TEST_F(FixedBlocks, OffsetsStayWhereTheBlockIsNumbersAlready) {
  LaunchStep launch = launchOf(globalIds, true);
  launch.block = {intLit(32, uint32()), intLit(1, uint32()), intLit(1, uint32())};
  const FixedLaunch fixed = withFixedBlock(launch, context);
  EXPECT_EQ(fixed.condition, nullptr);
  EXPECT_EQ(coordsIn(fixed.launch.kernel->body, CoordKind::GlobalOffset), 1u);
}

TEST_F(FixedBlocks, SetBlockSaysWhichOffsetsItLeftOut) {
  const std::string source =
      "__kernel void k(__global float* a) { a[get_global_id(1) * 100 + get_global_id(0)] = 1; }\n";
  Kernel without = *affine::kernelOf(source, true), with = without;
  const ExprPtr condition = setBlock(without, {8, 8, 1});
  HostNumbers numbers = launched(8, 8, 1);
  EXPECT_TRUE(holds(condition, numbers));
  numbers["globalOffset.y"] = int64_t{1} << 32;  // 64 bits of it
  EXPECT_FALSE(holds(condition, numbers));
  EXPECT_EQ(setBlock(with, {8, 8, 1}, true), nullptr);
  EXPECT_EQ(coordsIn(with.body, CoordKind::GlobalOffset), 2u);
}

TEST_F(FixedBlocks, EarlyReturnsBecomeIfs) {
  const KernelPtr kernel = affine::kernelOf("__global__ void k(float* a, int n) {\n" + ids +
                                            "  if (i >= n) return;\n  a[i] = 1;\n}\n");
  const KernelPtr made = structured(kernel);
  bool returns = false;
  walkStmts(made->body, [&](const Stmt& s) { returns = returns || s.is<Return>(); });
  EXPECT_FALSE(returns);
  EXPECT_TRUE(hasText(kernelText(*made), "if (i < n)")) << kernelText(*made);
}

TEST_F(FixedBlocks, FunctionsThatTouchMemoryAreInlined) {
  const KernelPtr made = structured(
      affine::kernelOf("__device__ void put(float* a, int i) { a[i] = 1; }\n"
                       "__device__ float half(float x) { return x / 2; }\n"
                       "__global__ void k(float* a) { put(a, threadIdx.x); a[0] = half(a[1]); }\n"));
  std::vector<std::string> called;
  walkStmts(made->body, [&](const Stmt& s) {
    forEachExpr(s, [&](const ExprPtr& e) {
      walkExprs(e, [&](const Expr& one) {
        if (const auto* call = one.as<Call>(); call && call->function) called.push_back(call->function->name);
      });
    });
  });
  EXPECT_EQ(called, std::vector<std::string>{"half"});
}

TEST_F(FixedBlocks, PlainKernelsStayTheSame) {
  const KernelPtr kernel = affine::kernelOf("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  EXPECT_EQ(structured(kernel), kernel);
}

TEST_F(FixedBlocks, WhereTheBlockMatters) {
  const LaunchStep any = launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n");
  const FixedLaunch free = withBlockWhereItMatters(any, context);
  EXPECT_EQ(free.condition, nullptr);
  EXPECT_EQ(coordsIn(free.launch.kernel->body, CoordKind::BlockDim), 1u);
  EXPECT_EQ(free.block, context.block);
  for (const char* body : {"a[threadIdx.x] = 1;", "a[i] = gridDim.x;"}) {
    const FixedLaunch fixed = withBlockWhereItMatters(
        launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 0;\n  " + body + "\n}\n"), context);
    EXPECT_TRUE(fixed.condition) << body;
    EXPECT_EQ(coordsIn(fixed.launch.kernel->body, CoordKind::BlockDim), 0u) << body;
  }
}

const std::string bounded = "__global__ void k(float* a, int n) {\n" + ids + "  if (i < n) a[i] = 1;\n}\n";

TEST_F(ShapedBlocks, AsManyThreadsInOtherBlocks) {
  const LaunchResult made = shaped(launchOf(bounded), "x=96");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  EXPECT_EQ(constantValue(made.launch->block[0]), 96);
  EXPECT_EQ(valueOf(made.launch->grid[0], launched(64, 1, 1, 10)), 7);  // 640 threads
  EXPECT_EQ(valueOf(made.launch->grid[0], launched(96, 1, 1, 10)), 10);
  EXPECT_EQ(constantValue(made.launch->grid[1]), 1);
  EXPECT_EQ(made.remarks.back().text, "blocks of 96 threads, whatever the launch has");
  EXPECT_TRUE(made.launch->mayOvershoot[0]);
  EXPECT_FALSE(made.launch->mayOvershoot[1]);
}

// The threads that come on top are behind the bound; those of the original must have covered it.
TEST_F(ShapedBlocks, TheLaunchCoversTheBound) {
  const LaunchResult made = shaped(launchOf(bounded), "x=96");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  HostNumbers numbers = launched(64, 1, 1, 10);
  numbers["gridDim.y"] = 1;
  numbers["n"] = 640;
  EXPECT_TRUE(holds(made.condition, numbers));
  numbers["n"] = 641;
  EXPECT_FALSE(holds(made.condition, numbers));
  EXPECT_EQ(made.launch->args.size(), 2u);
  EXPECT_FALSE(hasText(kernelText(*made.launch->kernel), "threads_x"));
}

TEST_F(ShapedBlocks, AxesThatAreNotUsedHaveOneThread) {
  const LaunchResult made = shaped(launchOf(bounded), "x=96");
  HostNumbers numbers = launched(64, 1, 1, 10);
  numbers["n"] = 5, numbers["gridDim.y"] = 1;
  EXPECT_TRUE(holds(made.condition, numbers));
  numbers["gridDim.y"] = 2;
  EXPECT_FALSE(holds(made.condition, numbers));
  numbers["gridDim.y"] = 1, numbers["blockDim.z"] = 2;
  EXPECT_FALSE(holds(made.condition, numbers));
}

TEST_F(ShapedBlocks, WithoutABoundThreadsAreCounted) {
  const LaunchResult made =
      shaped(launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n"), "x=96");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  const std::string text = kernelText(*made.launch->kernel);
  EXPECT_TRUE(hasText(text, "if (blockIdx.x * kBlockX + threadIdx.x < threads_x)")) << text;
  ASSERT_EQ(made.launch->args.size(), 2u);
  EXPECT_EQ(valueOf(made.launch->args[1], launched(64, 1, 1, 10)), 640);
}

TEST_F(ShapedBlocks, TheSizeOfTheGridIsThatOfTheOriginal) {
  const LaunchResult made = shaped(
      launchOf("__global__ void k(float* a, int n) {\n"
               "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
               "    a[i] = 1;\n}\n"),
      "x=96");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  const std::string text = kernelText(*made.launch->kernel);
  EXPECT_TRUE(hasText(text, "i += threads_x")) << text;
  EXPECT_FALSE(hasText(text, "gridDim")) << text;
}

TEST_F(ShapedBlocks, IdsStayFarFromWrapping) {
  const LaunchResult made =
      shaped(launchOf("__global__ void k(float* a) {\n" + ids + "  a[i] = 1;\n}\n"), "x=96");
  HostNumbers numbers = launched(1024, 1, 1, 2096128);  // 0x7ff00000 threads
  numbers["gridDim.y"] = 1;
  EXPECT_TRUE(holds(made.condition, numbers));
  numbers["gridDim.x"] += 1;
  EXPECT_FALSE(holds(made.condition, numbers));
}

TEST_F(ShapedBlocks, TwoAxes) {
  const LaunchResult made = shaped(
      launchOf("__global__ void k(float* a, int w, int h) {\n"
               "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "  if (x < w && y < h) a[y * w + x] = 1;\n}\n"),
      "x=32, y=8");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  HostNumbers numbers = launched(16, 16, 1, 10);
  numbers["w"] = 160, numbers["h"] = 160;
  EXPECT_TRUE(holds(made.condition, numbers));
  EXPECT_EQ(valueOf(made.launch->grid[0], numbers), 5);
  EXPECT_EQ(valueOf(made.launch->grid[1], numbers), 20);
  numbers["h"] = 161;
  EXPECT_FALSE(holds(made.condition, numbers));
  EXPECT_EQ(made.remarks.back().text, "blocks of 32x8 threads, whatever the launch has");
}

// The model counts blocks of the new shape, the launch those of its own.
TEST_F(ShapedBlocks, BoundsMadeOfTheGridAlongAnotherAxis) {
  const LaunchResult made = shaped(
      launchOf("__global__ void k(float* a, int n) {\n"
               "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "  if (x < n * (int)(gridDim.y * blockDim.y)) a[y * 1000 + x] = 1;\n}\n"),
      "x=32, y=4");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  HostNumbers numbers = launched(16, 16, 1, 1);
  numbers["n"] = 1;  // 16 threads along both axes: ids below 16 have work
  EXPECT_TRUE(holds(made.condition, numbers));
  numbers["blockDim.x"] = 10;  // ids from 10 to 15 would have work too in blocks of 32
  EXPECT_FALSE(holds(made.condition, numbers));
}

TEST_F(ShapedBlocks, OffsetsOfOpenClAreNone) {
  const LaunchResult made = shaped(launchOf("__kernel void k(__global float* a, int n) {\n"
                                            "  int i = get_global_id(0); if (i < n) a[i] = 1; }\n",
                                            true),
                                   "x=96");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  HostNumbers numbers = launched(64, 1, 1, 10);
  numbers["n"] = 640, numbers["gridDim.y"] = 1;
  EXPECT_TRUE(holds(made.condition, numbers));
  numbers["globalOffset.x"] = 1;
  EXPECT_FALSE(holds(made.condition, numbers));
}

TEST_F(ShapedBlocks, LaunchBoundsOfTheOriginalGo) {
  const LaunchResult made = shaped(launchOf("__global__ void __launch_bounds__(64) k(float* a, int n) {\n" +
                                            ids + "  if (i < n) a[i] = 1;\n}\n"),
                                   "x=96");
  ASSERT_TRUE(made.launch) << reasonOf(made);
  EXPECT_FALSE(made.launch->kernel->launchBounds);
}

TEST_F(ShapedBlocks, KernelsWithABlockOfTheirOwnAreLeftAlone) {
  for (const char* body : {"a[threadIdx.x] = 1;", "a[blockDim.x] = 1;"}) {
    const LaunchResult made =
        shaped(launchOf(std::string("__global__ void k(float* a) { ") + body + " }\n"), "x=96");
    EXPECT_FALSE(made.launch) << body;
    EXPECT_EQ(reasonOf(made).find("its block shape is not free: "), 0u) << reasonOf(made);
  }
}

}  // namespace
}  // namespace hone::passes
