// Edits of files by byte range, collected first and applied at once; bytes outside the edits stay as they
// were.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hone::emit {

struct Edit {
  std::string file;
  unsigned begin = 0, end = 0;  // begin == end inserts
  std::string text;
};

class PatchSet {
 public:
  // Refuses (false) an edit that overlaps an earlier different one; an identical one is taken once.
  bool add(Edit edit);
  bool empty() const { return edits.empty(); }
  std::vector<std::string> files() const;
  // The new contents of a file given its old ones.
  std::string apply(const std::string& file, const std::string& contents) const;

 private:
  std::map<std::string, std::vector<Edit>> edits;
};

// Unified diff with three lines of context, as `diff -u` prints it.
std::string unifiedDiff(const std::string& name, const std::string& before, const std::string& after);

// Writes all files or none: temporaries beside each, then renames; keeps modes. A file that `expected` names
// and that no longer holds that text was edited meanwhile: then nothing is written either. Temporaries that a
// run which was killed left beside a file are taken away. Throws hone::Error naming the file; returns what
// the user should know.
std::vector<std::string> writeAtomically(const std::map<std::string, std::string>& contents,
                                         const std::map<std::string, std::string>& expected = {});

}  // namespace hone::emit
