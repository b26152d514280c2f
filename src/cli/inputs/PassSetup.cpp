#include "cli/inputs/PassSetup.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/inputs/Arguments.h"
#include "ir/Error.h"
#include "sim/execute/Run.h"
#include "sim/model/ArraysInRegisters.h"
#include "sim/model/EstimateRegisters.h"

namespace hone::cli {

void addPassOptions(CLI::App& app, PassOptions& options) {
  app.add_flag("--reassociate", options.reassociate, "the order of floating-point sums may change");
  app.add_flag("--assume-noalias", options.assumeNoalias, "no two pointers handed to a kernel overlap");
}

namespace {

std::vector<target::Target> targetsFor(const PassOptions& options) {
  std::vector<target::Target> all = target::loadTargets(target::targetsFolder());
  for (target::Target& one : all) {
    one.lowest = options.lowest;
    if (options.lowest && one.computeCapability && *options.lowest < *one.computeCapability)
      one.title += fmt::format(" with code for {}, too,", options.lowest->str());
  }
  return all;
}

}  // namespace

PassSetup::PassSetup(const PassOptions& given, device::Settings commandLine)
    : options(given),
      settings(std::move(commandLine)),
      targets(targetsFor(given)),
      machine(&target::findTarget(targets, given.target.empty() ? "h200" : given.target)),
      facts(std::make_unique<analysis::FactsCache>(*machine)) {}

passes::PassContext PassSetup::contextFor(const device::CaseMaker& maker) {
  passes::PassContext context{*machine, *facts};
  context.block = {256, 1, 1};
  try {
    context.block = maker.make().block;
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
  }
  if (const auto& temporary = maker.settings().temporary; !temporary.empty()) {
    context.outputs.emplace();
    for (const auto& [name, known] : maker.facts().arrays)
      if (!temporary.contains(name)) context.outputs->insert(name);
  }
  context.reassociate =
      options.reassociate || (maker.settings().reassociate && maker.settings().reassociate->isOn);
  context.assumeNoalias = options.assumeNoalias;
  context.registers = [](const ir::Kernel& kernel, const target::Target& target) -> std::optional<unsigned> {
    try {
      return sim::estimateRegisters(
          sim::compile(*sim::arraysInRegisters(std::make_shared<ir::Kernel>(kernel), target.compiler), {}),
          target);
    } catch (const Error&) {
      return std::nullopt;  // the device cannot run it, so nobody can say
    }
  };
  return context;
}

const device::CaseMaker& PassSetup::makerOf(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  auto [at, isNew] = runnable.try_emplace(&file);
  if (isNew) {
    static const std::vector<GivenFile> none;
    for (RunnableKernel& one :
         runnableKernels(file, {}, settings, [](const auto&, const auto&) {}, all ? *all : none))
      at->second.emplace(one.imported, std::move(one));
  }
  return *at->second.at(&kernel).maker;
}

passes::PassContext PassSetup::contextFor(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  return contextFor(makerOf(file, kernel));
}

}  // namespace hone::cli
