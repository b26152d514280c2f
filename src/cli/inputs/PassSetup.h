// What the command line and the file say to passes: the target, the block of the launch, permissions.
#pragma once

#include <map>

#include "cli/inputs/CaseOptions.h"
#include "passes/recipe/Pass.h"

namespace hone::cli {

struct PassOptions {
  std::string target = "h200";
  bool reassociate = false, assumeNoalias = false;
  std::optional<target::ComputeCapability> lowest = {};  // that code must run on, too
};

// --reassociate, --assume-noalias.
void addPassOptions(CLI::App& app, PassOptions& options);

class PassSetup {
 public:
  explicit PassSetup(const PassOptions& options, device::Settings commandLine = {});

  // The kernel's block is that of --block, a pragma, a launch in sight, or a guess. The result refers to this
  // object.
  passes::PassContext contextFor(const GivenFile& file, const frontend::ImportedKernel& kernel);
  passes::PassContext contextFor(const device::CaseMaker& maker);

  // Files with further launches; they live as long as this object is used.
  void lookForLaunchesIn(const std::vector<GivenFile>& files) { all = &files; }
  const device::CaseMaker& makerOf(const GivenFile& file, const frontend::ImportedKernel& kernel);

  const target::Target& target() const { return *machine; }
  const device::Settings& given() const { return settings; }

 private:
  PassOptions options;
  device::Settings settings;
  const std::vector<GivenFile>* all = nullptr;
  std::vector<target::Target> targets;
  const target::Target* machine;
  std::unique_ptr<analysis::FactsCache> facts;
  std::map<const GivenFile*, std::map<const frontend::ImportedKernel*, RunnableKernel>> runnable;
};

}  // namespace hone::cli
