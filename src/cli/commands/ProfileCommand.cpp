// hone profile: what a kernel does to the memory system of a target, counted on the embedded device.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands/Command.h"
#include "cli/inputs/CaseOptions.h"
#include "cli/inputs/KernelOptions.h"
#include "cli/inputs/SeveralCaptures.h"
#include "cli/rewrite/OptOutput.h"
#include "device/CaseMemory.h"
#include "device/ChooseCase.h"
#include "ir/Error.h"
#include "report/KernelProfile.h"
#include "report/Progress.h"
#include "sim/count/Profile.h"
#include "sim/model/EstimateRegisters.h"
#include "target/CoalescingRules.h"

namespace hone::cli {

namespace {

struct ProfileRequest {
  const target::Target* target = nullptr;
  sim::ProfileOptions options;
  unsigned registers = 0;  // 0: estimated
  sim::RunOptions run;
  sim::CompileOptions compile;
};

std::vector<std::string> linesOf(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

// Runs the kernel twice: to find what its arrays need, and to count.
void profileKernel(report::KernelProfile& out, const RunnableKernel& one, const ProfileRequest& request,
                   const DisplayNames& names) {
  const target::Target& target = *request.target;
  device::Programs programs(request.compile);
  const ir::PlanPtr plan = ir::originalPlan(one.kernel);
  const sim::Program& program = programs.of(one.kernel);

  // Lengths are found on the blocks that are counted later.
  sim::Profiling forLengths;
  forLengths.target = &target;
  forLengths.options = request.options;
  forLengths.options.caches = false;
  device::DataOptions dataOptions{request.run, false};
  if (!request.options.exact) dataOptions.run.profiling = &forLengths;
  device::ChosenCase chosen = device::chooseCase(*one.maker, plan, programs, dataOptions, {});

  uint64_t shared = program.staticShared + chosen.data.dynamicShared;
  for (const auto& [name, bytes] : chosen.data.localBytes) shared += bytes;
  out.registers = request.registers ? request.registers : sim::estimateRegisters(program, target);
  out.isRegistersGiven = request.registers != 0;
  const unsigned threads = chosen.c.block[0] * chosen.c.block[1] * chosen.c.block[2];
  out.occupancy = target::occupancyOf(target, {threads, out.registers, static_cast<unsigned>(shared)});
  if (!out.occupancy.blocks)
    throw Error(
        fmt::format(
            "a block of {} threads with {} registers each and {} bytes of shared memory does not fit {} ({})",
            threads, out.registers, shared, target.name, out.occupancy.limiter),
        1);

  sim::Profiling profiling;
  profiling.target = &target;
  profiling.options = request.options;
  profiling.residentBlocks = out.occupancy.blocks;
  const unsigned own = target.sharedPerMultiprocessor - target.sharedPerBlockOptIn;
  profiling.options.sharedInUse = shared ? (shared + own) * out.occupancy.blocks : 0;
  sim::RunOptions run = request.run;
  run.profiling = &profiling;
  device::CaseMemory memory(chosen.c, chosen.data);
  memory.allocate();
  const device::PlanResult result = memory.run(*plan, programs, run);
  for (const sim::Finding& finding : result.findings)
    if (finding.cls != sim::FindingClass::SameValue) {
      out.notes.push_back(
          fmt::format("line {}: {}; `hone check` says more", finding.party.line, finding.message));
      break;
    }
  if (!result.completed && result.findings.empty()) out.notes.push_back("the launch did not come to its end");

  for (const std::string& note : device::notesOf(chosen)) out.notes.push_back(note);
  out.target = target.name;
  out.targetTitle = target.title;
  out.rules = request.options.rules.empty() ? str(target.coalescing) : request.options.rules;
  out.sizes = chosen.c.sizes();
  out.grid = chosen.c.grid;
  out.block = chosen.c.block;
  out.sharedBytes = shared;
  out.blocksCounted = profiling.counters.blocks;
  out.blocksInGrid = profiling.counters.gridBlocks;
  out.counters = sim::wholeGrid(profiling.counters);
  out.time = sim::estimateTime(out.counters, program, target, out.occupancy);
  out.count = sim::countKernel(out.counters, program, target);
  report::addLines(out, program, target, linesOf, [&](const std::string& path) { return names.of(path); });
}

}  // namespace

int runProfile(const Arguments& arguments) {
  CLI::App app(
      "Runs each kernel on the embedded device and counts what it does to a GPU's memory: sectors, bank "
      "conflicts, caches,\n"
      "DRAM traffic, divergence; estimates its time and names what limits it. By kernel and by source line. "
      "No GPU is needed.",
      "hone profile");
  KernelOptions input;
  std::string page;
  CaseOptions cases;
  ProfileRequest request;
  input.addFiles(app);
  input.addKernels(app);
  input.addJson(app, "write the counters as JSON to FILE (- for stdout, instead of text)");
  app.add_option("--report", page, "write a page of HTML with the hot lines to FILE")->type_name("FILE");
  addCaseOptions(app, cases);
  auto counting = [](CLI::Option* option) { option->group("How to count"); };
  counting(app.add_flag("--exact", request.options.exact, "run every block, however large the grid"));
  counting(app.add_option("--sample", request.options.sampleBlocks,
                          "blocks to run of a larger grid; counts are scaled to all (default 2048)")
               ->type_name("N"));
  counting(app.add_option("--registers", request.registers,
                          "registers of a thread, as a compiler reports them (else estimated)")
               ->type_name("N"));
  counting(app.add_option("--rules", request.options.rules,
                          "coalescing rule set in place of the target's: strict16, segments, lines, sectors")
               ->type_name("NAME"));
  input.addParser(app);
  app.footer(
      "Sizes, grid and data are chosen as for `hone check`. Give the sizes that matter: a small problem fits "
      "the caches.\n"
      "A line's cost is the time it would take on each part of the machine by itself, summed; bars show its "
      "share.\n"
      "docs/time-model.md says how the time is estimated.\n\n"
      "Examples:\n"
      "  hone profile matmul.cu --set n=1024 --grid 64x64 --block 16x16\n"
      "  hone profile blur.cl --target a100 --report blur.html\n"
      "  hone profile old.cu --target gtx280 --rules strict16 --json counters.json");
  if (!parseArguments(app, arguments, true)) return exitDone;
  cases.areCapturesOfProject = cases.captures.empty();
  input.take(arguments, &cases.target, &cases.captures);
  if (cases.target.empty()) cases.target = "h200";
  const device::Settings settings = cases.settings();
  request.run = cases.runOptions();
  request.target = request.run.target;
  request.run.checkRaces = request.run.checkUninitialized = false;
  request.run.print = [](const std::string&) {};
  request.compile.contract = cases.contract;
  if (!request.options.rules.empty()) target::coalescingRule(request.options.rules);
  if (request.options.sampleBlocks == 0) throw Error("--sample takes a number of at least 1");
  if (request.registers > request.target->registersPerThread)
    throw Error(fmt::format("--registers {}: a thread of {} has at most {}", request.registers,
                            request.target->name, request.target->registersPerThread));

  const DisplayNames& names = input.names;
  const std::string& json = input.json;
  std::vector<report::KernelProfile> profiles;
  const bool color = isatty(STDOUT_FILENO);
  const std::vector<GivenFile> all = filesByName(input.paths);
  for (const std::string& path : input.paths) {
    GivenFile file = importGiven(path, input.parse, input.paths.size() > 1);
    if (file.import.kernels.empty()) continue;
    auto begin = [&](const frontend::ImportedKernel& kernel) -> report::KernelProfile& {
      report::KernelProfile& out = profiles.emplace_back();
      out.file = kernel.loc.valid() ? names.of(*kernel.loc.file) : path;
      out.line = kernel.loc.line;
      out.name = kernel.qualifiedName;
      out.templateArgs = kernel.templateArgs;
      out.language = file.import.module.language == ir::Language::OpenCL ? "opencl" : "cuda";
      return out;
    };
    auto show = [&](const report::KernelProfile& profile) {
      if (json == "-") return;
      fmt::print("{}{}", profiles.size() > 1 ? "\n" : "", report::toText(profile, color));
      std::fflush(stdout);
    };
    auto leftAlone = [&](const frontend::ImportedKernel& kernel, const std::string& reason) {
      if (kernel.isUninstantiated) return;
      report::KernelProfile& out = begin(kernel);
      out.reason = reason;
      if (kernel.reasonLoc.valid()) out.reasonAt = placeOf(kernel.reasonLoc, names);
      show(out);
    };
    tellCaptures(settings, {&file, 1}, input.paths.size() == 1, request.target);
    std::vector<RunnableKernel> runnable = runnableKernels(file, input.kernels, settings, leftAlone, all);
    report::Progress progress(runnable.size());
    for (const RunnableKernel& one : runnable) {
      progress.step(one.name);
      report::KernelProfile& out = begin(*one.imported);
      try {
        profileKernel(out, one, request, names);
      } catch (const Error& error) {
        if (error.status == exitCommand) throw;
        const std::string text = error.what();
        out.reason = text;
      }
      show(out);
    }
  }
  if (!json.empty()) {
    nlohmann::ordered_json all;
    all["kernels"] = nlohmann::ordered_json::array();
    for (const report::KernelProfile& profile : profiles) all["kernels"].push_back(report::toJson(profile));
    writeJson(json, all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
  if (!page.empty()) {
    std::ofstream out(page, std::ios::binary);
    out << report::toHtml(profiles);
    out.close();
    if (!out) throw Error(fmt::format("{}: cannot be written", page));
  }
  const bool isComplete =
      std::all_of(profiles.begin(), profiles.end(), [](const auto& p) { return p.isProfiled(); });
  return isComplete ? exitDone : exitCommand;
}

}  // namespace hone::cli
