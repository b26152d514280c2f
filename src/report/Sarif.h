// SARIF 2.1.0, for editors and code review.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/CodeFinding.h"

namespace hone::report {

struct SarifLog {
  std::string version;  // of hone
  std::string root;     // absolute; files below it are named as seen from there
  std::span<const FindingRule> rules;
  std::vector<CodeFinding> findings;
  std::vector<std::string> problems = {};  // what kept a part of the code from being looked at
};

std::string toSarif(const SarifLog& log);

}  // namespace hone::report
