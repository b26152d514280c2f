#include "device/RunPlan.h"

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

class EmbeddedSteps : public PlanSteps {
 public:
  EmbeddedSteps(sim::Device& onDevice, Programs& compiled, const sim::RunOptions& runOptions,
                const LaunchHooks& told)
      : device(onDevice), programs(compiled), options(runOptions), hooks(told) {}
  ~EmbeddedSteps() override {
    for (uint64_t base : buffers) device.memory.release(base);
  }
  EmbeddedSteps(const EmbeddedSteps&) = delete;
  EmbeddedSteps& operator=(const EmbeddedSteps&) = delete;

  PlanResult result;

  uint64_t makeBuffer(const Variable& buffer, uint64_t bytes, uint64_t elementBytes) override {
    buffers.push_back(device.memory.allocate(bytes, buffer.name, static_cast<uint32_t>(elementBytes), false));
    return buffers.back();
  }

  bool launch(const ConcreteLaunch& launch) override {
    const sim::Program& program = programs.of(launch.kernel);
    sim::LaunchConfig config;
    config.grid = launch.grid;
    config.block = launch.block;
    config.dynamicShared = static_cast<uint32_t>(launch.dynamicShared);
    config.cooperative = launch.cooperative;
    config.workDim = config.grid[2] * config.block[2] > 1 ? 3 : config.grid[1] * config.block[1] > 1 ? 2 : 1;
    for (unsigned p = 0; p < program.parameters.size(); ++p) {
      std::vector<uint8_t> bytes = launch.arguments.at(p);
      bytes.resize(program.parameters[p].size);
      sim::setArgument(program, config, p, bytes.data(), bytes.size());
    }
    sim::RunOptions runOptions = options;
    if (hooks.before) hooks.before(program, config, runOptions);
    sim::RunResult one = device.run(program, config, runOptions);
    if (hooks.after) hooks.after(program, config);
    result.warpInstructions += one.warpInstructions;
    result.work += one.work;
    result.isOverWork |= one.isOverWork;
    const uint64_t threads = uint64_t(config.block[0]) * config.block[1] * config.block[2];
    result.warps += uint64_t(config.grid[0]) * config.grid[1] * config.grid[2] * ((threads + 31) / 32);
    result.findings.insert(result.findings.end(), one.findings.begin(), one.findings.end());
    return one.completed;
  }

 private:
  sim::Device& device;
  Programs& programs;
  const sim::RunOptions& options;
  const LaunchHooks& hooks;
  std::vector<uint64_t> buffers;
};

}  // namespace

PlanResult runPlan(sim::Device& device, const Plan& plan, Programs& programs, const PlanLaunch& launch,
                   const sim::RunOptions& options, const LaunchHooks& hooks) {
  EmbeddedSteps steps(device, programs, options, hooks);
  PlanWalk walk = walkPlan(plan, launch, steps);
  steps.result.completed = walk.completed;
  steps.result.fellBack = walk.fellBack;
  steps.result.iterations = walk.iterations;
  steps.result.ofLoop = walk.ofLoop;
  steps.result.choices = std::move(walk.choices);
  steps.result.tests = std::move(walk.tests);
  return std::move(steps.result);
}

}  // namespace hone::device
