// Plans made by hand, printed beside the kernels they were made from and read back.
#include <gtest/gtest.h>

#include "emit/EmitPlan.h"
#include "frontend/Import.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Verify.h"
#include "ir/Walk.h"

namespace hone {
namespace {

using namespace ir;

frontend::ImportResult import(const std::string& name, const std::string& text) {
  frontend::SourceRequest request;
  request.path = name;
  request.contents = text;
  return frontend::importFile(request);
}

const char* const cudaSource = R"(__global__ void halve(float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] * 0.5f;
}
)";

const char* const openclSource = R"(__kernel void halve(__global float* x, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = x[i] * 0.5f;
}
)";

struct Source {
  std::string text;
  frontend::ImportResult imported;
  KernelPtr kernel;
  explicit Source(const std::string& name, const std::string& contents) : text(contents) {
    imported = import(name, text);
    kernel = imported.kernels.at(0).kernel;
  }
};

emit::PlanSite siteOf(const Kernel& kernel) {
  emit::PlanSite site;
  site.title = site.original = kernel.name;
  site.space = kernel.name + "_hone";
  site.launch = kernel.name + "_launch";
  site.recipe = "by-hand(x=2)";
  site.target = "h200";
  return site;
}

LaunchStep originalLaunch(const KernelPtr& kernel) {
  return std::get<LaunchStep>(originalPlan(kernel)->steps[0]);
}

// The kernel with each 0.5f scaled, so that it is another one, and a constant for the block.
KernelPtr another(const KernelPtr& kernel, double factor, int block) {
  struct Change : Rewriter {
    double factor = 1;
    ExprPtr mapExpr(const ExprPtr& e) override { return as<FloatLiteral>(e) ? floatLit(factor, e->type) : e; }
  } change;
  change.factor = factor;
  auto made = std::make_shared<Kernel>(*kernel);
  made->body = change.rewriteBlock(kernel->body);
  made->constants = {{{RoleKind::ThreadCount}, block, "threads of a block"}};
  made->story = {"Made by hand."};
  return made;
}

// Each new kernel must be found again as it was; the file must not have an error more than before.
void expectReadsBack(const Source& source, const emit::PlanText& made, const std::string& name) {
  ASSERT_TRUE(made.ok()) << made.errors.front().reason;
  frontend::ImportResult after = import(name, source.text + "\n" + made.text + "\n");
  ASSERT_TRUE(after.parsed) << after.failure << made.text;
  for (const auto& d : after.diagnostics)
    EXPECT_LT(static_cast<int>(d.severity), static_cast<int>(frontend::Severity::Error)) << d.text << "\n"
                                                                                         << made.text;
  for (const emit::PlanKernel& k : made.kernels) {
    const frontend::ImportedKernel* found = nullptr;
    for (const auto& one : after.kernels)
      if (one.name == k.name) found = &one;
    ASSERT_TRUE(found && found->kernel) << k.name << "\n" << made.text;
    std::string why;
    Kernel wanted = *k.kernel;
    wanted.body = withoutRoles(wanted.body);
    EXPECT_TRUE(equal(wanted, *found->kernel, &why)) << why << "\n" << made.text;
  }
}

// Where lines are broken does not matter.
std::string unbroken(const std::string& text) {
  std::string out;
  for (char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || out.empty() || out.back() != ' ') out += blank ? ' ' : c;
  }
  return out;
}

void expectIn(const std::string& printed, const std::vector<std::string>& parts) {
  const std::string text = unbroken(printed);
  size_t at = 0;
  for (const std::string& one : parts) {
    const std::string part = unbroken(one);
    size_t found = text.find(part, at);
    EXPECT_NE(found, std::string::npos) << "missing, or not in this order: " << part << "\n" << printed;
    if (found != std::string::npos) at = found;
  }
}

// Two launches through a temporary, where n is large: buffer, loop, choice.
PlanPtr twoSteps(const KernelPtr& original) {
  auto buffer = std::make_shared<Variable>();
  buffer->name = "partial";
  buffer->type = pointerType(floatType(32), Space::Global);
  auto iteration = std::make_shared<Variable>();
  iteration->name = "iteration";
  iteration->type = int32();
  const bool openCL = original->language == Language::OpenCL;
  TypePtr size = openCL ? uint64() : uint32();

  LaunchStep first = originalLaunch(original), second = first;
  first.kernel = another(original, 0.25, 128);
  second.kernel = another(original, 0.75, 256);
  first.args[1] = ref(VarPtr(buffer));
  second.args[0] = ref(VarPtr(buffer));
  first.block = {named(128, {RoleKind::ThreadCount}, size), intLit(1, size), intLit(1, size)};
  second.block = {named(256, {RoleKind::ThreadCount}, size), intLit(1, size), intLit(1, size)};
  ExprPtr threads =
      binary(BinaryOp::Mul, coord(CoordKind::GridDim, 0, size), coord(CoordKind::BlockDim, 0, size));
  ExprPtr rounded = binary(BinaryOp::Sub, binary(BinaryOp::Add, threads, first.block[0]), intLit(1, size));
  first.grid[0] = binary(BinaryOp::Div, rounded, first.block[0]);

  auto iterations = std::make_shared<Plan>();
  iterations->original = original;
  iterations->steps = {second};
  auto fast = std::make_shared<Plan>();
  fast->original = original;
  ExprPtr n = ref(original->params[2]), i = ref(VarPtr(iteration));
  fast->steps = {BufferStep{buffer, convert(n, int64())}, first,
                 LoopStep{iteration, n, binary(BinaryOp::Gt, i, intLit(1)),
                          binary(BinaryOp::Div, i, intLit(2)), iterations}};
  auto plan = std::make_shared<Plan>();
  plan->original = original;
  plan->steps = {ChoiceStep{binary(BinaryOp::Ge, n, intLit(1024)), fast, originalPlan(original)}};
  return plan;
}

TEST(EmitPlan, LaunchesThroughABufferAndALoop) {
  Source source("k.cu", cudaSource);
  PlanPtr plan = twoSteps(source.kernel);
  ASSERT_TRUE(verify(*plan).empty()) << verify(*plan).front();
  emit::PlanText made = emit::emitPlan(*plan, siteOf(*source.kernel), {});
  expectReadsBack(source, made, "k.cu");
  expectIn(
      made.text,
      {"// halve, optimized by hone for h200.\n// recipe: by-hand(x=2)\n",
       "namespace halve_hone {\n",
       "constexpr int kThreads = 128;    // threads of a block\n",
       "constexpr int kThreads_2 = 256;  // threads of a block\n",
       "// Made by hand.\n__global__ __launch_bounds__(kThreads) void kernel_1(float* x, float* out, int n) "
       "{",
       "__global__ __launch_bounds__(kThreads_2) void kernel_2(",
       "}  // namespace halve_hone\n",
       "static inline void halve_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, float* x, "
       "float* out,",
       "using namespace halve_hone;\n",
       "static const bool enabled = !::getenv(\"HONE_OFF\") || *::getenv(\"HONE_OFF\") <= '0';\n",
       "const bool in_range = n >= 1024;\n  if (enabled && in_range) {\n",
       "float* partial = nullptr;\n",
       "if (cudaMallocAsync(&partial, (size_t)n * sizeof(float), stream) != cudaSuccess) {",
       "cudaGetLastError();\n",
       "halve<<<grid, block, shared, stream>>>(x, out, n);\n",
       "return;\n",
       "const dim3 blocks((grid.x * block.x + kThreads - 1) / kThreads, grid.y, grid.z), "
       "threads(kThreads);\n",
       "halve_hone::kernel_1<<<blocks, threads, 0, stream>>>(x, partial, n);\n",
       "for (int iteration = n; iteration > 1; iteration = iteration / 2) {\n",
       "halve_hone::kernel_2<<<grid, threads_2, 0, stream>>>(partial, out, n);\n",
       "cudaFreeAsync(partial, stream);\n",
       "return;\n  }\n#endif\n  halve<<<grid, block, shared, stream>>>(x, out, n);\n}"});
  EXPECT_EQ(made.rows.size(), 2u);
}

TEST(EmitPlan, TellsAnOpenClHostWhatToEnqueue) {
  Source source("k.cl", openclSource);
  PlanPtr plan = twoSteps(source.kernel);
  emit::EmitOptions options;
  options.language = Language::OpenCL;
  emit::PlanSite site = siteOf(*source.kernel);
  site.taken = {"kThreads"};
  emit::PlanText made = emit::emitPlan(*plan, site, options);
  expectReadsBack(source, made, "k.cl");
  expectIn(made.text, {"// Enqueue in place of halve, whose sizes are global and local:\n",
                       "//   buffer  __global float* partial: n elements\n",
                       "//   where   n >= 1024; else halve itself\n", "//   halve_hone_1\n",
                       "//     local   {kThreads_2, 1, 1}\n", "//     arguments  x, partial, n\n",
                       "//   for (int iteration = n; iteration > 1; iteration = iteration / 2)\n",
                       "//   halve_hone_2\n", "enum {\n", "kThreads_2 = 128,", "kThreads_3 = 256,",
                       "__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void halve_hone_1("});
}

TEST(EmitPlan, AsksForMuchDynamicSharedMemory) {
  Source source("k.cu", R"(__global__ void turn(float* x, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
)");
  LaunchStep launch = originalLaunch(source.kernel);
  auto kernel = std::make_shared<Kernel>(*source.kernel);
  launch.kernel = kernel;
  launch.block = {intLit(64, uint32()), intLit(1, uint32()), intLit(1, uint32())};
  Plan plan{source.kernel, {launch}};
  emit::PlanText made = emit::emitPlan(plan, siteOf(*kernel), {});
  expectReadsBack(source, made, "k.cu");
  expectIn(made.text, {"if (shared > 48 * 1024)",
                       "cudaFuncSetAttribute((const void*)turn_hone::kernel, "
                       "cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);",
                       "<<<grid, threads, shared, stream>>>"});

  launch.sharedBytes = intLit(60000, uint64());
  Plan fixed{source.kernel, {launch}};
  made = emit::emitPlan(fixed, siteOf(*kernel), {});
  expectReadsBack(source, made, "k.cu");
  expectIn(made.text, {"cudaFuncSetAttribute(", "(int)60000);"});
  EXPECT_EQ(made.text.find("if (shared"), std::string::npos) << made.text;
}

TEST(EmitPlan, LaunchesCooperatively) {
  Source source("k.cu", cudaSource);
  LaunchStep launch = originalLaunch(source.kernel);
  launch.kernel = another(source.kernel, 0.25, 64);
  launch.cooperative = true;
  launch.args[2] = binary(BinaryOp::Div, ref(source.kernel->params[2]), intLit(2));
  Plan plan{source.kernel, {launch}};
  emit::PlanText made = emit::emitPlan(plan, siteOf(*source.kernel), {});
  expectReadsBack(source, made, "k.cu");
  expectIn(
      made.text,
      {"int n_2 = n / 2;\n", "void* arguments[] = {(void*)&x, (void*)&out, (void*)&n_2};\n",
       "cudaLaunchCooperativeKernel((const void*)halve_hone::kernel, grid, block, arguments, 0, stream);"});
}

TEST(EmitPlan, NamesStepAside) {
  Source source("k.cu", R"(#define kThreads 7
__device__ float kernel(float x) { return x + kThreads; }
__global__ void f(float* grid, int block) { grid[block] = kernel(grid[block]); }
)");
  LaunchStep launch = originalLaunch(source.kernel);
  auto kernel = std::make_shared<Kernel>(*source.kernel);
  kernel->constants = {{{RoleKind::ThreadCount}, 32, "threads of a block"}};
  launch.kernel = kernel;
  launch.block = {named(32, {RoleKind::ThreadCount}, uint32()), intLit(1, uint32()), intLit(1, uint32())};
  Plan plan{source.kernel, {launch}};
  emit::PlanSite site = siteOf(*kernel);
  site.macros = {"kThreads"};
  emit::PlanText made = emit::emitPlan(plan, site, {});
  expectReadsBack(source, made, "k.cu");
  expectIn(made.text, {"constexpr int kThreads_2 = 32;", "void kernel_2(float* grid, int block) {",
                       "(dim3 grid_2, dim3 block_2, size_t shared, cudaStream_t stream,",
                       "f_hone::kernel_2<<<grid_2, threads, 0, stream>>>(grid, block);"});
}

TEST(EmitPlan, TellsConditionsInTheNamesOfTheSource) {
  for (const bool openCL : {false, true}) {
    Source source(openCL ? "k.cl" : "k.cu",
                  openCL ? "__kernel void f(__global float* grid, int n) { grid[get_global_id(0)] = n; }\n"
                         : "#define n n\n__global__ void f(float* grid, int n) { grid[threadIdx.x] = n; }\n");
    const TypePtr size = openCL ? uint64() : uint32();
    const ExprPtr n = ref(source.kernel->params[1]);
    auto plan = [&](Step step) {
      auto made = std::make_shared<Plan>();
      made->original = source.kernel;
      made->steps = {std::move(step)};
      return made;
    };
    LaunchStep launch = originalLaunch(source.kernel);
    launch.kernel = another(source.kernel, 0.25, 64);
    launch.block = {intLit(64, size), intLit(1, size), intLit(1, size)};
    const ExprPtr isSmall =
        binary(BinaryOp::LogicalOr, binary(BinaryOp::Lt, n, intLit(8)), binary(BinaryOp::Gt, n, intLit(64)));
    const ExprPtr fits = binary(BinaryOp::Le, convert(n, size), coord(CoordKind::GridDim, 0, size));
    const PlanPtr inner = plan(ChoiceStep{fits, plan(launch), originalPlan(source.kernel)});
    const PlanPtr outer = plan(ChoiceStep{isSmall, inner, originalPlan(source.kernel)});
    emit::PlanSite site = siteOf(*source.kernel);
    site.macros = {"n"};
    emit::EmitOptions options;
    options.language = source.kernel->language;
    const emit::PlanText made = emit::emitPlan(*outer, site, options);
    ASSERT_FALSE(made.rows.empty());
    EXPECT_EQ(made.rows[0].condition, openCL ? "(n < 8 || n > 64) && n <= global[0] / local[0]"
                                             : "(n < 8 || n > 64) && n <= gridDim.x");
  }
}

TEST(EmitPlan, NumbersThatDifferFromTheirConstantArePrinted) {
  Source source("k.cu", cudaSource);
  LaunchStep launch = originalLaunch(source.kernel);
  launch.kernel = another(source.kernel, 0.25, 64);
  launch.block = {named(32, {RoleKind::ThreadCount}, uint32()), named(64, {RoleKind::ThreadCount}, uint32()),
                  intLit(1, uint32())};
  Plan plan{source.kernel, {launch}};
  emit::PlanText made = emit::emitPlan(plan, siteOf(*source.kernel), {});
  expectReadsBack(source, made, "k.cu");
  expectIn(made.text, {"const dim3 threads(32, kThreads);"});
}

TEST(EmitPlan, StaysAwayFromDeviceOnlyCompilersAndCLinkage) {
  Source source("k.cu", cudaSource);
  LaunchStep launch = originalLaunch(source.kernel);
  launch.kernel = another(source.kernel, 0.25, 64);
  launch.block[0] = intLit(64, uint32());
  Plan plan{source.kernel, {launch}};
  emit::PlanSite site = siteOf(*source.kernel);
  site.deviceOnly = site.leavesC = site.isStatic = true;
  emit::PlanText made = emit::emitPlan(plan, site, {});
  expectReadsBack(source, made, "k.cu");
  expectIn(made.text, {"extern \"C++\" {\n", "static __global__ void kernel(", "#ifndef __CUDACC_RTC__\n",
                       "return;\n  }\n#endif\n  halve<<<", "}\n#endif\n}  // extern"});
}

}  // namespace
}  // namespace hone
