#include "device/RunPlan.h"

#include <fmt/core.h>

#include <cstring>

#include "device/EvaluateExpr.h"
#include "device/FillArray.h"
#include "device/Parameters.h"
#include "ir/Error.h"

namespace hone::device {

using namespace ir;

const sim::Program& Programs::of(const KernelPtr& kernel) {
  auto& program = known[kernel];
  if (program) return *program;
  try {
    program = std::make_unique<sim::Program>(sim::compile(*kernel, options));
  } catch (const Error& error) {
    throw Error(error.what(), 1);  // the kernel's problem, not the command's
  }
  return *program;
}

namespace {

class PlanRunner {
 public:
  PlanRunner(sim::Device& onDevice, Programs& compiled, const PlanLaunch& original,
             const sim::RunOptions& runOptions, const LaunchHooks& told)
      : device(onDevice), programs(compiled), launch(original), options(runOptions), hooks(told) {}

  PlanResult result;

  void run(const Plan& plan) {
    if (!top) {
      top = &plan;
      bool isOpenCL = plan.original->language == Language::OpenCL;
      for (const ParameterLeaf& leaf : parameterLeaves(*plan.original)) {
        if (leaf.param >= launch.arguments.size()) continue;
        const std::vector<uint8_t>& bytes = launch.arguments[leaf.param];
        uint64_t size = leaf.type->isPointer() ? 8 : sizeOf(*leaf.type, isOpenCL);
        if (leaf.offset + size > bytes.size()) continue;
        leaves[leaf.path] = loadLeaf(bytes.data() + leaf.offset, *leaf.type);
      }
      for (size_t p = 0; p < plan.original->params.size(); ++p) positions[plan.original->params[p].get()] = p;
    }
    for (const Step& step : plan.steps) {
      if (!result.completed) return;
      std::visit([this](const auto& s) { run(s); }, step);
    }
  }

  void release() {
    for (uint64_t base : buffers) device.memory.release(base);
  }

 private:
  static Number loadLeaf(const uint8_t* at, const Type& type) {
    if (type.isFloating()) return realNumber(loadNumber(at, type));
    if (type.isPointer() || (type.is(TypeKind::Int) && type.bits == 64)) {
      int64_t value = 0;
      std::memcpy(&value, at, 8);
      return wholeNumber(value);
    }
    return wholeNumber(type.isArithmetic() ? static_cast<int64_t>(loadNumber(at, type)) : 0);
  }

  std::optional<Number> tryValue(const ExprPtr& e) {
    ExprNames names;
    names.coord = [this](const Coord& c) -> std::optional<Number> {
      if (c.kind == CoordKind::GridDim) return wholeNumber(launch.grid[c.axis]);
      if (c.kind == CoordKind::BlockDim) return wholeNumber(launch.block[c.axis]);
      if (c.kind == CoordKind::GlobalSize)
        return wholeNumber(int64_t(launch.grid[c.axis]) * launch.block[c.axis]);
      if (c.kind == CoordKind::WarpSize) return wholeNumber(32);
      if (c.kind == CoordKind::GlobalOffset) return wholeNumber(0);  // launches here have none
      return std::nullopt;
    };
    names.place = [this](const ExprPtr& place) -> std::optional<Number> {
      if (const auto* var = as<VarRef>(place))
        if (auto counter = counters.find(var->var.get()); counter != counters.end())
          return wholeNumber(counter->second);
      if (const auto* var = as<VarRef>(place))
        if (auto buffer = addresses.find(var->var.get()); buffer != addresses.end())
          return wholeNumber(buffer->second);
      auto leaf = leaves.find(pathOf(place));
      return leaf == leaves.end() ? std::nullopt : std::optional(leaf->second);
    };
    return evaluate(e, names);
  }
  Number value(const ExprPtr& e, const char* what) {
    auto found = tryValue(e);
    if (!found)
      throw Error(fmt::format("the plan of kernel '{}' has a {} that has no value before the launch",
                              top->original->name, what));
    return *found;
  }

  void run(const BufferStep& step) {
    int64_t count = value(step.count, "length of a buffer").asWhole();
    uint64_t bytes = sizeOf(*step.buffer->type->element, top->original->language == Language::OpenCL);
    if (count < 0 || count > (int64_t(1) << 33))
      throw Error(fmt::format("buffer '{}' would have {} elements", step.buffer->name, count));
    uint64_t base = device.memory.allocate(std::max<uint64_t>(1, static_cast<uint64_t>(count) * bytes),
                                           step.buffer->name, static_cast<uint32_t>(bytes), false);
    addresses[step.buffer.get()] = static_cast<int64_t>(base);
    buffers.push_back(base);
  }

  void run(const ChoiceStep& step) {
    const bool holds = value(step.cond, "condition").asReal() != 0;
    result.fellBack |= !holds;
    const PlanPtr& chosen = holds ? step.then : step.otherwise;
    if (chosen) run(*chosen);
  }

  void run(const LoopStep& step) {
    int64_t& at = counters[step.var.get()];
    at = value(step.begin, "start of a loop").asWhole();
    for (uint64_t rounds = 0; value(step.cond, "condition").asReal() != 0 && result.completed; ++rounds) {
      if (rounds > 1'000'000)
        throw Error(fmt::format("the plan of kernel '{}' does not end", top->original->name));
      run(*step.body);
      at = value(step.next, "step of a loop").asWhole();
    }
    counters.erase(step.var.get());
  }

  void run(const LaunchStep& step) {
    const sim::Program& program = programs.of(step.kernel);
    sim::LaunchConfig config;
    for (size_t i = 0; i < 3; ++i) {
      int64_t grid = value(step.grid[i], "grid").asWhole(), block = value(step.block[i], "block").asWhole();
      if (grid < 1 || block < 1 || grid > 0x7fffffff || block > 0x7fffffff)
        throw Error(fmt::format("kernel '{}' would be launched with a grid of {} and a block of {} along {}",
                                step.kernel->name, grid, block, "xyz"[i]));
      config.grid[i] = static_cast<uint32_t>(grid);
      config.block[i] = static_cast<uint32_t>(block);
    }
    config.dynamicShared =
        static_cast<uint32_t>(step.sharedBytes ? value(step.sharedBytes, "size of shared memory").asWhole()
                                               : static_cast<int64_t>(launch.dynamicShared));
    config.cooperative = step.cooperative || launch.cooperative;
    config.workDim = config.grid[2] * config.block[2] > 1 ? 3 : config.grid[1] * config.block[1] > 1 ? 2 : 1;
    for (unsigned p = 0; p < program.parameters.size(); ++p) {
      std::vector<uint8_t> bytes = argument(step.args.at(p), *step.kernel->params.at(p)->type);
      bytes.resize(program.parameters[p].size);
      sim::setArgument(program, config, p, bytes.data(), bytes.size());
    }
    sim::RunOptions runOptions = options;
    if (hooks.before) hooks.before(program, config, runOptions);
    sim::RunResult one = device.run(program, config, runOptions);
    if (hooks.after) hooks.after(program, config);
    result.completed &= one.completed;
    result.warpInstructions += one.warpInstructions;
    uint64_t threads = uint64_t(config.block[0]) * config.block[1] * config.block[2];
    result.warps += uint64_t(config.grid[0]) * config.grid[1] * config.grid[2] * ((threads + 31) / 32);
    result.findings.insert(result.findings.end(), one.findings.begin(), one.findings.end());
  }

  std::vector<uint8_t> argument(const ExprPtr& e, const Type& type) {
    if (const auto* var = as<VarRef>(e))
      if (auto at = positions.find(var->var.get()); at != positions.end())
        return launch.arguments.at(at->second);
    Number v = value(e, "argument");
    std::vector<uint8_t> bytes(8);
    if (type.isPointer())
      std::memcpy(bytes.data(), &v.whole, 8);
    else
      storeNumber(bytes.data(), type, v.asReal(), v.asWhole());
    return bytes;
  }

  sim::Device& device;
  Programs& programs;
  const PlanLaunch& launch;
  const sim::RunOptions& options;
  const LaunchHooks& hooks;
  const Plan* top = nullptr;
  std::map<std::string, Number> leaves;
  std::map<const Variable*, size_t> positions;
  std::map<const Variable*, int64_t> addresses;
  std::map<const Variable*, int64_t> counters;  // of the loops that run now
  std::vector<uint64_t> buffers;
};

}  // namespace

PlanResult runPlan(sim::Device& device, const Plan& plan, Programs& programs, const PlanLaunch& launch,
                   const sim::RunOptions& options, const LaunchHooks& hooks) {
  PlanRunner runner(device, programs, launch, options, hooks);
  runner.run(plan);
  runner.release();
  return std::move(runner.result);
}

}  // namespace hone::device
