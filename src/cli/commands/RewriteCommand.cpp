#include "cli/commands/RewriteCommand.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands/Command.h"
#include "cli/inputs/ImportFiles.h"
#include "cli/inputs/ProjectFile.h"
#include "cli/inputs/SeveralCaptures.h"

namespace hone::cli {

void RewriteCommand::addFiles(CLI::App& app) {
  KernelOptions::addFiles(app, "source files; give all files of a program to let hone see every launch");
}

void RewriteCommand::addOutput(CLI::App& app) {
  app.add_option("-o", output.path, "where to write: a file, or a folder that gets a mirrored tree")
      ->type_name("FILE|DIR");
  app.add_flag("--in-place", output.inPlace, "change the files themselves, all of them or none");
  app.add_option("--layer", output.layer,
                 "OpenCL: write what programs enqueue through hone's layer to this folder (docs/opencl.md)")
      ->type_name("DIR");
  app.add_flag("--diff", output.diff, "change nothing, print a unified diff");
  addKernels(app);
  app.add_flag("--offer", offer,
               "also write what no launch in sight would use: kernels that nothing launches, and those of "
               "which no launch can be changed; --kernel does so for those it names");
  addJson(app, "write what was done to FILE (- for stdout)");
}

void RewriteCommand::addRest(CLI::App& app) {
  addPassOptions(app, passes);
  addCaseOptions(app, cases);
  addParser(app);
  app.add_flag(
      "--keep-going", keepGoing,
      "rewrite the kernels that Clang's errors do not reach; else an error that reaches one stops all");
}

PassSetup RewriteCommand::setUp(const Arguments& arguments) {
  cases.areCapturesOfProject = cases.captures.empty();
  take(arguments, &cases.target, &cases.captures, output.isQuiet);
  passes.target = cases.target;
  if (const ProjectFile* project = parse.project.get()) {
    passes.reassociate |= project->reassociate;
    passes.assumeNoalias |= project->assumeNoalias;
    offer |= project->offer;
    keepGoing |= project->keepGoing;
    rewrite.leftBy = [project](const std::string& file, const frontend::ImportedKernel& kernel) {
      const std::string byFile = project->leavesFile(file);
      return byFile.empty() ? project->leavesKernel(kernel.name, kernel.qualifiedName) : byFile;
    };
    if (!kernels.empty()) rewrite.leftBy = nullptr;  // who names a kernel wants it
  }
  rewrite.kernels = kernels;
  rewrite.onlyWhereLaunched = kernels.empty() && !offer;
  PassSetup setup(passes, cases.settings());
  rewrite.target = setup.target().name;
  return setup;
}

bool RewriteCommand::import(const char* who, PassSetup& setup, std::vector<GivenFile>& files) const {
  if (!importAll(paths, parse, {keepGoing, rewrite.kernels, output.isQuiet}, files)) {
    const bool maySome = std::any_of(files.begin(), files.end(), [&](const GivenFile& file) {
      return std::any_of(
          file.import.kernels.begin(), file.import.kernels.end(),
          [](const frontend::ImportedKernel& one) { return one.kernel && !one.isInSystemHeader; });
    });
    fmt::print(stderr, "{}: nothing was written{}\n", who,
               maySome ? "; --keep-going rewrites the kernels that these errors do not reach" : "");
    return false;
  }
  if (!mayLackKernels) checkKernelNames(rewrite.kernels, files);
  setup.lookForLaunchesIn(files);
  tellCaptures(setup.given(), files, true, &setup.target());
  return true;
}

void RewriteCommand::checkOutput(bool kernelsOnly) {
  output.check(paths, kernelsOnly);
  rewrite.mainFilesOnly = !output.takesIncludedFiles();
  rewrite.mainFilesOnlyHint = "use --in-place or -o with a folder to rewrite it there";
}

}  // namespace hone::cli
