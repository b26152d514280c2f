// hone explain: what each kernel of the given files is made of.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/Command.h"
#include "cli/OptOutput.h"
#include "cli/RewriteProgram.h"
#include "ir/Dump.h"
#include "report/ExplainKernel.h"

namespace hone::cli {

namespace {

using frontend::ImportedKernel;

const char* formName(ir::Launch::Form form) {
  switch (form) {
    case ir::Launch::Form::Chevrons: return "chevrons";
    case ir::Launch::Form::LaunchKernel: return "cudaLaunchKernel";
    case ir::Launch::Form::Cooperative: break;
  }
  return "cudaLaunchCooperativeKernel";
}

// Launches of the kernel in any of the files; those of other instantiations are left out.
std::vector<report::ExplainedLaunch> launchesOf(const ImportedKernel& kernel,
                                                const std::vector<GivenFile>& files,
                                                const DisplayNames& names) {
  std::vector<report::ExplainedLaunch> out;
  for (const GivenFile& file : files) {
    for (const frontend::ImportedLaunch& seen : file.import.launches) {
      const ir::Launch& launch = seen.launch;
      if (launch.kernel != kernel.qualifiedName) continue;
      if (!launch.templateArgs.empty() && !kernel.templateArgs.empty() &&
          launch.templateArgs != kernel.templateArgs)
        continue;
      std::string place = placeOf(launch.loc, names);
      // A header's launch is seen by each file that includes it.
      if (std::any_of(out.begin(), out.end(),
                      [&](const auto& known) { return known.place == place && known.grid == launch.grid; }))
        continue;
      out.push_back({place, formName(launch.form), launch.grid, launch.block, launch.shared, launch.stream,
                     launch.templateArgs, launch.args, launch.inMacro});
    }
  }
  return out;
}

}  // namespace

int runExplain(const Arguments& arguments) {
  CLI::App app(
      "Shows what each kernel is made of: parameters, arrays with address space, element type and shape, "
      "loops, each\n"
      "access with its handle, subscript, loops and guard, what it assumes about its launch, and launches in "
      "sight.",
      "hone explain");
  std::vector<std::string> paths, kernels;
  std::string json;
  bool dumpIr = false;
  ParseOptions parse;
  app.add_option("FILE", paths, "source files")->required();
  app.add_option("--kernel", kernels, "only this kernel (repeat for several)")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  app.add_option("--json", json,
                 "write the same as JSON to FILE (- for stdout, instead of text), see docs/json.md")
      ->type_name("FILE");
  app.add_flag("--dump-ir", dumpIr, "print each kernel in hone's own form instead");
  addParseOptions(app, parse);
  app.footer(
      "Handles name accesses and loops in recipes: a#2 is the second access of array a, L1.2 the second loop "
      "inside the\n"
      "first.\n\n"
      "Examples:\n"
      "  hone explain kernels.cu\n"
      "  hone explain kernels.cu main.cu --kernel matmul    launches in main.cu are listed too\n"
      "  hone explain blur.cl --json blur.json -- -DRADIUS=4");
  if (!parseArguments(app, arguments, true)) return exitDone;
  parse.flags = arguments.compilerFlags;
  loadDatabase(parse);

  std::vector<GivenFile> files;
  DisplayNames names;
  int status = exitDone;
  for (const std::string& path : paths) {
    checkInput(path);
    names.give(path);
    GivenFile file{path, canonicalPath(path), requestFor(path, parse), {}};
    file.import = frontend::importFile(file.request);
    const std::string& shown = file.import.parsed ? file.import.renderedDiagnostics : file.import.failure;
    if (!file.import.parsed || file.import.hasErrorsOutsideHostCode) {
      fmt::print(stderr, "{}{}", shown, shown.ends_with('\n') ? "" : "\n");
      status = exitCode;
    }
    for (const std::string& note : file.import.notes) fmt::print(stderr, "{}: note: {}\n", path, note);
    if (file.import.parsed && file.import.kernels.empty()) fmt::print(stderr, "{}: no kernel in it\n", path);
    files.push_back(std::move(file));
  }
  if (std::any_of(files.begin(), files.end(), [](const GivenFile& f) { return f.import.parsed; }))
    checkKernelNames(kernels, files);

  nlohmann::ordered_json all;
  all["kernels"] = nlohmann::ordered_json::array();
  std::set<std::string> seen;
  bool isFirst = true;
  for (const GivenFile& file : files) {
    for (const ImportedKernel& kernel : file.import.kernels) {
      if (kernel.isInSystemHeader) continue;
      if (!kernels.empty() && std::none_of(kernels.begin(), kernels.end(), [&](const std::string& name) {
            return isNamed(name, kernel.name, kernel.qualifiedName, kernel.templateArgs);
          }))
        continue;
      std::string place = placeOf(kernel.loc, names);
      if (!seen.insert(place + " " + withArguments(kernel.qualifiedName, kernel.templateArgs)).second)
        continue;
      if (dumpIr && kernel.kernel) {
        fmt::print("{}", ir::dump(*kernel.kernel));
        continue;
      }
      report::KernelExplanation out;
      if (kernel.kernel) out = report::explainKernel(*kernel.kernel);
      out.file = kernel.loc.valid() ? names.of(*kernel.loc.file) : file.path;
      out.line = kernel.loc.line;
      out.name = kernel.qualifiedName;
      out.language = file.import.module.language == ir::Language::OpenCL ? "opencl" : "cuda";
      out.templateArgs = kernel.templateArgs;
      out.reason = kernel.kernel ? "" : kernel.reason;
      out.reasonAt = kernel.kernel ? "" : placeOf(kernel.reasonLoc, names);
      out.addressTaken = kernel.addressTaken;
      out.launches = launchesOf(kernel, files, names);
      all["kernels"].push_back(report::toJson(out));
      if (json == "-") continue;
      fmt::print("{}{}", isFirst ? "" : "\n", report::toText(out));
      isFirst = false;
    }
  }
  if (!json.empty())
    writeJson(json, all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  return status;
}

}  // namespace hone::cli
