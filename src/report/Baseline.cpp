#include "report/Baseline.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "ir/Error.h"

namespace hone::report {

namespace {

using BaselineJson = nlohmann::ordered_json;

constexpr int baselineVersion = 1;
constexpr const char* versionKey = "hone_baseline";

[[noreturn]] void failBaseline(const std::string& file, const std::string& what) {
  throw Error(fmt::format("{}: {}; --write-baseline writes it anew", file, what));
}

}  // namespace

std::vector<BaselineEntry> readBaseline(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw Error(fmt::format("{}: there is no such baseline; --write-baseline writes one", file));
  std::ifstream in(file, std::ios::binary);
  const BaselineJson json = BaselineJson::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains(versionKey)) failBaseline(file, "is no baseline, or a damaged one");
  if (json[versionKey] != baselineVersion)
    failBaseline(file, fmt::format("is a baseline of version {}, and this hone reads version {}",
                                   json[versionKey].dump(), baselineVersion));
  if (!json.contains("findings") || !json["findings"].is_array())
    failBaseline(file, "is a damaged baseline: it has no list `findings`");
  std::vector<BaselineEntry> out;
  for (const BaselineJson& item : json["findings"]) {
    BaselineEntry entry;
    for (const auto& [key, text] :
         {std::pair("fingerprint", &entry.fingerprint), std::pair("file", &entry.file),
          std::pair("rule", &entry.rule), std::pair("kernel", &entry.kernel),
          std::pair("message", &entry.message)}) {
      if (!item.is_object() || !item.contains(key) || !item[key].is_string())
        failBaseline(file, fmt::format("is a damaged baseline: entry {} has no `{}`", out.size() + 1, key));
      *text = item[key];
    }
    out.push_back(std::move(entry));
  }
  return out;
}

std::vector<BaselineEntry> toBaseline(const std::vector<CodeFinding>& findings, const std::string& root) {
  std::vector<BaselineEntry> out;
  out.reserve(findings.size());
  for (const CodeFinding& one : findings)
    out.push_back({one.fingerprint, seenFrom(root, one.file), one.rule, one.kernel, one.message});
  return out;
}

std::string toText(std::vector<BaselineEntry> entries) {
  const auto key = [](const BaselineEntry& e) { return std::tie(e.file, e.kernel, e.rule, e.fingerprint); };
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::string out = fmt::format("{{\"{}\": {}, \"findings\": [", versionKey, baselineVersion);
  const char* separator = "\n";
  for (const BaselineEntry& e : entries) {
    const BaselineJson item = {{"fingerprint", e.fingerprint},
                               {"file", e.file},
                               {"rule", e.rule},
                               {"kernel", e.kernel},
                               {"message", e.message}};
    out += separator + item.dump(-1, ' ', false, BaselineJson::error_handler_t::replace);
    separator = ",\n";
  }
  return out + "\n]}\n";
}

}  // namespace hone::report
