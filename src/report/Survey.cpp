#include "report/Survey.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "ir/CountOf.h"
#include "report/Table.h"

namespace hone::report {

namespace {

constexpr size_t mostReasonsShown = 10;

auto keyOf(const SurveyKernel& kernel) {
  return std::tie(kernel.file, kernel.line, kernel.name, kernel.templateArgs);
}

std::string percentOf(size_t part, size_t whole) {
  return whole == 0
             ? ""
             : fmt::format(" ({:.1f} %)", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

using Counted = std::vector<std::pair<std::string, size_t>>;

Counted mostFrequent(const std::map<std::string, size_t>& counts) {
  Counted out(counts.begin(), counts.end());
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return out;
}

std::string listText(const char* heading, const Counted& reasons) {
  if (reasons.empty()) return "";
  std::string out = std::string(heading) + ":\n";
  for (size_t i = 0; i < std::min(reasons.size(), mostReasonsShown); ++i)
    out += fmt::format("{:6}  {}\n", reasons[i].second, reasons[i].first);
  return out;
}

nlohmann::ordered_json listJson(const Counted& reasons) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& [reason, count] : reasons) out.push_back({{"reason", reason}, {"count", count}});
  return out;
}

nlohmann::ordered_json factsJson(const SurveyFacts& facts) {
  return {{"global_accesses", facts.accesses},
          {"resolved", facts.resolved},
          {"exact", facts.exact},
          {"milliseconds", facts.milliseconds}};
}

}  // namespace

std::string generalReason(const std::string& reason) {
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < reason.size(); ++i) {
    char c = reason[i];
    if (quote) {
      if (c != quote) continue;
      out += "…";
      out += quote;
      quote = 0;
    } else {
      bool isApostrophe = c == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(reason[i - 1]));
      if ((c == '`' || c == '\'' || c == '"') && !isApostrophe && reason.find(c, i + 1) != std::string::npos)
        quote = c;
      out += c;
    }
    if (c == '\n') break;
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

bool failsReadBack(const SurveyKernel& kernel) { return kernel.roundTrip.starts_with("internal:"); }

namespace {

bool isBetter(const SurveyKernel& kernel, const SurveyKernel& known) {
  return kernel.imported && (!known.imported || (kernel.textStays.empty() && !known.textStays.empty()));
}

}  // namespace

void addKernel(SurveyResult& result, SurveyKernel kernel) {
  std::string key = fmt::format("{}\n{}\n{}\n{}\n{}", kernel.file, kernel.line, kernel.name,
                                kernel.isUninstantiated, fmt::join(kernel.templateArgs, "\n"));
  auto [at, isNew] = result.byKey.emplace(std::move(key), result.kernels.size());
  if (isNew) {
    result.kernels.push_back(std::move(kernel));
  } else if (SurveyKernel& known = result.kernels[at->second]; isBetter(kernel, known)) {
    known = std::move(kernel);
  }
}

void finish(SurveyResult& result) {
  std::set<std::tuple<std::string, unsigned, std::string>> instantiated;
  for (const SurveyKernel& kernel : result.kernels)
    if (!kernel.isUninstantiated) instantiated.insert({kernel.file, kernel.line, kernel.name});
  std::erase_if(result.kernels, [&](const SurveyKernel& kernel) {
    return kernel.isUninstantiated && instantiated.contains({kernel.file, kernel.line, kernel.name});
  });
  std::sort(result.kernels.begin(), result.kernels.end(),
            [](const auto& a, const auto& b) { return keyOf(a) < keyOf(b); });
  std::sort(result.files.begin(), result.files.end(),
            [](const auto& a, const auto& b) { return a.file < b.file; });
  std::sort(result.strings.begin(), result.strings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.line, a.name) < std::tie(b.file, b.line, b.name);
  });
}

SurveyTotals totals(const SurveyResult& result) {
  SurveyTotals out;
  out.files = result.files.size();
  for (const SurveyFile& file : result.files) {
    out.filesParsed += file.parsed;
    out.filesWithErrors += file.parsed && !file.error.empty();
  }
  std::map<std::tuple<std::string, unsigned, std::string>, bool> definitions;
  std::map<std::string, size_t> reasons, unresolved;
  for (const SurveyKernel& kernel : result.kernels) {
    ++out.kernels;
    out.imported += kernel.imported;
    out.textStays += !kernel.textStays.empty();
    out.uninstantiated += kernel.isUninstantiated;
    out.roundTripped += kernel.roundTrip == "same";
    out.notReadBack += failsReadBack(kernel);
    auto [at, isNew] = definitions.try_emplace({kernel.file, kernel.line, kernel.name}, true);
    at->second = at->second && kernel.imported;
    if (!kernel.imported) ++reasons[generalReason(kernel.reason)];
    if (!kernel.facts) continue;
    out.hasFacts = true;
    out.facts.accesses += kernel.facts->accesses;
    out.facts.resolved += kernel.facts->resolved;
    out.facts.exact += kernel.facts->exact;
    out.facts.milliseconds = std::max(out.facts.milliseconds, kernel.facts->milliseconds);
    for (const std::string& reason : kernel.facts->reasons) ++unresolved[generalReason(reason)];
  }
  out.definitions = definitions.size();
  for (const auto& [key, isImported] : definitions) out.definitionsImported += isImported;
  out.strings = result.strings.size();
  out.reasons = mostFrequent(reasons);
  out.unresolved = mostFrequent(unresolved);
  return out;
}

std::string toJson(const SurveyResult& result) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["kernels"] = Json::array();
  for (const SurveyKernel& kernel : result.kernels)
    out["kernels"].push_back({{"file", kernel.file},
                              {"line", kernel.line},
                              {"name", kernel.name},
                              {"template_args", kernel.templateArgs},
                              {"language", kernel.language},
                              {"imported", kernel.imported},
                              {"reason", kernel.reason},
                              {"reason_at", kernel.reasonAt},
                              {"text_stays", kernel.textStays},
                              {"uninstantiated", kernel.isUninstantiated}});
  for (size_t i = 0; i < result.kernels.size(); ++i)
    if (const auto& facts = result.kernels[i].facts) {
      out["kernels"][i]["facts"] = factsJson(*facts);
      out["kernels"][i]["facts"]["kind"] = facts->kind;
      out["kernels"][i]["facts"]["kind_reason"] = facts->kindReason;
    }
  for (size_t i = 0; i < result.kernels.size(); ++i)
    if (!result.kernels[i].roundTrip.empty()) out["kernels"][i]["round_trip"] = result.kernels[i].roundTrip;
  out["files"] = Json::array();
  for (const SurveyFile& file : result.files)
    out["files"].push_back(
        {{"file", file.file}, {"parsed", file.parsed}, {"error", file.error}, {"seconds", file.seconds}});
  out["strings"] = Json::array();
  for (const SurveyString& string : result.strings)
    out["strings"].push_back({{"file", string.file}, {"line", string.line}, {"name", string.name}});
  SurveyTotals all = totals(result);
  out["totals"] = {{"files", all.files},
                   {"files_parsed", all.filesParsed},
                   {"files_with_errors", all.filesWithErrors},
                   {"kernels", all.kernels},
                   {"imported", all.imported},
                   {"text_stays", all.textStays},
                   {"left_alone", all.kernels - all.imported},
                   {"definitions", all.definitions},
                   {"definitions_imported", all.definitionsImported},
                   {"definitions_uninstantiated", all.uninstantiated},
                   {"kernels_in_strings", all.strings}};
  if (all.roundTripped + all.notReadBack > 0) {
    out["totals"]["round_tripped"] = all.roundTripped;
    out["totals"]["not_read_back"] = all.notReadBack;
  }
  if (all.hasFacts) {
    out["totals"]["facts"] = factsJson(all.facts);
    out["totals"]["facts"]["reasons"] = listJson(all.unresolved);
  }
  out["totals"]["reasons"] = listJson(all.reasons);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string toText(const SurveyResult& result) {
  std::string out;
  for (const SurveyKernel& kernel : result.kernels) {
    std::string name = kernel.name;
    if (!kernel.templateArgs.empty()) name += fmt::format("<{}>", fmt::join(kernel.templateArgs, ", "));
    out += fmt::format("{}:{}: kernel `{}`: ", kernel.file, kernel.line, name);
    if (kernel.imported)
      out += fmt::format(
          "imported{}{}{}\n", kernel.textStays.empty() ? "" : ", its text stays: " + kernel.textStays,
          kernel.roundTrip.empty() ? "" : ", round trip: " + kernel.roundTrip,
          !kernel.facts ? ""
                        : fmt::format(", {} of {} accesses resolved, {} exactly", kernel.facts->resolved,
                                      kernel.facts->accesses, kernel.facts->exact));
    else
      out += fmt::format("left alone: {}{}\n", kernel.reason,
                         kernel.reasonAt.empty() ? "" : " (" + kernel.reasonAt + ")");
  }
  for (const SurveyString& string : result.strings)
    out += fmt::format("{}:{}: kernel `{}` stands in a string literal; hone reads kernels in files only\n",
                       string.file, string.line, string.name);
  for (const SurveyFile& file : result.files)
    if (!file.parsed)
      out += fmt::format("{}: not parsed: {}\n", file.file, file.error);
    else if (!file.error.empty())
      out += fmt::format("{}: parsed with errors, so that what is said of its kernels may not be all: {}\n",
                         file.file, file.error);

  SurveyTotals all = totals(result);
  if (!out.empty()) out += "\n";
  out += fmt::format("{}, {} parsed{}{}\n", ir::countOf(all.files, "file"), all.filesParsed,
                     percentOf(all.filesParsed, all.files),
                     all.filesWithErrors ? fmt::format(", {} of them with errors", all.filesWithErrors) : "");
  out += fmt::format("{}, {} imported{}", ir::countOf(all.kernels, "kernel"), all.imported,
                     percentOf(all.imported, all.kernels));
  if (all.definitions != all.kernels)
    out += fmt::format("; from {}, {} imported{}", ir::countOf(all.definitions, "definition"),
                       all.definitionsImported, percentOf(all.definitionsImported, all.definitions));
  out += "\n";
  if (all.textStays > 0)
    out +=
        fmt::format("{} of those imported keep their text: no new text can take its place\n", all.textStays);
  if (all.roundTripped + all.notReadBack > 0)
    out += fmt::format("{} re-emitted and read back the same, {} not\n",
                       ir::countOf(all.roundTripped, "kernel"), all.notReadBack);
  if (all.strings > 0) out += ir::countOf(all.strings, "kernel") + " in string literals\n";
  if (all.hasFacts)
    out +=
        fmt::format("{} accesses to global memory, {} resolved{}, {} exactly{}; at most {:.1f} ms a kernel\n",
                    all.facts.accesses, all.facts.resolved, percentOf(all.facts.resolved, all.facts.accesses),
                    all.facts.exact, percentOf(all.facts.exact, all.facts.accesses), all.facts.milliseconds);
  out += listText("most frequent reasons for leaving alone", all.reasons);
  out += listText("most frequent reasons why an access is not resolved", all.unresolved);
  return out;
}

}  // namespace hone::report
