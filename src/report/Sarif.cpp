#include "report/Sarif.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hone::report {

namespace {

using SarifJson = nlohmann::ordered_json;

constexpr const char* rootName = "%SRCROOT%";

// A path as a part of a URI.
std::string inUri(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isPlain =
        byte < 0x80 && (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos);
    out += isPlain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

SarifJson fileJson(const std::string& root, const std::string& file) {
  const std::string relative = seenFrom(root, file);
  if (!relative.starts_with("..") && !relative.starts_with('/'))
    return {{"uri", inUri(relative)}, {"uriBaseId", rootName}};
  return {{"uri", "file://" + inUri(file)}};
}

SarifJson placeJson(const std::string& root, const std::string& file, unsigned line, unsigned column) {
  SarifJson region = {{"startLine", std::max(1u, line)}};
  if (column > 0) region["startColumn"] = column;
  return {{"physicalLocation", {{"artifactLocation", fileJson(root, file)}, {"region", region}}}};
}

SarifJson resultJson(const SarifLog& log, const CodeFinding& finding) {
  SarifJson result = {{"ruleId", finding.rule}};
  const auto rule = std::find_if(log.rules.begin(), log.rules.end(),
                                 [&](const FindingRule& one) { return one.id == finding.rule; });
  if (rule != log.rules.end()) result["ruleIndex"] = rule - log.rules.begin();
  result["level"] = str(finding.level);
  result["message"] = {{"text", finding.message}};
  if (!finding.file.empty()) {
    SarifJson place = placeJson(log.root, finding.file, finding.line, finding.column);
    if (!finding.kernel.empty())
      place["logicalLocations"] =
          SarifJson::array({{{"fullyQualifiedName", finding.kernel}, {"kind", "function"}}});
    result["locations"] = SarifJson::array({place});
  }
  if (!finding.otherFile.empty()) {
    SarifJson place = placeJson(log.root, finding.otherFile, finding.otherLine, 0);
    place["message"] = {{"text", finding.otherMessage}};
    result["relatedLocations"] = SarifJson::array({place});
  }
  if (!finding.fingerprint.empty()) result["partialFingerprints"] = {{"hone/v1", finding.fingerprint}};
  return result;
}

}  // namespace

std::string toSarif(const SarifLog& log) {
  SarifJson driver = {{"name", "hone"}};
  if (!log.version.empty()) driver["version"] = log.version;
  driver["rules"] = SarifJson::array();
  for (const FindingRule& rule : log.rules)
    driver["rules"].push_back(
        {{"id", rule.id}, {"shortDescription", {{"text", rule.text}}}, {"help", {{"text", rule.help}}}});
  SarifJson run = {{"tool", {{"driver", driver}}}};
  SarifJson invocation = {{"executionSuccessful", log.problems.empty()}};
  for (const std::string& problem : log.problems)
    invocation["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", {{"text", problem}}}});
  run["invocations"] = SarifJson::array({invocation});
  run["originalUriBaseIds"] = {
      {rootName, {{"uri", "file://" + inUri(log.root) + (log.root.ends_with('/') ? "" : "/")}}}};
  run["results"] = SarifJson::array();
  for (const CodeFinding& finding : log.findings) run["results"].push_back(resultJson(log, finding));
  const SarifJson out = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", SarifJson::array({run})}};
  return out.dump(2, ' ', false, SarifJson::error_handler_t::replace) + "\n";
}

}  // namespace hone::report
