#include "cli/rewrite/SarifOutput.h"

#include "cli/inputs/ProjectFile.h"
#include "cli/rewrite/OptOutput.h"
#include "hone/Config.h"
#include "ir/Error.h"
#include "report/Sarif.h"

namespace hone::cli {

std::vector<report::CodeFinding> fingerprinted(std::vector<report::CodeFinding> findings,
                                               const ParseOptions& parse) {
  findings = report::inOrder(std::move(findings));
  report::setFingerprints(findings, projectRoot(parse), [](const std::string& file) -> std::string {
    try {
      return readFile(file);
    } catch (const Error&) {
      return "";  // it was there when the finding was made
    }
  });
  return findings;
}

void writeSarif(const std::string& file, std::vector<report::CodeFinding> findings,
                std::span<const report::FindingRule> rules, const ParseOptions& parse,
                const std::vector<std::string>& problems) {
  writeJson(file, report::toSarif({config::version, reportRoot(parse), rules,
                                   fingerprinted(std::move(findings), parse), problems}));
}

}  // namespace hone::cli
