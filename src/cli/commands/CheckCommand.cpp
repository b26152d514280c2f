// hone check: kernels alone on the embedded device, with all checks.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/commands/Command.h"
#include "cli/inputs/CaseOptions.h"
#include "cli/inputs/KernelOptions.h"
#include "cli/inputs/SeveralCaptures.h"
#include "cli/rewrite/OptOutput.h"
#include "cli/rewrite/SarifOutput.h"
#include "device/Judge.h"
#include "ir/Error.h"
#include "report/JudgeReport.h"
#include "report/Progress.h"

namespace hone::cli {

int runCheck(const Arguments& arguments) {
  CLI::App app(
      "Runs each kernel of the files on the embedded device and reports what is wrong: accesses out of "
      "bounds or\n"
      "misaligned, races, reads of memory that nothing wrote, divergent barriers, missing __syncwarp, "
      "endless loops,\n"
      "division by zero. No GPU is needed.",
      "hone check");
  KernelOptions input;
  CaseOptions cases;
  std::string sarif;
  input.addFiles(app);
  input.addKernels(app);
  app.add_option("--sarif", sarif, "write what was found to FILE as SARIF 2.1.0, for editors and code review")
      ->type_name("FILE");
  input.addJson(app, "write the result as JSON to FILE (- for stdout, instead of text)");
  addCaseOptions(app, cases);
  input.addParser(app);
  app.footer(
      "Sizes, grid and data come from the options, else from `#pragma hone` before the kernel, else from "
      "FILE.hone.toml,\n"
      "else from a launch in the same file, else they are guessed, and the guess is shown as the options "
      "that would give it.\n"
      "Give --length for sharp bounds: an array whose length is found from the kernel's own accesses has "
      "room for all of them.\n\n"
      "  #pragma hone set(n=1000) grid(4) block(256) length(a=n, b=n)\n\n"
      "Exit status: 0 clean, 1 something was found, 2 the command is wrong or a kernel could not be run.\n\n"
      "Examples:\n"
      "  hone check scan.cu                                     sizes and grid by the launch in the file, or "
      "guessed\n"
      "  hone check scan.cu --set n=1000 --grid 4 --block 256 --length in=n --length out=n\n"
      "  hone check blur.cl --kernel blur --input image=cat.npy --save out=blurred.npy -- -DRADIUS=4\n"
      "  hone check queue.cu --schedule random:7                 another order of warps and blocks");
  if (!parseArguments(app, arguments, true)) return exitDone;
  cases.areCapturesOfProject = cases.captures.empty();
  input.take(arguments, &cases.target, &cases.captures);
  device::Settings settings = cases.settings();
  device::JudgeOptions options;
  options.run = cases.runOptions();
  options.compile.contract = cases.contract;
  if (input.json == "-") options.run.print = [](const std::string& text) { fmt::print(stderr, "{}", text); };

  const DisplayNames& names = input.names;
  const std::string& json = input.json;
  report::JudgeReport result;
  result.display = [&](const std::string& path) { return names.of(path); };
  const std::vector<GivenFile> all = filesByName(input.paths);
  bool hasKernels = false;
  for (const std::string& path : input.paths) {
    GivenFile file = importGiven(path, input.parse, input.paths.size() > 1);
    if (file.import.kernels.empty()) continue;
    hasKernels = true;
    auto add = [&](const frontend::ImportedKernel& kernel) -> report::JudgedKernel& {
      return result.kernels.emplace_back(
          report::JudgedKernel{kernel.loc.valid() ? names.of(*kernel.loc.file) : path,
                               withArguments(kernel.qualifiedName, kernel.templateArgs),
                               kernel.loc.line,
                               "",
                               "",
                               {}});
    };
    auto leftAlone = [&](const frontend::ImportedKernel& kernel, const std::string& reason) {
      add(kernel).problem =
          fmt::format("left alone: {}{}", reason,
                      kernel.reasonLoc.valid() ? " (" + placeOf(kernel.reasonLoc, names) + ")" : "");
      if (json != "-") fmt::print("{}", report::toText(result, result.kernels.back()));
      // Nothing is wrong with a template that nobody uses.
      if (kernel.isUninstantiated) result.kernels.pop_back();
    };
    tellCaptures(settings, {&file, 1}, input.paths.size() == 1);
    std::vector<RunnableKernel> runnable = runnableKernels(file, input.kernels, settings, leftAlone, all);
    report::Progress progress(runnable.size());
    for (const RunnableKernel& one : runnable) {
      progress.step(one.name);
      report::JudgedKernel& judged = add(*one.imported);
      try {
        judged.judgement = device::check(*one.maker, one.kernel, options);
      } catch (const Error& error) {
        if (error.status == exitCommand) throw;
        judged.problem = error.what();
      }
      if (json == "-") continue;
      fmt::print("{}", report::toText(result, judged));
      std::fflush(stdout);
    }
  }
  if (!hasKernels) throw Error("none of these files has a kernel", exitCode);
  if (!json.empty()) writeJson(json, report::toJson(result));
  if (!sarif.empty()) {
    std::vector<report::CodeFinding> findings;
    std::vector<std::string> problems;
    for (const report::JudgedKernel& kernel : result.kernels) {
      for (report::CodeFinding& one : report::toFindings(kernel, canonicalPath))
        findings.push_back(std::move(one));
      if (!kernel.problem.empty())
        problems.push_back(fmt::format("kernel {} was not run: {}", kernel.name, kernel.problem));
    }
    writeSarif(sarif, std::move(findings), report::checkRules(), input.parse, problems);
  }
  if (result.foundSomething()) return exitCode;
  return result.isComplete() ? exitDone : exitCommand;
}

}  // namespace hone::cli
