// Findings as commands of GitHub's workflows, which show them beside the changed lines of a pull request.
#pragma once

#include <string>
#include <vector>

#include "report/CodeFinding.h"

namespace hone::report {

// A line each: "::warning file=src/k.cu,line=7,title=hone: race::…"; files as seen from `root`.
std::string githubAnnotations(const std::vector<CodeFinding>& findings, const std::string& root);

}  // namespace hone::report
