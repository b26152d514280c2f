// fuzz_files [--seed N] [--recipes M] [--minutes T] FILE…: random recipes on the kernels of files, as hone
// verify runs them. Each recipe is drawn pass by pass for what the kernel has become; those that refuse are
// left out.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>

#include "FuzzRecipe.h"
#include "cli/inputs/PassSetup.h"
#include "device/Judge.h"
#include "ir/Error.h"

namespace hone::test {
namespace {

struct Counts {
  unsigned recipes = 0, wrong = 0, notRun = 0, applied[5] = {};
};

class FuzzingFiles {
 public:
  FuzzingFiles(unsigned first, std::vector<std::string> paths) : seed(first) {
    for (const std::string& path : paths) files.push_back(cli::importGiven(path, {}));
    for (const cli::GivenFile& file : files)
      for (cli::RunnableKernel& one :
           cli::runnableKernels(file, {}, {}, [](const frontend::ImportedKernel&, const std::string&) {}))
        kernels.push_back({file.path, std::move(one)});
    if (kernels.empty()) throw Error("no kernel can be run");
  }

  int run(unsigned recipes, double minutes) {
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < recipes; ++i) {
      if (minutes > 0 &&
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > minutes * 60)
        break;
      one(kernels[i % kernels.size()].path, kernels[i % kernels.size()].kernel, seed + i);
    }
    fmt::print("{} recipes on {} kernels: {} wrong, {} not run\n", counts.recipes, kernels.size(),
               counts.wrong, counts.notRun);
    fmt::print("passes applied: none {}, one {}, two {}, three {}, more {}\n", counts.applied[0],
               counts.applied[1], counts.applied[2], counts.applied[3], counts.applied[4]);
    for (const auto& [name, mine] : tally)
      fmt::print("{:16} applied {:5}, refused {:5}\n", name, mine.applied, mine.refused);
    return counts.wrong == 0 && counts.recipes > counts.notRun ? 0 : 1;
  }

 private:
  struct OfFile {
    std::string path;
    cli::RunnableKernel kernel;
  };

  void one(const std::string& path, const cli::RunnableKernel& kernel, unsigned number) {
    std::mt19937_64 engine(number * 7919u + 17);
    cli::PassOptions options;
    options.reassociate = engine() % 2 == 0;
    options.assumeNoalias = engine() % 2 == 0;
    if (engine() % 6 == 0) options.target = "gtx280";
    cli::PassSetup setup(options);
    passes::PassContext context = setup.contextFor(*kernel.maker);
    const ir::PlanPtr original = ir::originalPlan(kernel.kernel);
    const DrawnRecipe recipe = drawRecipe(engine, original, context, "", {}, tally);
    ++counts.recipes;
    ++counts.applied[std::min<size_t>(recipe.calls.size(), 4)];
    std::string problem = recipe.broken;
    if (problem.empty() && recipe.calls.empty()) return;
    if (problem.empty()) problem = judged(kernel, original, recipe, options, setup);
    if (problem.empty()) return;
    ++counts.wrong;
    fmt::print("FAIL {}: {}\nhone verify {} --kernel {} --recipe '{}'{}{} --target {}\n", number, problem,
               path, kernel.imported->name, recipe.text(), options.reassociate ? " --reassociate" : "",
               options.assumeNoalias ? " --assume-noalias" : "", options.target);
    std::fflush(stdout);
  }

  std::string judged(const cli::RunnableKernel& kernel, const ir::PlanPtr& original,
                     const DrawnRecipe& recipe, const cli::PassOptions& options,
                     const cli::PassSetup& setup) {
    device::JudgeOptions how;
    how.run.jobs = 1;
    how.run.target = &setup.target();
    how.run.print = [](const std::string&) {};
    how.compare.reassociate = options.reassociate;
    try {
      const device::Judgement judgement = device::verify(*kernel.maker, original, recipe.plan, how);
      for (const device::JudgedFinding& finding : judgement.findings)
        if (!finding.inOriginal && finding.cls != "same-value" &&
            finding.finding.kind != sim::FindingKind::SharedTooLarge &&
            finding.finding.kind != sim::FindingKind::BlockTooLarge)
          return finding.kind + " at " + finding.sizes + ": " + sim::format(finding.finding);
      return "";
    } catch (const Error& error) {
      ++counts.notRun;
      fmt::print("not run: {}: {}\n", kernel.name, error.what());
      return "";
    }
  }

  unsigned seed;
  std::vector<cli::GivenFile> files;
  std::vector<OfFile> kernels;
  Counts counts;
  Tally tally;
};

}  // namespace
}  // namespace hone::test

int main(int argc, char** argv) {
  try {
    unsigned seed = 1, recipes = 100;
    double minutes = 0;
    std::vector<std::string> paths;
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word.starts_with("--") && i + 1 >= argc) throw hone::Error(word + " wants a value");
      if (word == "--seed")
        seed = static_cast<unsigned>(std::stoul(argv[++i]));
      else if (word == "--recipes")
        recipes = static_cast<unsigned>(std::stoul(argv[++i]));
      else if (word == "--minutes")
        minutes = std::stod(argv[++i]), recipes = ~0u;
      else
        paths.push_back(word);
    }
    return hone::test::FuzzingFiles(seed, paths).run(recipes, minutes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_files: %s\n", error.what());
    return 2;
  }
}
