#include <fmt/core.h>

#include <string_view>

#include "hone/Config.h"

int main(int argc, char** argv) {
  std::string_view first = argc > 1 ? argv[1] : "--help";
  if (first == "--version") {
    fmt::print("hone {} (Clang {})\n", hone::config::version, hone::config::clangVersion);
    return 0;
  }
  if (first == "--help") {
    fmt::print("usage: hone COMMAND [OPTIONS] FILE...\n");
    return 0;
  }
  fmt::print(stderr, "hone: no command '{}'; see hone --help\n", first);
  return 2;
}
