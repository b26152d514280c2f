#include "cli/inputs/KernelOptions.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/BuildOptions.h"
#include "cli/inputs/ProjectFile.h"
#include "ir/Error.h"

namespace hone::cli {

void KernelOptions::addFiles(CLI::App& app, const std::string& what, bool areRequired) {
  app.add_option("FILE", paths, what)->required(areRequired);
}

void KernelOptions::addKernels(CLI::App& app) {
  app.add_option("--kernel", kernels, "only this kernel (repeat for several): name, ns::name or name<int, 4>")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
}

void KernelOptions::addJson(CLI::App& app, const std::string& what) {
  app.add_option("--json", json, what + ", see docs/json.md")->type_name("FILE");
}

void KernelOptions::take(const Arguments& arguments, std::string* target, std::vector<std::string>* captures,
                         bool isQuiet) {
  parse.flags = arguments.compilerFlags;
  takeProject(parse, target, captures, isQuiet);
  loadDatabase(parse);
  for (const std::string& path : paths) names.give(path);
}

GivenFile readGiven(const std::string& path, const ParseOptions& parse) {
  checkInput(path);
  GivenFile file{path, canonicalPath(path), requestFor(path, parse), {}};
  file.import = importAsBuilt(file.request);
  const std::string& shown = file.import.parsed ? file.import.renderedDiagnostics : file.import.failure;
  if (!file.import.parsed || file.import.hasErrorsOutsideHostCode)
    fmt::print(stderr, "{}{}", shown, shown.ends_with('\n') ? "" : "\n");
  for (const std::string& note : file.import.notes) fmt::print(stderr, "{}: note: {}\n", path, note);
  return file;
}

GivenFile importGiven(const std::string& path, const ParseOptions& parse, bool isOneOfSeveral) {
  GivenFile file = readGiven(path, parse);
  if (!file.import.parsed) throw Error(fmt::format("{}: could not be read", path), exitCode);
  if (!file.import.kernels.empty()) return file;
  if (!isOneOfSeveral) throw Error(fmt::format("{}: no kernel in it", path), exitCode);
  fmt::print(stderr, "{}: no kernel in it\n", path);
  return file;
}

}  // namespace hone::cli
