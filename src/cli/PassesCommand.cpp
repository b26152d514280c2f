// hone passes: what recipes can name.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/Command.h"
#include "passes/Registry.h"
#include "report/Table.h"

namespace hone::cli {

int runPasses(const Arguments& arguments) {
  CLI::App app("Lists the passes that a recipe can name, with what each does.", "hone passes");
  app.footer(
      "A recipe is an ordered list of passes with parameters, e.g. --recipe 'inline(all=1)'. The empty "
      "recipe\n"
      "re-emits each kernel unchanged.\n\n"
      "Examples:\n"
      "  hone passes\n"
      "  hone opt kernels.cu --recipe 'inline' --diff");
  if (!parseArguments(app, arguments)) return exitDone;
  for (const passes::Pass& pass : passes::allPasses()) {
    fmt::print("{:<10}{}\n", pass.name, report::wrap(pass.description, 90, 10));
    for (const passes::PassParameter& parameter : pass.parameters)
      fmt::print("          {:<8}{}\n", parameter.name, parameter.description);
  }
  fmt::print("\nPasses that make kernels faster come with later versions.\n");
  return exitDone;
}

}  // namespace hone::cli
