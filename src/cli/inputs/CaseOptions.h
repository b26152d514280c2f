// Options of the commands that run kernels: what to run them with, and how.
#pragma once

#include <memory>

#include "cli/inputs/GivenFile.h"
#include "device/Case.h"
#include "sim/execute/Run.h"

namespace hone::cli {

struct CaseOptions {
  std::vector<std::string> set, length, alias, input, save, unordered, output, temporary, captures;
  std::string grid, block, shared, seed, schedule, target;
  // The captures are the project's: files of which they know no kernel do without.
  bool areCapturesOfProject = false;
  uint64_t maxSteps = sim::RunOptions().stepLimit;
  unsigned jobs = 0;
  bool contract = false;

  device::Settings settings() const;  // of the command line alone; throws hone::Error
  sim::RunOptions runOptions();       // throws hone::Error; the target lives as long as this object

 private:
  std::vector<target::Target> targets;
};

void addCaseOptions(CLI::App& app, CaseOptions& options);

// A kernel that can be run, with what is known about its runs.
struct RunnableKernel {
  const frontend::ImportedKernel* imported = nullptr;
  ir::KernelPtr kernel;
  std::string name;  // with template arguments
  std::unique_ptr<device::CaseMaker> maker;
};

// Files that are not looked into but for calls of functions that launch.
std::vector<GivenFile> filesByName(const std::vector<std::string>& paths);

// The kernels of a file that `wanted` names (all when it is empty), each with its settings: command line,
// pragma, file beside the source, launch. Others are passed to `leftAlone` with the reason. Throws
// hone::Error when a setting of the command line names what none of them has. A kernel that its own file does
// not launch may be launched in another of `all`, and what a function launches it with may be handed over
// there.
std::vector<RunnableKernel> runnableKernels(
    const GivenFile& file, const std::vector<std::string>& wanted, const device::Settings& commandLine,
    const std::function<void(const frontend::ImportedKernel&, const std::string&)>& leftAlone,
    const std::vector<GivenFile>& all = {});

}  // namespace hone::cli
