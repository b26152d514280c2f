#include "cli/inputs/Arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "ir/Error.h"

namespace hone::cli {

bool parseArguments(CLI::App& app, const Arguments& arguments, bool takesFlags) {
  std::vector<std::string> reversed(arguments.words.rbegin(), arguments.words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help() << std::flush;
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}\nsee {} --help", error.what(), app.get_name()));
  }
  if (!takesFlags && !arguments.compilerFlags.empty())
    throw Error(fmt::format("{} takes no compiler flags after --", app.get_name()));
  return true;
}

}  // namespace hone::cli
