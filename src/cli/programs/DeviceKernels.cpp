#include "cli/programs/DeviceKernels.h"

#include <fmt/core.h>

#include "cli/programs/ExplainBuild.h"
#include "ir/Error.h"
#include "sim/execute/Run.h"

namespace hone::cli {

namespace {

std::string kernelName(const frontend::ImportedKernel& k) {
  std::string name = k.qualifiedName.empty() ? k.name : k.qualifiedName;
  if (!k.templateArgs.empty()) {
    name += "<";
    for (size_t i = 0; i < k.templateArgs.size(); ++i) name += (i ? ", " : "") + k.templateArgs[i];
    name += ">";
  }
  return name;
}

}  // namespace

frontend::ImportResult importKernels(const std::string& path, const std::vector<std::string>& flags,
                                     bool linksDevice, const std::string& directory) {
  frontend::SourceRequest request;
  request.path = path;
  request.flags = flags;
  request.directory = directory;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.toRun = true;
  request.linksDevice = linksDevice;
  frontend::ImportResult imported = frontend::importFile(request);
  if (!imported.parsed) throw Error(explainCompile(imported.failure), 1);
  // The compiler of the host side would wait for who writes to the pipe.
  const bool waits = imported.renderedDiagnostics.find(frontend::pipeOrDevice) != std::string::npos;
  if (waits || (imported.hasErrorsOutsideHostCode && imported.kernels.empty()))
    throw Error(explainCompile(imported.renderedDiagnostics), 1);
  return imported;
}

std::vector<sim::BundledKernel> bundleKernels(const frontend::ImportResult& imported,
                                              std::vector<std::string>& notes, const FindObstacle& find) {
  std::vector<sim::BundledKernel> out;
  for (const frontend::ImportedKernel& k : imported.kernels) {
    if (k.isUninstantiated) continue;
    sim::BundledKernel entry;
    entry.linkageName = k.linkageName;
    entry.name = kernelName(k);
    Obstacle obstacle{k.reason, k.reasonLoc.valid() ? k.reasonLoc : k.loc};
    if (k.kernel) obstacle = find ? find(*k.kernel) : Obstacle{};
    if (obstacle.reason.ends_with(frontend::bodyElsewhere))
      obstacle.reason += "; -rdc=true links device code of several files";
    if (k.kernel && obstacle.reason.empty()) try {
        entry.program = sim::write(sim::compile(*k.kernel, {.checkAssumptions = true}));
      } catch (const Error& e) {
        obstacle = {e.what(), k.loc};
      }
    entry.reason = obstacle.reason;
    if (!entry.reason.empty()) {
      if (obstacle.loc.valid()) entry.file = *obstacle.loc.file, entry.line = obstacle.loc.line;
      notes.push_back(
          fmt::format("{}:{}: kernel {} cannot run: {}", entry.file, entry.line, entry.name, entry.reason));
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace hone::cli
