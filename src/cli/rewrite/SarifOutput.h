// SARIF of a command, named and fingerprinted as seen from the project.
#pragma once

#include "cli/inputs/Inputs.h"
#include "report/CodeFinding.h"

namespace hone::cli {

// Of findings in any order. `problems`: what kept a part of the code from being looked at.
void writeSarif(const std::string& file, std::vector<report::CodeFinding> findings,
                std::span<const report::FindingRule> rules, const ParseOptions& parse,
                const std::vector<std::string>& problems = {});

// In order, with fingerprints.
std::vector<report::CodeFinding> fingerprinted(std::vector<report::CodeFinding> findings,
                                               const ParseOptions& parse);

}  // namespace hone::cli
