// The list of commands and the dispatch to them.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

#include "cli/commands/Command.h"
#include "hone/Config.h"
#include "ir/Error.h"
#include "ir/Nearest.h"

namespace hone::cli {

namespace {

constexpr Command table[] = {
    {"opt", "rewrite kernels in their source files by a recipe", runOpt},
    {"nvcc", "nvcc, with kernels rewritten on the way: make NVCC=hone-nvcc", runNvcc, false, true},
    {"tune", "rewrite kernels by the recipe that is fastest on a device, found by measuring", runTune},
    {"revert", "take back what opt and tune wrote into source files", runRevert},
    {"explain", "show what each kernel is made of: arrays, accesses, loops, launches", runExplain},
    {"check", "run kernels on the embedded device and report races, bad accesses and the like", runCheck},
    {"verify", "run two kernels on the same inputs and compare what they leave in memory", runVerify},
    {"profile", "count memory traffic, bank conflicts and divergence by line, and estimate the time",
     runProfile},
    {"capture", "record every launch of a running program, for all other commands to use", runCapture},
    {"compare", "run a program before and after hone side by side: outputs and times", runCompare},
    {"run", "build a whole CUDA program for the embedded device and run it, with all checks", runRun},
    {"build", "build a CUDA program for the embedded device, in nvcc's place", runBuild},
    {"acc", "compile C and C++ with OpenACC for the embedded device, in a compiler's place", runAcc, false,
     true},
    {"survey", "walk a folder and say of every kernel whether hone can take it, or why not", runSurvey},
    {"passes", "list the passes that recipes can name", runPasses},
    {"targets", "list the GPUs that hone knows", runTargets},
    {"devices", "list the devices that kernels can be measured on", runDevices},
    {"store", "list, export, import and remove what was measured", runStore},
    {"debug-compare", "compare the kernels of two files in hone's own form", runDebugCompare, true},
    {"nvrtc", "compile what a running program asks for", runNvrtc, true},
};

void printHelp() {
  fmt::print(
      "hone reads CUDA and OpenCL kernels where they stand in a program, and writes them back rewritten:\n"
      "everything else in the files stays byte for byte as it was.\n"
      "\n"
      "usage: hone COMMAND [OPTIONS] FILE... [-- COMPILER FLAGS]\n"
      "\n"
      "commands:\n");
  for (const Command& command : table)
    if (!command.hidden) fmt::print("  {:<10}{}\n", command.name, command.summary);
  fmt::print(
      "\n"
      "options:\n"
      "  --help    this text; `hone COMMAND --help` has the options of a command and examples\n"
      "  --version version of hone and of the Clang inside it\n"
      "\n"
      "first steps:\n"
      "  hone survey .                            which kernels are there, and can hone take them?\n"
      "  hone explain kernels.cu                  what does each access in this file do?\n"
      "  hone opt kernels.cu --diff               what would hone change, and why?\n"
      "\n"
      "Results go to stdout, progress and remarks to stderr. Exit status: 0 done, 1 the code has a problem,\n"
      "2 the command has.\n");
}

const Command* findCommand(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](const Command& one) { return one.name == name; });
  return found == std::end(table) ? nullptr : found;
}

int unknownCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : table)
    if (!command.hidden) names.emplace_back(command.name);
  if (name.starts_with('-'))
    fmt::print(stderr, "hone: unknown option '{}'; see hone --help\n", name);
  else
    fmt::print(stderr, "hone: there is no command '{}'{}\nsee hone --help\n", name, didYouMean(name, names));
  return exitCommand;
}

}  // namespace

std::span<const Command> commands() { return table; }

int runHone(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // For variables that allow no space, and as a stand-in of that name.
  const std::string self = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (self == "hone-nvcc" || self == "nvcc") words.insert(words.begin(), "nvcc");
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (words.size() < 2 || words[0] != "help") {
      printHelp();
      return words.empty() ? exitCommand : exitDone;
    }
    const Command* named = findCommand(words[1]);
    // `hone nvcc --help` is nvcc's own.
    words = named && named->run == runNvcc ? std::vector<std::string>{words[1]}
                                           : std::vector<std::string>{words[1], "--help"};
  }
  if (words[0] == "--version" || words[0] == "-V") {
    fmt::print("hone {} (Clang {})\n", config::version, config::clangVersion);
    return exitDone;
  }
  const Command* command = findCommand(words[0]);
  if (!command) return unknownCommand(words[0]);

  auto separator = command->hasForeignWords ? words.end() : std::find(words.begin() + 1, words.end(), "--");
  Arguments arguments{{words.begin() + 1, separator}, {}};
  if (separator != words.end()) arguments.compilerFlags.assign(separator + 1, words.end());
  try {
    return command->run(arguments);
  } catch (const Error& error) {
    fmt::print(stderr, "hone {}: {}\n", command->name, error.what());
    return error.status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hone {}: internal: {}; please report\n", command->name, error.what());
    return exitCode;
  }
}

}  // namespace hone::cli
