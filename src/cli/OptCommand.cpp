// hone opt: kernels rewritten by a recipe, in the files they stand in.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/ChooseRecipes.h"
#include "cli/Command.h"
#include "cli/EmitOther.h"
#include "cli/ImportFiles.h"
#include "cli/OptOutput.h"
#include "cli/PassSetup.h"
#include "cli/RewriteProgram.h"
#include "emit/EmitPlan.h"
#include "ir/Error.h"
#include "passes/Recipe.h"

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
    "stderr.\n\n"
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
    "  hone opt src/main.cu -p build --diff               flags from build/compile_commands.json";

// The plan as it is between two passes, to stderr.
void printPlan(const passes::PassCall& call, const ir::Plan& plan) {
  passes::Recipe one;
  one.calls = {call};
  emit::PlanSite site;
  site.title = site.original = plan.original->name;
  site.space = plan.original->name + "_hone";
  site.launch = plan.original->name + "_launch";
  emit::EmitOptions options;
  options.language = plan.original->language;
  emit::PlanText text = emit::emitPlan(plan, site, options);
  fmt::print(stderr, "after {}:\n{}\n\n", passes::str(one),
             text.ok() ? text.text : text.errors.front().reason);
}

}  // namespace

int runOpt(const Arguments& arguments) {
  CLI::App app(
      "Makes the kernels of CUDA and OpenCL files faster, by a recipe that it chooses or is given, and puts "
      "them back in place.",
      "hone opt");
  std::vector<std::string> paths;
  std::string recipe;
  OptOutput output;
  RewriteOptions rewrite;
  ParseOptions parse;
  std::string emitLanguage, json;
  std::string printAfter;
  bool noRecheck = false, keepGoing = false;
  app.add_option("FILE", paths, "source files; give all files of a program to let hone see every launch")
      ->required();
  auto* recipeOption = app.add_option(
      "--recipe", recipe, "passes to apply, see `hone passes`; '' re-emits each kernel unchanged");
  app.add_option("-o", output.path, "where to write: a file, or a folder that gets a mirrored tree")
      ->type_name("FILE|DIR");
  app.add_flag("--in-place", output.inPlace, "change the files themselves, all of them or none");
  app.add_flag("--diff", output.diff, "change nothing, print a unified diff");
  app.add_option("--kernel", rewrite.kernels,
                 "only this kernel (repeat for several): name, ns::name or name<int, 4>")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  app.add_option("--emit", emitLanguage, "print the kernels alone in this language instead of patching")
      ->check(CLI::IsMember({"cuda", "opencl"}));
  app.add_option("--print-after", printAfter,
                 "show each kernel after this pass on stderr; 'all': after every pass")
      ->type_name("PASS");
  app.add_option("--json", json, "write what was done to FILE (- for stdout), see docs/json.md")
      ->type_name("FILE");
  PassOptions passOptions;
  CaseOptions cases;
  bool noVerify = false;
  size_t candidates = 0;
  app.add_option("--candidates", candidates,
                 "list the best N recipes of each kernel by estimated time, write nothing")
      ->type_name("N");
  bool estimate = false;
  app.add_flag("--estimate", estimate,
               "with --recipe: show what each kernel would cost before and after it, write nothing");
  addPassOptions(app, passOptions, false);
  app.add_flag("--no-verify", noVerify, "do not compare the result with the original on the embedded device");
  app.add_flag(
      "--self-check", rewrite.selfCheck,
      "add a function NAME_self_check that runs both kernels on the caller's data and compares (CUDA)");
  addCaseOptions(app, cases);
  addParseOptions(app, parse);
  app.add_flag("--keep-going", keepGoing,
               "rewrite the kernels that Clang's errors do not reach; else nothing is written");
  app.add_flag("--no-recheck", noRecheck,
               "do not read the result back to compare it with what it was made from");
  app.footer(helpFooter);
  if (!parseArguments(app, arguments, true)) return exitDone;
  const passes::Recipe parsed = passes::parseRecipe(recipe);
  passes::checkRecipe(parsed);
  if (!printAfter.empty() && printAfter != "all" && !passes::findPass(printAfter))
    throw Error(fmt::format("--print-after {}: there is no such pass; `hone passes` lists those there are",
                            printAfter));
  passOptions.target = cases.target;
  PassSetup setup(passOptions, cases.settings());
  rewrite.target = setup.target().name;
  DisplayNames names;
  for (const std::string& path : paths) names.give(path);
  RecipeChooser chooser(setup, names, {!noVerify, cases.runOptions(), candidates});
  auto showPlan = [&](const passes::PassCall& call, const ir::Plan& plan) {
    if (printAfter == "all" || printAfter == call.name) printPlan(call, plan);
  };
  if (!recipeOption->count())
    rewrite.make = [&](const GivenFile& file, const frontend::ImportedKernel& kernel) {
      return chooser.choose(file, kernel);
    };
  else if (!parsed.isIdentity())
    rewrite.make = [&](const GivenFile& file, const frontend::ImportedKernel& kernel) {
      return chooser.apply(file, kernel, parsed, showPlan);
    };
  rewrite.recheck = !noRecheck;
  output.enqueueHeaders = static_cast<bool>(rewrite.make);
  parse.flags = arguments.compilerFlags;
  loadDatabase(parse);
  output.check(paths, !emitLanguage.empty());
  rewrite.mainFilesOnly = !output.takesIncludedFiles();
  rewrite.mainFilesOnlyHint = "use --in-place or -o with a folder to rewrite it there";

  std::vector<GivenFile> files;
  if (!importAll(paths, parse, keepGoing, files)) {
    fmt::print(stderr, "hone opt: nothing was written\n");
    return exitCode;
  }
  checkKernelNames(rewrite.kernels, files);
  setup.lookForLaunchesIn(files);
  if (candidates && recipeOption->count()) throw Error("--candidates looks for recipes: leave --recipe out");
  if (estimate && !recipeOption->count())
    throw Error("--estimate wants a --recipe; --candidates estimates those that hone would try");
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
  return output.write(program, files, recipe, json);
}

}  // namespace hone::cli
