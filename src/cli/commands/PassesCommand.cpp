// hone passes: what recipes can name.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands/Command.h"
#include "passes/recipe/Registry.h"
#include "report/Table.h"

namespace hone::cli {

int runPasses(const Arguments& arguments) {
  CLI::App app("Lists the passes that a recipe can name, with what each does.", "hone passes");
  app.footer(
      "A recipe is an ordered list of passes with parameters. Words without a name are arrays, accesses "
      "(a#2) or loops (L1.2), "
      "by the\n"
      "handles that `hone explain` prints. The empty recipe re-emits each kernel unchanged; without --recipe "
      "`hone opt` "
      "chooses one.\n"
      "docs/passes has a page for each, with before and after.\n\n"
      "Examples:\n"
      "  hone passes\n"
      "  hone opt matmul.cu --recipe 'block(x=16, y=16) stage(a, b, depth=16) merge-threads(x=4, y=4)' "
      "--diff\n"
      "  hone verify matmul.cu --recipe 'block(x=32, y=8) unroll(by=4)'");
  if (!parseArguments(app, arguments)) return exitDone;
  const size_t indent = 18;
  const std::string blanks(indent, ' ');
  for (const passes::Pass* one : passes::allPasses()) {
    const passes::Pass& pass = *one;
    fmt::print("{:<18}{}\n", pass.name, report::wrap(pass.description, 90, indent));
    size_t widest = 0;
    for (const passes::PassParameter& parameter : pass.parameters)
      widest = std::max(widest, parameter.name.size());
    for (const passes::PassParameter& parameter : pass.parameters)
      fmt::print("{}{:<{}}  {}\n", blanks, parameter.name, widest,
                 report::wrap(parameter.description, 90 - widest, indent + widest + 2));
  }
  return exitDone;
}

}  // namespace hone::cli
