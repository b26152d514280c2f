// The result of a survey: every kernel of a tree, imported or why not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::report {

// How far the accesses of a kernel to global memory are understood (with --facts).
struct SurveyFacts {
  size_t accesses = 0, resolved = 0, exact = 0;
  double milliseconds = 0;
  std::vector<std::string> reasons;  // of those not resolved
  std::string kind, kindReason;      // of one kernel: "row reduction", why
};

struct SurveyKernel {
  std::string file, name, language;  // language: "cuda" or "opencl"
  unsigned line = 0;
  std::vector<std::string> templateArgs;
  bool imported = false;
  std::string textStays;          // of one that is imported: why no new text can take its place
  std::string reason, reasonAt;   // "file:line" of what is behind the reason
  bool isUninstantiated = false;  // a template that no file of the tree instantiates
  std::string roundTrip;          // with --round-trip: "same", or why its text was not re-emitted
  std::optional<SurveyFacts> facts;
};

struct SurveyFile {
  std::string file;
  bool parsed = false;
  std::string error;  // also when parsed: what Clang found wrong
  double seconds = 0;
};

struct SurveyString {
  std::string file, name;
  unsigned line = 0;
};

struct SurveyResult {
  std::vector<SurveyKernel> kernels;
  std::vector<SurveyFile> files;
  std::vector<SurveyString> strings;    // kernels inside string literals
  std::map<std::string, size_t> byKey;  // addKernel's: which kernels are there already
};

// Counts of a survey. A definition is a kernel in the source; a template has as many kernels as
// instantiations.
struct SurveyTotals {
  size_t files = 0, filesParsed = 0, filesWithErrors = 0;
  size_t kernels = 0, imported = 0, textStays = 0;
  size_t definitions = 0, definitionsImported = 0;  // all of its instantiations are
  size_t uninstantiated = 0;                        // among the definitions
  size_t strings = 0;
  size_t roundTripped = 0, notReadBack = 0;             // with --round-trip
  std::vector<std::pair<std::string, size_t>> reasons;  // most frequent first, names left out
  bool hasFacts = false;
  SurveyFacts facts;  // sums; milliseconds: the most of one kernel
  std::vector<std::pair<std::string, size_t>> unresolved;
};
SurveyTotals totals(const SurveyResult& result);

// Whether re-emitted text failed to read back as the same kernel.
bool failsReadBack(const SurveyKernel& kernel);

// The reason without the names and numbers of its case, so that equal reasons count together.
std::string generalReason(const std::string& reason);

// Puts results of several files together: a kernel seen more than once is imported when one file imports it.
void addKernel(SurveyResult& result, SurveyKernel kernel);
// Sorts by place, and leaves out templates' own entries where an instantiation is there.
void finish(SurveyResult& result);

std::string toJson(const SurveyResult& result);
std::string toText(const SurveyResult& result);

}  // namespace hone::report
