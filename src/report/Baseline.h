// A baseline: findings that were there when it was written, and do not count.
#pragma once

#include <string>
#include <vector>

#include "report/CodeFinding.h"

namespace hone::report {

struct BaselineEntry {
  std::string fingerprint;
  std::string file, rule, kernel, message;  // for who reads it
};

// Throws hone::Error for a file that is missing, damaged or of another version.
std::vector<BaselineEntry> readBaseline(const std::string& file);

// Entries of findings with fingerprints, with files as seen from `root`.
std::vector<BaselineEntry> toBaseline(const std::vector<CodeFinding>& findings, const std::string& root);

// The text of a baseline file; in the order of files, an entry a line.
std::string toText(std::vector<BaselineEntry> entries);

}  // namespace hone::report
