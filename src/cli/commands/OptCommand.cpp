// hone opt: kernels rewritten by a recipe, in the files they stand in.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/choose/ChooseRecipes.h"
#include "cli/choose/TunePage.h"
#include "cli/commands/Command.h"
#include "cli/commands/OptCommand.h"
#include "cli/inputs/GivenRecipe.h"
#include "cli/inputs/ProjectFile.h"
#include "cli/rewrite/EmitOther.h"
#include "emit/EmitPlan.h"
#include "ir/Error.h"
#include "passes/recipe/Registry.h"

namespace hone::cli {

namespace {

const char* const helpFooter =
    "Without --recipe a recipe is chosen for each kernel by estimated time on the target (docs/choosing.md). "
    "Results are "
    "compared\n"
    "with the original on the embedded device, then written: beside the original with a launch function "
    "where grid or "
    "block change,\n"
    "else in its place. All other bytes stay. What hone cannot take is left alone, with the reason on "
    "stderr;\n"
    "so is a kernel of which no run of that comparison executed what changed (--strict: status 1).\n\n"
    "Without -o, --in-place or --diff the new text of the one file goes to stdout.\n"
    "With k.cl goes k.hone.h: functions NAME_enqueue for the host program (docs/opencl.md).\n\n"
    "Examples:\n"
    "  hone opt matmul.cu -o fast.cu                      choose, verify, write\n"
    "  hone opt matmul.cu --set w=4096 --target a100 --candidates 10\n"
    "  hone opt sum.cu --reassociate --diff               sums may be reordered\n"
    "  hone opt a.cu b.cu --recipe 'block(x=256) unroll' --in-place   a given recipe, both files and their "
    "headers\n"
    "  hone opt k.cl --recipe '' --kernel blur -- -DN=16  one kernel re-emitted, with an OpenCL build "
    "option\n"
    "  hone opt k.cu --recipe '' --emit opencl -o k.cl    the kernels alone, as OpenCL\n"
    "  hone opt src/main.cu -p build --diff               flags from build/compile_commands.json\n"
    "  hone opt -p build --in-place                       every file that it lists; src: those below src\n"
    "  hone opt -p build --check --baseline hone.json     for CI: what is new since the baseline";

// The plan as it is between two passes, to stderr.
void printPlan(const passes::PassCall& call, const ir::Plan& plan) {
  emit::PlanSite site;
  site.title = site.original = plan.original->name;
  site.space = plan.original->name + "_hone";
  site.launch = plan.original->name + "_launch";
  emit::EmitOptions options;
  options.language = plan.original->language;
  emit::PlanText text = emit::emitPlan(plan, site, options);
  fmt::print(stderr, "after {}:\n{}\n\n", passes::str(call),
             text.ok() ? text.text : text.errors.front().reason);
}

}  // namespace

void OptCommand::addOptions(CLI::App& app) {
  KernelOptions::addFiles(app,
                          "source files; give all files of a program to let hone see every launch. A folder "
                          "stands for the files below it that the database of -p lists; no file at all for "
                          "every file of it",
                          false);
  recipeOption = app.add_option("--recipe", recipe,
                                "passes to apply, see `hone passes`; '' re-emits each kernel unchanged");
  addOutput(app);
  app.add_option("--emit", emitLanguage, "print the kernels alone in this language instead of patching")
      ->check(CLI::IsMember({"cuda", "opencl"}));
  app.add_option("--print-after", printAfter,
                 "show each kernel after this pass on stderr; 'all': after every pass")
      ->type_name("PASS");
  app.add_option("--candidates", candidates,
                 "list the best N recipes of each kernel by estimated time, write nothing")
      ->type_name("N");
  app.add_flag("--estimate", estimate,
               "with --recipe: show what each kernel would cost before and after it, write nothing");
  app.add_option("--report", page, "write what was changed, why and what it should bring as a page of HTML")
      ->type_name("FILE.html");
  app.add_flag("--trust-sizes", trustSizes,
               "take a choice made for sizes that were guessed for every size, without tests where it pays");
  app.add_flag("--no-verify", noVerify, "do not compare the result with the original on the embedded device");
  app.add_flag(
      "--strict", strict,
      "status 1 where a kernel is left alone because no run could compare what would take its place");
  app.add_flag(
      "--self-check", rewrite.selfCheck,
      "add a function NAME_self_check that runs both kernels on the caller's data and compares (CUDA)");
  app.add_flag("-v,--verbose", output.isVerbose,
               "say for each kernel what other passes were tried and why not");
  app.add_flag("-q,--quiet", output.isQuiet, "say nothing but errors")->excludes("--verbose");
  const char* ci = "For CI";
  app.add_flag(
         "--check", check,
         "change nothing: report what is wrong with the kernels, and those that hone would make faster; "
         "status 1 where there is something, see docs/project.md")
      ->group(ci);
  app.add_option("--baseline", baseline, "with --check: what this file holds does not count")
      ->type_name("FILE")
      ->group(ci);
  app.add_flag("--write-baseline", writeBaseline, "with --check: write all that is found to the baseline")
      ->group(ci);
  app.add_option("--gain", gain, "with --check: the least estimated gain that is reported (default 1.1)")
      ->check(CLI::Range(1.0, 1e9))
      ->type_name("TIMES")
      ->group(ci);
  app.add_flag("--no-guessed", noGuessed,
               "with --check: leave out what was found at sizes that were guessed or with made-up data")
      ->group(ci);
  app.add_option("--sarif", sarif, "with --check: write what is new to FILE as SARIF 2.1.0")
      ->type_name("FILE")
      ->group(ci);
  app.add_option("--annotations", annotations, "with --check: github prints a workflow command for each, too")
      ->check(CLI::IsMember({"github"}))
      ->group(ci);
  const char* many = "Many files";
  app.add_option("--minutes", minutes, "of a run over a database, or with --check; what is left then is said")
      ->check(CLI::PositiveNumber)
      ->type_name("M")
      ->group(many);
  app.add_option("--file-minutes", fileMinutes, "the same for the files of one program (default 10 a file)")
      ->check(CLI::PositiveNumber)
      ->type_name("M")
      ->group(many);
  addRest(app);
  app.add_flag("--no-recheck", noRecheck,
               "do not read the result back to compare it with what it was made from");
}

void OptCommand::takeOptions() {
  parsed = givenRecipe(recipe);
  if (!printAfter.empty() && printAfter != "all" && !passes::findPass(printAfter))
    throw Error(fmt::format("--print-after {}: there is no such pass; `hone passes` lists those there are",
                            printAfter));
  if (candidates && hasRecipe()) throw Error("--candidates looks for recipes: leave --recipe out");
  if (!page.empty() && (hasRecipe() || candidates || !emitLanguage.empty()))
    throw Error("--report shows what was chosen: leave --recipe, --candidates and --emit out");
  if (!check &&
      (writeBaseline || noGuessed || gain || !sarif.empty() || !baseline.empty() || !annotations.empty()))
    throw Error(
        "--baseline, --write-baseline, --gain, --no-guessed, --sarif and --annotations go with --check");
  if (estimate && !hasRecipe())
    throw Error("--estimate wants a --recipe; --candidates estimates those that hone would try");
}

void OptCommand::takeProjectOptions() {
  const ProjectFile* project = parse.project.get();
  if (!project) return;
  trustSizes |= project->trustSizes;
  strict |= project->strict;
  rewrite.selfCheck |= project->selfCheck;
}

bool OptCommand::hasRecipe() const { return recipeOption->count() > 0; }

int OptCommand::run(PassSetup& setup, const Arguments& arguments, RewriteCounts* counts) {
  const bool printAll = printAfter == "all";
  const passes::Pass* printed = passes::findPass(printAfter);
  RecipeChooser chooser(setup, names,
                        {!noVerify, trustSizes, cases.runOptions(), candidates, !page.empty(), output.isQuiet,
                         output.isVerbose, !kernels.empty(), share});
  auto showPlan = [&](const passes::PassCall& call, const ir::Plan& plan) {
    if (printAll || printed == call.pass) printPlan(call, plan);
  };
  if (!hasRecipe())
    rewrite.make = [&](const GivenFile& file, const frontend::ImportedKernel& kernel) {
      return chooser.choose(file, kernel);
    };
  else if (!parsed.isIdentity())
    rewrite.make = [&](const GivenFile& file, const frontend::ImportedKernel& kernel) {
      return chooser.apply(file, kernel, parsed, showPlan);
    };
  rewrite.recheck = !noRecheck;
  if (hasRecipe()) rewrite.onlyWhereLaunched = false;
  output.enqueueHeaders = static_cast<bool>(rewrite.make);
  std::vector<GivenFile> files;
  if (!import("hone opt", setup, files)) return exitCode;
  if (candidates || estimate) {
    for (const GivenFile& file : files)
      for (const frontend::ImportedKernel& kernel : file.import.kernels) {
        if (!kernel.kernel || kernel.isInSystemHeader || !isWanted(kernel, rewrite.kernels)) continue;
        if (estimate)
          chooser.estimate(file, kernel, parsed);
        else
          chooser.choose(file, kernel);
      }
    return exitDone;
  }
  if (!emitLanguage.empty()) return emitOther(files, rewrite, emitLanguage, output, json);

  RewriteProgram program(files, rewrite);
  program.run();
  if (!page.empty()) {
    writeTunePage(page, chooser.reports(), program, names, commandText("hone opt", arguments));
    fmt::print(stderr, "report: {}\n", page);
  }
  leftForTime = chooser.leftForTime();
  if (counts) *counts = countKernels(program.outcomes());
  const int status = output.write(program, files, recipe, json);
  return status == exitDone && strict && chooser.leftUncompared() > 0 ? int(exitCode) : status;
}

int runOpt(const Arguments& arguments) {
  CLI::App app(
      "Makes the kernels of CUDA and OpenCL files faster, by a recipe that it chooses or is given, and puts "
      "them back in place.",
      "hone opt");
  OptCommand command;
  command.addOptions(app);
  app.footer(helpFooter);
  if (!parseArguments(app, arguments, true)) return exitDone;
  command.takeOptions();
  command.isTargetOfProject = command.cases.target.empty();
  PassSetup setup = command.setUp(arguments);
  command.takeProjectOptions();
  ChosenFiles chosen = chooseFiles(command.paths, command.parse);
  command.isTargetOfProject = command.isTargetOfProject && command.parse.project;
  if (command.check) return optCheck(command, setup, chosen);
  if (chosen.areOfDatabase) return optDatabase(command, setup, arguments, chosen);
  if (command.minutes || command.fileMinutes)
    throw Error("--minutes and --file-minutes are for runs over a compilation database (-p) and for --check");
  command.checkOutput(!command.emitLanguage.empty());
  return command.run(setup, arguments, nullptr);
}

}  // namespace hone::cli
