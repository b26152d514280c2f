// hone compare: a program before and after hone, side by side.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands/Command.h"
#include "ir/Error.h"
#include "worker/ComparePrograms.h"

namespace hone::cli {

namespace {

const char* const compareFooter =
    "usage: hone compare [OPTIONS] -- PROGRAM [ARGUMENTS]\n\n"
    "Runs both by turns. What they print is compared line by line: numbers within the tolerance, lines that "
    "tell times left\n"
    "out, and so those that change between runs of the original itself. Times of kernels come from a library "
    "that the\n"
    "driver loads (see hone capture --help); without it the whole program is timed.\n"
    "Without --original the same program runs with HONE_OFF=1 in its environment, by which launch functions "
    "launch the\n"
    "original kernels; bodies that stand in the original's place, and OpenCL kernels built otherwise, need "
    "two builds.\n"
    "Exit status: 0 the same output and not slower, 1 not so, 2 the command is wrong.\n\n"
    "Examples:\n"
    "  hone compare -- ./solver input.dat\n"
    "  hone compare --original ./solver.before --runs 9 -- ./solver input.dat";

}  // namespace

int runCompare(const Arguments& arguments) {
  CLI::App app("Runs a program before and after hone side by side: what they print, and how long they take.",
               "hone compare");
  std::string original, runs = "5", tolerance = "1e-5";
  app.add_option("--original", original, "the program before hone (else the same one with HONE_OFF=1)")
      ->type_name("PROGRAM");
  app.add_option("--runs", runs, "of each (5)")->type_name("N");
  app.add_option("--tolerance", tolerance, "relative, of numbers that they print (1e-5)")->type_name("X");
  app.footer(compareFooter);
  if (!parseArguments(app, arguments, true)) return exitDone;
  try {
    std::vector<std::string> words{"--runs", runs, "--tolerance", tolerance};
    if (!original.empty()) words.insert(words.end(), {"--original", original});
    return worker::comparePrograms(worker::compareRequest(words, arguments.compilerFlags), std::cout);
  } catch (const std::runtime_error& problem) {
    throw Error(problem.what(), 2);
  }
}

}  // namespace hone::cli
