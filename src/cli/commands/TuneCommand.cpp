// hone tune: kernels rewritten by the recipe that was fastest on a device.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/choose/TunePage.h"
#include "cli/choose/TuneSizes.h"
#include "cli/commands/Command.h"
#include "cli/commands/RewriteCommand.h"
#include "ir/Error.h"

namespace hone::cli {

int runTune(const Arguments& arguments) {
  CLI::App app(
      "Makes the kernels of CUDA and OpenCL files faster by the recipe that is fastest on a device, found by "
      "measuring.",
      "hone tune");
  RewriteCommand common;
  RewriteOptions& rewrite = common.rewrite;
  TuneRequest request;
  std::string strategy = "model", store = tune::Store::defaultFile(), bundle, ingested, page;
  double minutes = 10;
  bool noStore = false;
  std::vector<std::string> sizes;
  common.addFiles(app);
  app.add_option("--device", request.devices,
                 "what to measure on: cuda:0, opencl:0:0 (hone devices lists them), or 'worker:COMMAND', "
                 "which starts a "
                 "hone-worker elsewhere, or embedded, which estimates; repeat it for several of a kind to "
                 "share the work; the first that "
                 "speaks the kernel's "
                 "language otherwise")
      ->take_all()
      ->expected(1);
  app.add_option("--strategy", strategy, "model, exhaustive, random, greedy or climb, see docs/tuning.md")
      ->check(CLI::IsMember({"model", "exhaustive", "random", "greedy", "climb"}))
      ->capture_default_str();
  app.add_option("--recipe", request.recipes,
                 "a recipe that is measured too, before what the strategy chooses (repeat for several)")
      ->type_name("RECIPE")
      ->take_all()
      ->expected(1);
  app.add_option("--budget", request.tune.mostVariants, "variants of a kernel that are measured")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--minutes", minutes, "time for a kernel")->capture_default_str();
  app.add_option("--sizes", sizes,
                 "tune for several sizes at once: every variant is measured at each, and kernels for classes "
                 "of sizes are written with a dispatch: 'w=256,1024,4096; h=w', 256..4096 doubles (repeat "
                 "for further sizes)")
      ->type_name("LISTS")
      ->take_all()
      ->expected(1);
  app.add_option("--bundle", bundle,
                 "measure nothing: write a folder with variants of each kernel, whose ./run measures them on "
                 "any machine with a GPU")
      ->type_name("DIR");
  app.add_option("--ingest", ingested, "measure nothing: take the results that such a folder holds now")
      ->type_name("DIR");
  app.add_option("--show", request.shown, "variants in the table")->type_name("N")->capture_default_str();
  app.add_option("--store", store, "file that keeps what was measured")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_flag("--sanitize", request.sanitize,
               "run the chosen variant under compute-sanitizer (memcheck, racecheck) before it is written, "
               "where the worker's machine has it");
  app.add_flag("--no-store", noStore, "neither use nor keep measurements");
  common.addOutput(app);
  app.add_option("--report", page, "write what was changed, why and what it brought as a page of HTML")
      ->type_name("FILE.html");
  common.addRest(app);
  app.footer(
      "Sizes come from --set, a pragma, FILE.hone.toml or a launch in sight; give those that matter. "
      "Variants are compared with the\n"
      "original on the device and, before they are written, on the embedded device at other sizes.\n\n"
      "Examples:\n"
      "  hone tune matmul.cu --set w=4096 --reassociate -o fast.cu\n"
      "  hone tune blur.cl --device opencl:0:0 --strategy random --budget 100 --diff\n"
      "  hone tune matmul.cu --set w=4096 --bundle mm --budget 200      then mm/run elsewhere, then\n"
      "  hone tune matmul.cu --set w=4096 --ingest mm --in-place\n"
      "  hone tune matmul.cu --sizes 'w=256..4096' --in-place\n"
      "  hone tune matmul.cu --device 'worker:ssh gpu01 hone-worker' --set w=4096 --in-place");
  if (!parseArguments(app, arguments, true)) return exitDone;
  request.tune.strategy = *tune::strategyNamed(strategy);
  request.tune.mostSeconds = minutes * 60;
  request.store = noStore ? "" : store;
  request.wantsPage = !page.empty();
  if (!bundle.empty() && !ingested.empty()) throw Error("--bundle and --ingest do not go together");
  PassSetup setup = common.setUp(arguments);
  request.run = common.cases.runOptions();
  common.output.enqueueHeaders = true;
  if (bundle.empty()) common.checkOutput(false);
  std::vector<GivenFile> files;
  if (!common.import("hone tune", setup, files)) return exitCode;
  KernelTuner tuner(setup, common.names, request);
  std::optional<SizesTuner> sized;
  if (!sizes.empty())
    sized.emplace(common.passes, common.cases.settings(), tune::parseSizes(sizes), common.names, request);
  if (!bundle.empty()) {
    tune::BundleWriter writer(bundle);
    for (const GivenFile& file : files)
      for (const frontend::ImportedKernel& kernel : file.import.kernels)
        if (kernel.kernel && !kernel.isInSystemHeader && isWanted(kernel, rewrite.kernels))
          sized ? sized->bundle(file, kernel, writer) : tuner.bundle(file, kernel, writer);
    if (writer.size() == 0) throw Error("no kernel could be put into the bundle", exitCode);
    writer.write();
    fmt::print(stderr,
               "{0}: run {0}/run on a machine with a GPU, bring {0}/results.jsonl back, then hone tune … "
               "--ingest {0}\n",
               bundle);
    return exitDone;
  }
  tune::BundleResults results;
  if (!ingested.empty()) {
    results = tune::readBundle(ingested);
    if (!request.store.empty()) {
      tune::Store kept(request.store);
      tune::ingest(results, kept);
    }
  }
  rewrite.make = [&](const GivenFile& file, const frontend::ImportedKernel& kernel) {
    if (sized) return ingested.empty() ? sized->tune(file, kernel) : sized->fromBundle(file, kernel, results);
    return ingested.empty() ? tuner.tune(file, kernel) : tuner.fromBundle(file, kernel, results);
  };
  RewriteProgram program(files, rewrite);
  program.run();
  if (!page.empty()) {
    writeTunePage(page, sized ? sized->reports() : tuner.reports(), program, common.names,
                  commandText("hone tune", arguments));
    fmt::print(stderr, "report: {}\n", page);
  }
  return common.output.write(program, files, "", common.json);
}

}  // namespace hone::cli
