// What the commands that rewrite kernels have in common: files, options, where results go.
#pragma once

#include "cli/inputs/KernelOptions.h"
#include "cli/inputs/PassSetup.h"
#include "cli/rewrite/OptOutput.h"

namespace hone::cli {

struct Arguments;

struct RewriteCommand : KernelOptions {
  OptOutput output;
  RewriteOptions rewrite;
  PassOptions passes;
  CaseOptions cases;
  bool keepGoing = false, offer = false;
  bool mayLackKernels = false;  // some that are named

  void addFiles(CLI::App& app);   // FILE
  void addOutput(CLI::App& app);  // -o, --in-place, --layer, --diff, --kernel, --offer, --json
  void addRest(CLI::App& app);    // of passes, cases and the parser; --keep-going

  // After parsing: flags of the parser, names for messages, the setup of passes.
  PassSetup setUp(const Arguments& arguments);
  // Reads the files and lets `setup` see their launches; false when nothing may be written, which is said.
  // `who`: "hone opt".
  bool import(const char* who, PassSetup& setup, std::vector<GivenFile>& files) const;
  // Where headers with kernels go; checks the output options. Throws hone::Error.
  void checkOutput(bool kernelsOnly);
};

}  // namespace hone::cli
