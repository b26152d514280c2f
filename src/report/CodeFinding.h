// Something to be said of a line of the user's code, whichever command found it: for SARIF, for annotations
// of a code review and for baselines.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hone::report {

enum class FindingLevel { Error, Warning, Note };
const char* str(FindingLevel level);  // "error", "warning", "note": as SARIF has them

struct CodeFinding {
  std::string rule;  // "race", "missed-gain", …
  FindingLevel level = FindingLevel::Warning;
  std::string file;  // canonical; empty: no place is known
  unsigned line = 0, column = 0;
  std::string kernel;   // qualified name with template arguments
  std::string subject;  // what it is about where a line has several: an array
  std::string message;
  std::string otherFile;  // a second place; empty: none
  unsigned otherLine = 0;
  std::string otherMessage;
  bool isGuessed = false;   // found at sizes or data that nobody gave
  std::string fingerprint;  // once setFingerprints was called
};

// A kind of findings.
struct FindingRule {
  const char* id;
  const char* text;  // what is so
  const char* help;  // what to do about it
};

// Of what runs on the embedded device find, and of gains that were missed.
std::span<const FindingRule> checkRules();

// In the order of places, with one finding for all instantiations of a template that have it.
std::vector<CodeFinding> inOrder(std::vector<CodeFinding> findings);

// A fingerprint holds the file as seen from `root`, the kernel, the rule, the subject, the text of the line
// without blanks, and which of several that are alike it is: it stays when lines are inserted elsewhere.
// `textOf`: contents of a file by its canonical path. The findings are in order.
void setFingerprints(std::vector<CodeFinding>& findings, const std::string& root,
                     const std::function<std::string(const std::string&)>& textOf);

// A file as seen from a folder, both absolute: "src/k.cu"; the path itself where the two have nothing in
// common.
std::string seenFrom(const std::string& root, const std::string& file);

}  // namespace hone::report
