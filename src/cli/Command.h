// What every command shares: its arguments, how they are parsed, and how errors reach the user.
#pragma once

#include <span>
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

struct Command {
  const char* name;
  const char* summary;  // one line for `hone --help`
  int (*run)(const Arguments& arguments);
  bool hidden = false;
};

// All commands; one file each. To add one: declare its function here, and list it in Commands.cpp.
std::span<const Command> commands();

int runBuild(const Arguments& arguments);
int runCheck(const Arguments& arguments);
int runDebugCompare(const Arguments& arguments);
int runDevices(const Arguments& arguments);
int runExplain(const Arguments& arguments);
int runOpt(const Arguments& arguments);
int runPasses(const Arguments& arguments);
int runProfile(const Arguments& arguments);
int runRun(const Arguments& arguments);
int runStore(const Arguments& arguments);
int runSurvey(const Arguments& arguments);
int runTargets(const Arguments& arguments);
int runTune(const Arguments& arguments);
int runVerify(const Arguments& arguments);

// Parses `arguments.words` into what was declared on `app`. False: help was asked for and printed to stdout.
// Throws hone::Error for a wrong command line. Compiler flags are refused unless `takesFlags`.
bool parseArguments(CLI::App& app, const Arguments& arguments, bool takesFlags = false);

// The whole program: dispatch, and errors to stderr.
int runHone(int argc, char** argv);

}  // namespace hone::cli
