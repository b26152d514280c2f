// Two builds of a program side by side: do they print the same, and which is faster?
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace hone::worker {

struct CompareRequest {
  std::string original;  // the program before hone; empty: the same one, with HONE_OFF=1 in its environment
  std::vector<std::string> command;  // the program after hone, and its arguments
  unsigned runs = 5;                 // of each
  double tolerance = 1e-5;           // relative, of numbers in what they print
  double secondsEach = 600;          // that a run may take
};

// Prints a table and a verdict. 0: the same output, and not slower; 1: something is wrong or slower. Throws
// std::runtime_error where a program cannot be started.
int comparePrograms(const CompareRequest& request, std::ostream& out);

// The words of a command line, [--original PROGRAM] [--runs N] [--tolerance X] -- PROGRAM [ARGUMENTS]; throws
// std::runtime_error for others.
CompareRequest compareRequest(const std::vector<std::string>& words, const std::vector<std::string>& command);

}  // namespace hone::worker
