// What runs over many files have in common: which are left out, how they are divided, and how long they may
// take.
#pragma once

#include "cli/commands/OptCommand.h"
#include "cli/programs/FileGroups.h"

namespace hone::cli {

// How many processes at a time, and for how long, as the command line and the project's file say. The run
// begins now.
struct ManyFiles {
  ChildPool pool;
  unsigned threads = 1;  // for each process
  std::vector<FileGroup> groups;
  std::vector<BrokenFile> broken;
  std::vector<std::string> left;  // by the project's file
  size_t files = 0;               // that were chosen and not left
  size_t withoutKernels = 0;
};

// Leaves out what the project's file leaves alone, reads the others and divides them; says on stderr what is
// left out and what is broken.
ManyFiles divideFiles(const OptCommand& command, const ChosenFiles& chosen);

// "a.cu", or "a.cu and 2 more".
std::string nameOf(const FileGroup& group);

}  // namespace hone::cli
