// Which files of a compilation database belong together: those that share kernels, as one that launches what
// another defines. Each such group is worked on by itself, so that one that fails costs no other.
#pragma once

#include <string>
#include <vector>

#include "cli/inputs/Inputs.h"
#include "cli/programs/ChildPool.h"

namespace hone::cli {

struct FileGroup {
  std::vector<std::string> paths;  // as given
  size_t kernels = 0;              // that its files define, or include
};

struct BrokenFile {
  std::string path;
  std::string problem;  // in a line
  std::string said;     // what Clang has to say; may be empty
};

struct GroupedFiles {
  std::vector<FileGroup> groups;            // with kernels, in the order of their first files
  std::vector<std::string> withoutKernels;  // neither kernels nor launches of those of another
  std::vector<BrokenFile> broken;           // cannot be read, and no other file includes them
};

// Reads each file in a process of its own, and says how far it is.
GroupedFiles groupFiles(const std::vector<std::string>& paths, const ParseOptions& parse, bool keepGoing,
                        const ChildPool& pool);

}  // namespace hone::cli
