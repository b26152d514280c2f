// The source files below a folder, and where they find their includes when no build file says it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/inputs/ScanText.h"

namespace hone::cli {

struct TreeFile {
  std::string path;     // below the folder as it was given
  bool isUnit = false;  // parsed by itself (.cu, .cl, or C and C++ with kernels)
  bool isHeader = false;
  TextScan scan;
};

// Whether a file is one of C, C++, CUDA or OpenCL, or a header of theirs, by how its name ends.
bool isSourceName(const std::string& path);

class SourceTree {
 public:
  // Walks the folders (a file stands for itself). Hidden folders are left out and links to folders not
  // followed.
  explicit SourceTree(const std::vector<std::string>& folders);

  const std::vector<TreeFile>& files() const { return list; }

  // Include folders for a file, found by looking up each missing include by name among the tree's files.
  std::vector<std::string> guessIncludeFlags(const std::string& path);

  // Files with kernels (canonical paths) that others of the tree name in an #include.
  std::set<std::string> includedUnits();

  // Whether a file (canonical path) is one of the tree.
  const TreeFile* find(const std::string& canonical) const;

 private:
  void add(const std::string& path);
  const std::vector<std::string>& includesOf(const std::string& path);
  std::string lookUp(const std::string& name, const std::string& from) const;

  std::vector<TreeFile> list;
  std::map<std::string, size_t> byCanonical;
  std::map<std::string, std::vector<std::string>> byName;         // file name to canonical paths
  std::map<std::string, std::vector<std::string>> includesCache;  // canonical path to names
};

}  // namespace hone::cli
