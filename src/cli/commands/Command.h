// The commands of hone, and the dispatch to them.
#pragma once

#include <span>

#include "cli/inputs/Arguments.h"

namespace hone::cli {

struct Command {
  const char* name;
  const char* summary;  // one line for `hone --help`
  int (*run)(const Arguments& arguments);
  bool hidden = false;
  bool hasForeignWords = false;  // its words are another program's: --help and -- are for that one
};

// All commands; one file each. To add one: declare its function here, and list it in Commands.cpp.
std::span<const Command> commands();

int runAcc(const Arguments& arguments);
int runBuild(const Arguments& arguments);
int runCheck(const Arguments& arguments);
int runDebugCompare(const Arguments& arguments);
int runDevices(const Arguments& arguments);
int runExplain(const Arguments& arguments);
int runNvcc(const Arguments& arguments);
int runNvrtc(const Arguments& arguments);
int runOpt(const Arguments& arguments);
int runPasses(const Arguments& arguments);
int runProfile(const Arguments& arguments);
int runRevert(const Arguments& arguments);
int runCapture(const Arguments& arguments);
int runCompare(const Arguments& arguments);
int runRun(const Arguments& arguments);
int runStore(const Arguments& arguments);
int runSurvey(const Arguments& arguments);
int runTargets(const Arguments& arguments);
int runTune(const Arguments& arguments);
int runVerify(const Arguments& arguments);

// The whole program: dispatch, and errors to stderr.
int runHone(int argc, char** argv);

}  // namespace hone::cli
