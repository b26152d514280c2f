// hone debug-compare: are the kernels of two files the same in IR? For round-trip tests.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/commands/Command.h"
#include "cli/rewrite/RewriteProgram.h"
#include "ir/Compare.h"
#include "ir/CountOf.h"

namespace hone::cli {

int runDebugCompare(const Arguments& arguments) {
  CLI::App app("Imports two files and compares their kernels, pairwise by name, in hone's own form.",
               "hone debug-compare");
  std::string first, second;
  ParseOptions parse;
  bool someMayBeLeft = false;
  app.add_option("A", first, "a file")->required();
  app.add_option("B", second, "the file to compare with it")->required();
  app.add_flag("--imported-only", someMayBeLeft, "kernels of A that are left alone do not count");
  addParseOptions(app, parse);
  app.footer("Exit status 1, with the first difference of each pair, when they differ.");
  if (!parseArguments(app, arguments, true)) return exitDone;
  parse.flags = arguments.compilerFlags;
  loadDatabase(parse);

  std::vector<GivenFile> files;
  for (const std::string& path : {first, second}) {
    checkInput(path);
    GivenFile file{path, canonicalPath(path), requestFor(path, parse), {}};
    file.import = frontend::importFile(file.request);
    if (!file.import.parsed) {
      fmt::print(stderr, "{}: {}\n", path, file.import.failure);
      return exitCode;
    }
    files.push_back(std::move(file));
  }
  size_t same = 0, different = 0;
  std::vector<bool> used(files[1].import.kernels.size());
  for (const frontend::ImportedKernel& kernel : files[0].import.kernels) {
    if (kernel.isInSystemHeader || kernel.isUninstantiated || (!kernel.kernel && someMayBeLeft)) continue;
    std::string name = withArguments(kernel.qualifiedName, kernel.templateArgs);
    auto differs = [&](const std::string& why) {
      ++different;
      fmt::print("{}: {}\n", name, why);
    };
    if (!kernel.kernel) {
      differs(fmt::format("left alone in {}: {}", first, kernel.reason));
      continue;
    }
    // Overloads pair up in source order.
    const frontend::ImportedKernel* partner = nullptr;
    for (size_t i = 0; i < used.size() && !partner; ++i) {
      const auto& other = files[1].import.kernels[i];
      if (used[i] || other.qualifiedName != kernel.qualifiedName ||
          other.templateArgs != kernel.templateArgs || other.isUninstantiated)
        continue;
      used[i] = true;
      partner = &other;
    }
    std::string why;
    if (!partner)
      differs(fmt::format("not in {}", second));
    else if (!partner->kernel)
      differs(fmt::format("left alone in {}: {}", second, partner->reason));
    else if (!ir::equal(*kernel.kernel, *partner->kernel, &why))
      differs(why);
    else
      ++same;
  }
  fmt::print("{} the same, {} different\n", ir::countOf(size_t(same), "kernel"), different);
  return different ? exitCode : exitDone;
}

}  // namespace hone::cli
