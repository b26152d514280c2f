// What is left of a command line when the command's name is taken off, and how it is read.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hone::cli {

// Exit status of hone: 0 done, 1 the code has a problem, 2 the command has.
enum Exit : int { exitDone = 0, exitCode = 1, exitCommand = 2 };

struct Arguments {
  std::vector<std::string> words;          // after the command's name, up to `--`
  std::vector<std::string> compilerFlags;  // after `--`
};

// Parses `arguments.words` into what was declared on `app`. False: help was asked for and printed to stdout.
// Throws hone::Error for a wrong command line. Compiler flags are refused unless `takesFlags`.
bool parseArguments(CLI::App& app, const Arguments& arguments, bool takesFlags = false);

}  // namespace hone::cli
