// hone verify: do two kernels, or a kernel and what a recipe makes of it, do the same?
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands/Command.h"
#include "cli/inputs/CaseOptions.h"
#include "cli/inputs/GivenRecipe.h"
#include "cli/inputs/KernelOptions.h"
#include "cli/inputs/PassSetup.h"
#include "cli/inputs/ProjectFile.h"
#include "cli/inputs/SeveralCaptures.h"
#include "cli/inputs/TakeBack.h"
#include "cli/programs/VerifyPrograms.h"
#include "cli/rewrite/OptOutput.h"
#include "device/Judge.h"
#include "frontend/CompilerFlags.h"
#include "ir/Error.h"
#include "ir/Nearest.h"
#include "report/JudgeReport.h"
#include "report/Progress.h"

namespace hone::cli {

namespace {

struct Pair {
  const RunnableKernel* first = nullptr;
  ir::PlanPtr other;
  std::string problem;
};

// The kernel of the second file that answers to one of the first: by name and template arguments, or the only
// one there is.
const frontend::ImportedKernel* counterpart(const RunnableKernel& first, const GivenFile& second,
                                            const std::string& wanted) {
  std::vector<const frontend::ImportedKernel*> candidates;
  for (const frontend::ImportedKernel& kernel : second.import.kernels) {
    if (kernel.isInSystemHeader || kernel.isUninstantiated) continue;
    if (!wanted.empty()
            ? isNamed(wanted, kernel.name, kernel.qualifiedName, kernel.templateArgs)
            : kernel.qualifiedName == first.imported->qualifiedName &&
                  (kernel.templateArgs == first.imported->templateArgs || kernel.templateArgs.empty()))
      candidates.push_back(&kernel);
  }
  return candidates.empty() ? nullptr : candidates.front();
}

// The function that launches what hone wrote beside the kernel; empty: it wrote nothing there.
std::string launchFunctionBeside(const frontend::ImportedKernel& kernel) {
  if (!kernel.loc.valid()) return "";
  const std::string name = withArguments(kernel.qualifiedName, kernel.templateArgs);
  for (const emit::MarkedBlock& block : emit::findMarks(readFile(*kernel.loc.file)).blocks)
    if (const std::set<std::string> functions = launchFunctions(block.text);
        block.kernel == name && block.original.empty() && !functions.empty())
      return *functions.begin();
  return "";
}

}  // namespace

int runVerify(const Arguments& arguments) {
  CLI::App app(
      "Runs two kernels on the same inputs at several sizes (multiples of the block and not, 1, primes) and "
      "compares what they\n"
      "leave in memory, bit for bit; runs all checks of hone check on the second. Or one file and a recipe: "
      "the kernel against\n"
      "what the recipe makes of it.",
      "hone verify");
  std::vector<std::string> paths;
  std::string kernelName, otherName, json, recipeText;
  bool exact = false;
  PassOptions passOptions;
  ParseOptions parse;
  CaseOptions cases;
  app.add_option("FILE", paths, "the original, and the file to compare with it")->required()->expected(1, 2);
  CLI::Option* recipeOption =
      app.add_option("--recipe", recipeText, "compare with what these passes make of the kernel")
          ->type_name("PASSES");
  app.add_option("--kernel", kernelName, "only this kernel")->type_name("NAME");
  app.add_option("--with", otherName, "the kernel to compare it with, where that has another name")
      ->type_name("NAME");
  app.add_option("--json", json,
                 "write the result as JSON to FILE (- for stdout, instead of text), see docs/json.md")
      ->type_name("FILE");
  app.add_flag("--exact", exact, "only the sizes given or guessed, no others");
  app.add_flag("--reassociate", passOptions.reassociate,
               "floats may differ as a change of the order of operations explains");
  app.add_flag("--assume-noalias", passOptions.assumeNoalias,
               "with --recipe: no two pointers handed to a kernel overlap");
  app.add_option("--unordered", cases.unordered,
                 "an output whose elements may come in any order (recognised where atomics append)")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  bool program = false;
  std::string buildFlags;
  app.add_flag(
      "--program", program,
      "compare whole CUDA programs instead: files or folders with main, built and run as by hone run; what "
      "follows -- are their arguments");
  app.add_option("--flags", buildFlags, "with --program: compiler flags for both")->type_name("FLAGS");
  addCaseOptions(app, cases);
  addParseOptions(app, parse);
  app.footer(
      "Kernels are matched by name, parameters by position. Sizes, grid and data come from where hone check "
      "takes them; the grid\n"
      "follows the sizes as the launch or the kernel's own bounds say. Inputs are restored and outputs "
      "poisoned before each run.\n"
      "Bytes that the original leaves as they were must stay so. NaN on one side is a difference; on both it "
      "says nothing and is\n"
      "counted apart. Findings that the original has too are shown and do not count.\n\n"
      "Exit status: 0 equal and clean, 1 not, 2 the command is wrong or a kernel could not be run.\n\n"
      "Examples:\n"
      "  hone verify matmul.cu matmul.fast.cu\n"
      "  hone verify sum.cu sum2.cu --set n=1000 --length in=n --reassociate\n"
      "  hone verify copy.cu copy2.cu --alias dst=src+16          overlapping arrays\n"
      "  hone verify --program main.cu main.hone.cu -- 1000        what whole programs print and write\n"
      "  hone verify k.cu --recipe 'inline(all=1)'\n"
      "  hone verify a.cl b.cl --kernel blur --with blur_tiled --json result.json");
  if (!parseArguments(app, arguments, true)) return exitDone;
  if (program) {
    if (paths.size() != 2) throw Error("--program compares two programs: give two files or folders");
    return verifyPrograms(
        {paths[0], paths[1], frontend::splitCommandLine(buildFlags), arguments.compilerFlags});
  }
  const bool hasRecipe = recipeOption->count() > 0;
  if (hasRecipe && paths.size() > 1)
    throw Error("two files and a recipe: give one file with --recipe, or two without");
  if (!hasRecipe && paths.size() < 2 && otherName.empty())
    throw Error(
        "one file alone: give a second one, or --recipe, or --kernel and --with for two kernels of it");
  if (!otherName.empty() && kernelName.empty()) throw Error("--with needs --kernel");
  parse.flags = arguments.compilerFlags;
  cases.areCapturesOfProject = cases.captures.empty();
  takeProject(parse, &cases.target, &cases.captures);
  loadDatabase(parse);
  passes::Recipe recipe;
  if (hasRecipe) recipe = givenRecipe(recipeText);
  device::Settings settings = cases.settings();
  device::JudgeOptions options;
  options.run = cases.runOptions();
  options.run.print = [](const std::string&) {};
  options.compile.contract = cases.contract;
  options.compare.reassociate = passOptions.reassociate;
  options.assumeNoalias = passOptions.assumeNoalias;
  passOptions.target = cases.target;
  PassSetup setup(passOptions);
  options.exactSizes = exact;

  DisplayNames names;
  for (const std::string& path : paths) names.give(path);
  GivenFile first = importGiven(paths[0], parse);
  std::optional<GivenFile> second;
  if (paths.size() > 1) second = importGiven(paths[1], parse);
  if (!otherName.empty()) checkKernelNames({otherName}, std::vector<GivenFile>{second ? *second : first});

  report::JudgeReport result;
  result.isVerify = true;
  result.display = [&](const std::string& path) { return names.of(path); };
  auto add = [&](const frontend::ImportedKernel& kernel,
                 const std::string& problem) -> report::JudgedKernel& {
    return result.kernels.emplace_back(
        report::JudgedKernel{kernel.loc.valid() ? names.of(*kernel.loc.file) : paths[0],
                             withArguments(kernel.qualifiedName, kernel.templateArgs),
                             kernel.loc.line,
                             second ? paths[1] : "",
                             problem,
                             {}});
  };
  auto print = [&](const report::JudgedKernel& judged) {
    if (json != "-") fmt::print("{}", report::toText(result, judged)), std::fflush(stdout);
  };
  auto leftAlone = [&](const frontend::ImportedKernel& kernel, const std::string& reason) {
    if (kernel.isUninstantiated) return;
    print(add(kernel, fmt::format("left alone: {}", reason)));
  };
  std::vector<std::string> wanted;
  if (!kernelName.empty()) wanted.push_back(kernelName);
  tellCaptures(settings, {&first, 1}, false);
  std::vector<RunnableKernel> runnable = runnableKernels(first, wanted, settings, leftAlone);
  report::Progress progress(runnable.size());
  size_t matched = 0;
  for (const RunnableKernel& one : runnable) {
    progress.step(one.name);
    ir::PlanPtr original = ir::originalPlan(one.kernel), other;
    if (hasRecipe) {
      passes::PassContext context = setup.contextFor(*one.maker);
      passes::PassResult made = passes::applyWholeRecipe(original, recipe, context);
      if (made.refusal) {
        print(add(*one.imported, fmt::format("the recipe leaves it alone: {}", made.refusal->reason)));
        continue;
      }
      other = made.plan;
    } else {
      const frontend::ImportedKernel* found = counterpart(one, second ? *second : first, otherName);
      if (!found) {
        print(add(*one.imported, fmt::format("{} has no kernel of this name; --kernel and --with name a pair",
                                             paths.back())));
        continue;
      }
      if (!found->kernel) {
        print(add(*one.imported, fmt::format("the second kernel is left alone: {}", found->reason)));
        continue;
      }
      if (const std::string function = launchFunctionBeside(*found); !function.empty()) {
        print(add(*one.imported,
                  fmt::format("{} has the original, and beside it what hone wrote, which runs "
                              "by `{}`; --program compares programs, --recipe what a recipe makes",
                              paths.back(), function)));
        continue;
      }
      other = ir::originalPlan(found->kernel);
    }
    ++matched;
    report::JudgedKernel& judged = add(*one.imported, "");
    try {
      judged.judgement = device::verify(*one.maker, original, other, options);
    } catch (const Error& error) {
      if (error.status == exitCommand) throw;
      judged.problem = error.what();
    }
    print(judged);
  }
  if (!json.empty()) writeJson(json, report::toJson(result));
  if (result.foundSomething()) return exitCode;
  return result.isComplete() && matched > 0 ? exitDone : exitCommand;
}

}  // namespace hone::cli
