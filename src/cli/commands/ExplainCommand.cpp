// hone explain: what each kernel of the given files is made of.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/commands/Command.h"
#include "cli/inputs/CaseOptions.h"
#include "cli/inputs/KernelOptions.h"
#include "cli/inputs/SeveralCaptures.h"
#include "cli/rewrite/OptOutput.h"
#include "cli/rewrite/RewriteProgram.h"
#include "cli/rewrite/SarifOutput.h"
#include "ir/Dump.h"
#include "ir/Error.h"
#include "report/ExplainKernel.h"
#include "tune/Roof.h"

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

// The block a kernel's facts are for: given, required, as launched, or guessed as `hone check` does.
struct ChosenBlock {
  std::array<unsigned, 3> shape{256, 1, 1};
  std::string from = "guessed";
};

ChosenBlock chooseBlock(const RunnableKernel& kernel, const std::vector<report::ExplainedLaunch>& launches) {
  ChosenBlock out;
  try {
    const device::Case chosen = kernel.maker->make();
    out.shape = chosen.block;
    switch (chosen.blockOrigin) {
      case device::Origin::Given: out.from = "as given"; break;
      case device::Origin::Launch:
        if (const device::CapturedKernel* captured = kernel.maker->captured())
          out.from = "as launched in " + captured->file;
        else
          out.from = launches.empty() ? "as launched" : "as launched at " + launches.front().place;
        break;
      case device::Origin::Guess: break;
    }
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
  }
  if (kernel.kernel->requiredBlock) out = {*kernel.kernel->requiredBlock, "as the kernel requires"};
  return out;
}

report::RoofFacts roofOf(const RunnableKernel& kernel, const target::Target& machine,
                         analysis::Facts& facts) {
  const tune::KernelRoof found = tune::roofOfKernel(*kernel.maker, kernel.kernel, machine, facts);
  report::RoofFacts out;
  out.problem = found.problem;
  if (!out.problem.empty()) return out;
  out.bound = found.roof.what() == sim::Limiter::Dram ? "DRAM" : "arithmetic";
  out.floorSeconds = found.roof.seconds(), out.dramSeconds = found.roof.dramSeconds;
  out.arithmeticSeconds = found.roof.arithmeticSeconds, out.share = found.roof.share();
  out.bytes = found.bytes, out.gigabytes = machine.reachedGBs;
  out.seconds = found.launch.time.seconds, out.startSeconds = tune::startSeconds(found.launch);
  out.limiter = sim::str(found.launch.time.limiter);
  out.sizes = found.sizes, out.whose = found.whose;
  return out;
}

std::optional<report::ExplainedCapture> capturedOf(const device::CaseMaker& maker) {
  const device::CapturedKernel* captured = maker.captured();
  if (!captured) return std::nullopt;
  report::ExplainedCapture out{captured->file, captured->share, captured->sharedOf, captured->hasTimes, {}};
  for (const device::CapturedCase& one : captured->cases) {
    report::ExplainedCapture::Launch& launch = out.launches.emplace_back();
    launch.grid = one.grid, launch.block = one.block;
    launch.times = one.launches, launch.microseconds = one.microseconds;
    for (const auto& [name, value] : one.numbers) launch.numbers[name] = device::str(value);
  }
  return out;
}

}  // namespace

int runExplain(const Arguments& arguments) {
  CLI::App app(
      "Shows what each kernel is made of: parameters, arrays with address space, element type and shape, "
      "loops, each\n"
      "access with its handle, subscript, loops and guard, what it assumes about its launch, launches in "
      "sight; "
      "and what\n"
      "is known about its memory accesses for a block shape and a target: cost, footprint, sharing, what "
      "could be "
      "done.",
      "hone explain");
  KernelOptions input;
  CaseOptions cases;
  std::string sarif, colour = "auto";
  std::string &targetName = cases.target, &blockText = cases.block;
  bool dumpIr = false, noFacts = false;
  input.addFiles(app);
  input.addKernels(app);
  input.addJson(app, "write the same as JSON to FILE (- for stdout, instead of text)");
  app.add_option("--block", blockText,
                 "block shape the facts are for, like 16x16 (default: as launched in the file, else a guess)")
      ->type_name("SHAPE");
  app.add_option("--target", targetName, "GPU whose rules count, see `hone targets` (default: h200)")
      ->type_name("NAME");
  app.add_option("--capture", cases.captures, "what the program launched: a file that hone capture wrote")
      ->type_name("FILE")
      ->take_all()
      ->expected(1);
  app.add_option("--sarif", sarif, "write the remarks to FILE as SARIF 2.1.0, for editors and code review")
      ->type_name("FILE");
  app.add_option("--color", colour, "auto, always or never")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_flag("--no-facts", noFacts, "leave out what needs a block shape and a target");
  app.add_flag("--dump-ir", dumpIr, "print each kernel in hone's own form instead");
  input.addParser(app);
  app.footer(
      "Handles name accesses and loops in recipes: a#2 is the second access of array a, L1.2 the second loop "
      "inside the\n"
      "first.\n\n"
      "Examples:\n"
      "  hone explain kernels.cu\n"
      "  hone explain kernels.cu main.cu --kernel matmul    launches in main.cu are listed too\n"
      "  hone explain kernels.cu --block 32x8 --target a100   facts for that block and GPU\n"
      "  hone explain kernels.cu --capture run.capture        with the launches that a program made\n"
      "  hone explain blur.cl --json blur.json --sarif blur.sarif -- -DRADIUS=4");
  if (!parseArguments(app, arguments, true)) return exitDone;
  cases.areCapturesOfProject = cases.captures.empty();
  input.take(arguments, &targetName, &cases.captures);
  if (targetName.empty()) targetName = "h200";

  std::vector<GivenFile> files;
  const DisplayNames& names = input.names;
  const std::vector<std::string>& kernels = input.kernels;
  int status = exitDone;
  for (const std::string& path : input.paths) {
    GivenFile file = readGiven(path, input.parse);
    if (!file.import.parsed || file.import.hasErrorsOutsideHostCode) status = exitCode;
    if (file.import.parsed && file.import.kernels.empty()) fmt::print(stderr, "{}: no kernel in it\n", path);
    files.push_back(std::move(file));
  }
  if (std::any_of(files.begin(), files.end(), [](const GivenFile& f) { return f.import.parsed; }))
    checkKernelNames(kernels, files);

  const std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  const target::Target& machine = target::findTarget(targets, targetName);
  const device::Settings settings = cases.settings();
  tellCaptures(settings, files, true, &machine);
  const bool colours =
      colour == "always" || (colour == "auto" && isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"));
  std::vector<report::RemarkedKernel> remarked;
  nlohmann::ordered_json all;
  all["kernels"] = nlohmann::ordered_json::array();
  std::set<std::string> seen;
  bool isFirst = true;
  for (const GivenFile& file : files) {
    std::map<const ImportedKernel*, RunnableKernel> runnable;
    if (!noFacts && !dumpIr && file.import.parsed && !file.import.kernels.empty())
      for (RunnableKernel& one : runnableKernels(file, {}, settings, [](const auto&, const auto&) {}, files))
        runnable.emplace(one.imported, std::move(one));
    for (const ImportedKernel& kernel : file.import.kernels) {
      if (kernel.isInSystemHeader) continue;
      if (!isWanted(kernel, kernels)) continue;
      std::string place = placeOf(kernel.loc, names);
      if (!seen.insert(place + " " + withArguments(kernel.qualifiedName, kernel.templateArgs)).second)
        continue;
      if (dumpIr && kernel.kernel) {
        fmt::print("{}", ir::dump(*kernel.kernel));
        continue;
      }
      report::KernelExplanation out;
      if (kernel.kernel) out = report::explainKernel(kernel.kernel);
      out.file = kernel.loc.valid() ? names.of(*kernel.loc.file) : file.path;
      out.line = kernel.loc.line;
      out.name = kernel.qualifiedName;
      out.language = file.import.module.language == ir::Language::OpenCL ? "opencl" : "cuda";
      out.templateArgs = kernel.templateArgs;
      out.reason = kernel.kernel ? "" : kernel.reason;
      out.reasonAt = kernel.kernel ? "" : placeOf(kernel.reasonLoc, names);
      out.addressTaken = kernel.addressTaken;
      out.launches = launchesOf(kernel, files, names);
      if (auto found = runnable.find(&kernel); found != runnable.end() && kernel.kernel) {
        out.captured = capturedOf(*found->second.maker);
        const ChosenBlock block = chooseBlock(found->second, out.launches);
        const auto start = std::chrono::steady_clock::now();
        analysis::Facts facts(kernel.kernel, block.shape, machine);
        out.facts = report::reportFacts(facts);
        out.facts->milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        out.facts->blockFrom = block.from;
        out.facts->roof = roofOf(found->second, machine, facts);
        remarked.push_back({withArguments(kernel.qualifiedName, kernel.templateArgs), out.facts->remarks});
      }
      all["kernels"].push_back(report::toJson(out));
      if (input.json == "-") continue;
      fmt::print("{}{}", isFirst ? "" : "\n", report::toText(out, colours));
      isFirst = false;
    }
  }
  if (!input.json.empty())
    writeJson(input.json, all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  if (!sarif.empty())
    writeSarif(sarif, report::toFindings(remarked, canonicalPath), report::explainRules(), input.parse);
  return status;
}

}  // namespace hone::cli
