#include "tune/MeasureJob.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "device/WalkPlan.h"
#include "emit/Emit.h"
#include "ir/Compare.h"
#include "ir/Error.h"
#include "ir/Walk.h"

namespace hone::tune {

using namespace ir;

namespace {

// Arrays and buffers lie so far apart, in the addresses that expressions of a plan see, that each address
// tells its array.
constexpr unsigned kArrayBits = 40;

uint64_t addressOf(size_t index) { return (uint64_t(index) + 1) << kArrayBits; }

bool hasGridBarrier(const Kernel& kernel) {
  bool found = false;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* barrier = s.as<Barrier>();
    found = found || (barrier && barrier->scope == SyncScope::Grid);
  });
  return found;
}

class RecordedSteps : public device::PlanSteps {
 public:
  RecordedSteps(const device::Case& ofCase, const device::CaseData& withData) : c(ofCase), data(withData) {
    for (const device::ArrayData& array : data.arrays) names.push_back(array.name);
  }

  worker::VariantSpec variant;
  std::vector<KernelPtr> kernels;  // under the names that the launches use

  uint64_t makeBuffer(const Variable& buffer, uint64_t bytes, uint64_t) override {
    std::string name = buffer.name;
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    names.push_back(name);
    variant.buffers.push_back({name, bytes});
    return addressOf(names.size() - 1);
  }

  bool launch(const device::ConcreteLaunch& launch) override {
    if (variant.launches.size() >= 4096)
      throw Error(fmt::format("the plan of kernel '{}' makes more than 4096 launches", c.kernel->name), 1);
    worker::LaunchSpec spec;
    spec.kernel = nameOf(launch);
    spec.grid = launch.grid;
    spec.block = launch.block;
    spec.sharedBytes = launch.dynamicShared;
    // A plan's own launches are cooperative where their kernel needs it, however the original was launched.
    const bool waitsForGrid = hasGridBarrier(*launch.kernel);
    const bool isOpenCL = launch.kernel->language == Language::OpenCL;
    if (waitsForGrid && isOpenCL && uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2] > 1)
      throw Error(
          fmt::format("kernel '{}' has barriers of the whole grid, which OpenCL has for one work-group "
                      "only; give --grid 1",
                      c.kernel->name),
          1);
    spec.cooperative = !isOpenCL && (waitsForGrid || (launch.kernel == c.kernel && launch.cooperative));
    for (size_t p = 0; p < launch.kernel->params.size(); ++p)
      spec.arguments.push_back(argument(launch.kernel->params[p], launch.arguments[p]));
    variant.launches.push_back(std::move(spec));
    return true;
  }

 private:
  std::string nameOf(const device::ConcreteLaunch& launch) {
    const KernelPtr& kernel = launch.kernel;
    for (size_t i = 0; i < originals.size(); ++i)
      if (originals[i] == kernel || equal(*originals[i], *kernel)) return kernels[i]->name;
    auto copy = std::make_shared<Kernel>(*kernel);
    copy->name = fmt::format("hone_kernel_{}", kernels.size());
    copy->qualifiedName = copy->name;
    copy->templateArgs.clear();
    // As the emitted kernel says it: the compiler must not take more registers than a block of this size can
    // have.
    if (kernel != c.kernel && kernel->language == Language::Cuda) {
      LaunchBounds bounds;
      bounds.maxThreads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
      if (!copy->launchBounds || copy->launchBounds->maxThreads != bounds.maxThreads)
        copy->launchBounds = bounds;
    }
    originals.push_back(kernel);
    kernels.push_back(copy);
    return copy->name;
  }

  worker::ArgumentSpec argument(const VarPtr& param, const std::vector<uint8_t>& bytes) {
    worker::ArgumentSpec out;
    const bool isOpenCL = c.kernel->language == Language::OpenCL;
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min<size_t>(8, bytes.size()));
    if (param->type->isPointer() && param->type->space == ir::Space::Shared) {
      out.localBytes = value;
    } else if (param->type->isPointer()) {
      const uint64_t index = value >> kArrayBits;
      if (index == 0 || index > names.size())
        throw Error(
            fmt::format("argument '{}' of kernel '{}' points to no array", param->name, c.kernel->name), 1);
      out.array = names[index - 1];
      out.offset = value & ((uint64_t(1) << kArrayBits) - 1);
    } else {
      out.bytes = bytes;
      out.bytes.resize(sizeOf(*param->type, isOpenCL));
    }
    return out;
  }

  const device::Case& c;
  const device::CaseData& data;
  std::vector<std::string> names;  // of arrays and buffers, by address
  std::vector<KernelPtr> originals;
};

// The part of a module that these kernels reach.
Module reached(const Module& module, const std::vector<KernelPtr>& kernels) {
  Module out;
  out.language = module.language;
  out.kernels = kernels;
  out.records = module.records;
  std::set<const Function*> functions;
  std::set<const Variable*> globals;
  std::function<void(const StmtPtr&)> look = [&](const StmtPtr& body) {
    if (!body) return;
    walkExprs(body, [&](const Expr& e) {
      if (const auto* var = e.as<VarRef>()) globals.insert(var->var.get());
      const auto* call = e.as<Call>();
      if (call && call->function && functions.insert(call->function.get()).second) look(call->function->body);
    });
  };
  for (const KernelPtr& kernel : kernels) look(kernel->body);
  for (const FunctionPtr& function : module.functions)
    if (functions.contains(function.get())) out.functions.push_back(function);
  for (const VarPtr& global : module.globals)
    if (globals.contains(global.get())) out.globals.push_back(global);
  return out;
}

}  // namespace

worker::CaseSpec caseSpecOf(const device::Case& c, const device::CaseData& data, double operations) {
  constexpr uint64_t mostContents = 64 << 20;  // bytes of captured arrays that a job carries
  uint64_t contents = 0;
  worker::CaseSpec out;
  out.operations = operations;
  for (const device::ParameterLeaf& leaf : c.leaves)
    if (leaf.isArray() && !c.kernel->params[leaf.param]->type->isPointer())
      throw Error(fmt::format("'{}' is a pointer inside a structure, which workers do not take", leaf.path),
                  1);
  for (const device::ArrayData& array : data.arrays) {
    if (array.leaf < 0)
      throw Error(
          fmt::format("kernel '{}' uses '{}', which lies outside of functions: workers do not take that",
                      c.kernel->name, array.name),
          1);
    if (!array.aliasOf.empty()) continue;
    worker::ArraySpec spec;
    spec.name = array.name;
    spec.elements = array.length;
    spec.elementBytes = array.elementBytes;
    spec.leaves = device::scalarLeaves(array.leaves);
    spec.fill = array.fill;
    spec.isZero = array.isZero;
    if (array.isCaptured && contents + array.initial.size() <= mostContents)
      spec.contents = array.initial, contents += array.initial.size();
    if (auto input = c.inputs.find(array.name); input != c.inputs.end())
      throw Error(
          fmt::format("array '{}' comes from {}: workers do not read files yet", array.name, input->second),
          1);
    const auto facts = c.facts->arrays.find(array.name);
    if (facts != c.facts->arrays.end()) {
      spec.isWritten = facts->second.isWritten || facts->second.isAtomic;
      spec.isSummed = facts->second.isFloatAtomic;
      spec.isUnordered = facts->second.isAppended;
    }
    spec.isUnordered |= c.unordered.contains(array.name);
    spec.isCompared = !c.temporaries.contains(array.name);
    out.arrays.push_back(std::move(spec));
  }
  return out;
}

PlanJob planJob(const Plan& plan, const Module& module, const device::Case& c, const device::CaseData& data) {
  RecordedSteps steps(c, data);
  device::PlanLaunch launch;
  launch.grid = c.grid;
  launch.block = c.block;
  launch.dynamicShared = data.dynamicShared;
  launch.cooperative = c.cooperative;
  launch.arguments = device::argumentBytes(c, data, [&](const device::ArrayData& array) {
    return addressOf(static_cast<size_t>(&array - data.arrays.data()));
  });
  PlanJob out;
  out.fellBack = device::walkPlan(plan, launch, steps).fellBack;
  emit::EmitOptions options;
  options.language = module.language;
  const emit::EmitResult text = emit::emitModule(reached(module, steps.kernels), options);
  if (!text.ok()) throw Error(text.errors.front().reason, 1);
  out.variant = std::move(steps.variant);
  out.variant.language = module.language == Language::OpenCL ? "opencl" : "cuda";
  out.variant.source = text.text;
  // The worker has no hone.clh; what it says of the one work-group that there may be stands in the text.
  const std::string include = "#include <hone.clh>\n";
  if (const size_t at = out.variant.source.find(include); at != std::string::npos)
    out.variant.source.replace(
        at, include.size(),
        "static inline void hone_grid_sync(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }\n");
  return out;
}

std::string caseKey(worker::CaseSpec spec) {
  spec.id = spec.device = "";
  return fmt::format("{:016x}", device::hashOf(nlohmann::json(spec).dump()));
}

std::string variantKey(worker::VariantSpec variant) {
  const worker::VariantSpec plain;
  variant.id = variant.caseId = "";
  variant.giveUpAbove = 0;
  variant.timeoutSeconds = plain.timeoutSeconds;
  variant.secondsAtMost = plain.secondsAtMost;
  variant.wantedError = plain.wantedError;
  return fmt::format("{:016x}", device::hashOf(nlohmann::json(variant).dump()));
}

}  // namespace hone::tune
