// mutate_plans --count N --draw S -o FOLDER [options of hone opt] FILE: what hone would write for a kernel,
// with one change each time, in files NNN.cu, and in mutants.jsonl a line for each: what was changed, and
// whether verification lets it out. Sizes are trusted: where the original runs because the new version would
// not pay, no change shows, and verification sees the plan without these tests too.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "PlanMutants.h"
#include "cli/choose/ChooseRecipes.h"
#include "cli/commands/RewriteCommand.h"
#include "cli/inputs/Arguments.h"
#include "device/Judge.h"
#include "ir/Error.h"
#include "passes/recipe/ParseRecipe.h"

namespace hone::test {
namespace {

using Json = nlohmann::ordered_json;

class Mutating {
 public:
  int run(const cli::Arguments& arguments) {
    CLI::App app(
        "Writes results of hone opt with one change each, and says which of them verification finds.",
        "mutate_plans");
    common.addFiles(app);
    common.addOutput(app);
    app.add_option("--recipe", recipe, "passes to apply; else they are chosen");
    app.add_option("--count", count, "changes of each kernel");
    app.add_option("--only", only, "changes of this kind alone: test, comparison, barrier, ...");
    app.add_option("--draw", draw, "seed of the choice among them");
    common.addRest(app);
    if (!cli::parseArguments(app, arguments, true)) return 0;
    folder = common.output.path;
    std::filesystem::create_directories(folder);
    cli::PassSetup setup = common.setUp(arguments);
    std::vector<cli::GivenFile> files;
    if (!common.import("mutate_plans", setup, files)) return 1;
    cli::RecipeChooser chooser(setup, common.names, {.trustSizes = true, .run = common.cases.runOptions()});
    const std::optional<passes::Recipe> given =
        recipe.empty() ? std::nullopt : std::optional(passes::parseRecipe(recipe));
    std::ofstream lines(folder / "mutants.jsonl");
    for (const cli::GivenFile& file : files)
      for (const frontend::ImportedKernel& kernel : file.import.kernels) {
        if (!kernel.kernel || kernel.isInSystemHeader || !cli::isWanted(kernel, common.rewrite.kernels))
          continue;
        const cli::MadePlan made =
            given ? chooser.apply(file, kernel, *given, {}) : chooser.choose(file, kernel);
        if (!made.result.plan || made.verified != true) continue;
        std::mt19937_64 engine(draw);
        for (const Mutant& mutant : mutantsOf(made.result.plan, count, engine, only)) {
          Json line{{"file", fmt::format("{:03}.cu", written)},
                    {"kernel", kernel.name},
                    {"recipe", made.recipe},
                    {"change", mutant.change}};
          if (!write(files, file, kernel, mutant)) continue;
          const std::string found = verdict(setup, file, kernel, made, mutant);
          line["killed"] = !found.empty();
          line["found"] = found;
          lines << line.dump() << std::endl;
          ++written;
        }
      }
    return 0;
  }

 private:
  // What verification says against it; empty: it would be written.
  std::string verdict(cli::PassSetup& setup, const cli::GivenFile& file,
                      const frontend::ImportedKernel& kernel, const cli::MadePlan& made,
                      const Mutant& mutant) {
    device::JudgeOptions options;
    options.givenGridIsLaunch = true;
    options.run = common.cases.runOptions();
    options.run.print = [](const std::string&) {};
    const passes::PassContext context = setup.contextFor(file, kernel);
    options.compare.reassociate = passes::changesOrder(
        ir::originalPlan(kernel.kernel), passes::parseRecipe(made.recipe), *made.result.plan, context);
    options.assumeNoalias = context.assumeNoalias;
    try {
      // As for the plan itself, at a launch where the original is clean.
      device::CaseMaker maker = setup.makerOf(file, kernel);
      if (const auto guess = device::check(maker, kernel.kernel, options).guess)
        maker = maker.withGuess(*guess);
      const device::Judgement judged =
          device::verify(maker, ir::originalPlan(kernel.kernel), mutant.plan, options);
      for (const device::JudgedFinding& one : judged.findings)
        if (!one.inOriginal && one.finding.cls != sim::FindingClass::SameValue) return one.finding.message;
      return !judged.equal ? "it differs" : judged.uncompared;
    } catch (const Error& error) {
      return error.what();
    }
  }

  bool write(const std::vector<cli::GivenFile>& files, const cli::GivenFile& file,
             const frontend::ImportedKernel& kernel, const Mutant& mutant) {
    cli::RewriteOptions options = common.rewrite;
    options.recheck = false;
    options.make = [&](const cli::GivenFile&, const frontend::ImportedKernel& other) {
      cli::MadePlan made;
      if (&other == &kernel) made.result.plan = mutant.plan;
      if (&other != &kernel) made.result.refusal = passes::Refusal{"not this one"};
      return made;
    };
    cli::RewriteProgram program(files, options);
    program.run();
    const auto texts = program.changedFiles();
    const auto mine = texts.find(file.canonical);
    if (mine == texts.end()) return false;
    std::ofstream(folder / fmt::format("{:03}.cu", written)) << mine->second;
    return true;
  }

  cli::RewriteCommand common;
  std::string recipe, only;
  std::filesystem::path folder;
  unsigned count = 20, draw = 1, written = 0;
};

int runMutating(int argc, char** argv) {
  cli::Arguments arguments;
  bool areFlags = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--" && !areFlags)
      areFlags = true;
    else
      (areFlags ? arguments.compilerFlags : arguments.words).emplace_back(argv[i]);
  }
  try {
    return Mutating().run(arguments);
  } catch (const Error& error) {
    fmt::print(stderr, "mutate_plans: {}\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace hone::test

int main(int argc, char** argv) { return hone::test::runMutating(argc, argv); }
