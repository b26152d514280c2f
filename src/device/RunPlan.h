// Runs a plan on the embedded device: its launches in order, with temporary buffers and choices.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "device/WalkPlan.h"
#include "sim/execute/Run.h"

namespace hone::device {

// Byte code of the kernels met so far.
class Programs {
 public:
  explicit Programs(sim::CompileOptions compileOptions = {}) : options(std::move(compileOptions)) {}
  const sim::Program& of(const ir::KernelPtr& kernel);  // throws hone::Error when the device cannot run it

 private:
  sim::CompileOptions options;
  std::map<ir::KernelPtr, std::unique_ptr<sim::Program>> known;
};

// Told of every launch of a plan: before it, to change how it is run, and after it.
struct LaunchHooks {
  std::function<void(const sim::Program&, const sim::LaunchConfig&, sim::RunOptions&)> before;
  std::function<void(const sim::Program&, const sim::LaunchConfig&)> after;
};

struct PlanResult {
  bool completed = true;
  std::vector<sim::Finding> findings;
  uint64_t warpInstructions = 0, warps = 0;
  uint64_t work = 0;        // RunResult::work
  bool isOverWork = false;  // a launch was ended by RunOptions::mostWork or mostBytesMade
  bool fellBack = false;    // a condition of the plan did not hold, so the other branch ran
  unsigned iterations = 1;  // of the loop around the launch that were done
  uint64_t ofLoop = 0;      // iterations that it has in all (PlanWalk)
  std::vector<std::pair<const ir::Expr*, bool>> choices, tests;  // PlanWalk
};

// Throws hone::Error for an expression of the plan that has no value on the host.
PlanResult runPlan(sim::Device& device, const ir::Plan& plan, Programs& programs, const PlanLaunch& launch,
                   const sim::RunOptions& options, const LaunchHooks& hooks = {});

}  // namespace hone::device
