#include "report/JudgeReport.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hone::report {

using device::JudgedFinding;
using device::JudgedRun;
using json = nlohmann::ordered_json;

namespace {

bool counts(const JudgedFinding& f) { return !f.inOriginal && f.finding.cls != sim::FindingClass::SameValue; }

std::string plural(size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

sim::Finding displayed(const JudgeReport& report, sim::Finding finding) {
  if (!finding.party.file.empty()) finding.party.file = report.display(finding.party.file);
  if (!finding.other.file.empty()) finding.other.file = report.display(finding.other.file);
  return finding;
}

std::string findingText(const JudgeReport& report, const JudgedFinding& f) {
  sim::Finding shown = displayed(report, f.finding);
  std::string text;
  if (f.kind == "mismatch" || f.kind == "unset-output") {
    std::string place =
        shown.party.line ? fmt::format("{}:{}", shown.party.file, shown.party.line) : shown.party.file;
    if (f.kind == "unset-output")
      text = fmt::format("{}: error: {}", place, shown.message);
    else if (shown.array.empty())
      text = fmt::format("{}: error: {}", place, shown.message);
    else
      text = fmt::format("{}: error: different results in {}[{}]: {} ({} of {} elements)", place, shown.array,
                         shown.index, shown.message, shown.count, shown.length);
  } else {
    text = sim::format(shown);
  }
  if (report.isVerify && !f.sizes.empty()) text += fmt::format("\n    at {}", f.sizes);
  if (f.inOriginal) text += "\n    the original has this too";
  return text;
}

std::string runText(const JudgedRun& run) {
  std::string sizes = device::sizesText(run.sizes);
  return fmt::format("{}{}grid {}, block {}", sizes, sizes.empty() ? "" : ", ", device::extentsText(run.grid),
                     device::extentsText(run.block));
}

std::string verdict(const JudgeReport& report, const device::Judgement& j) {
  size_t errors = j.errors(), warnings = j.warnings();
  std::string also = warnings > 0 ? fmt::format(", {}", plural(warnings, "warning")) : "";
  if (!report.isVerify) return (errors == 0 ? "clean" : plural(errors, "error")) + also;
  size_t compared = static_cast<size_t>(
      std::count_if(j.runs.begin(), j.runs.end(), [](const JudgedRun& r) { return r.equal.has_value(); }));
  size_t unequal = static_cast<size_t>(
      std::count_if(j.runs.begin(), j.runs.end(), [](const JudgedRun& r) { return r.equal && !*r.equal; }));
  size_t own =
      static_cast<size_t>(std::count_if(j.findings.begin(), j.findings.end(), [](const JudgedFinding& f) {
        return counts(f) && f.kind != "mismatch";
      }));
  std::string text = unequal > 0 ? fmt::format("NOT EQUAL in {} of {}", unequal, plural(compared, "run"))
                     : !j.uncompared.empty() ? "NOT COMPARED: " + j.uncompared
                                             : fmt::format("equal in {}", plural(compared, "run"));
  if (own > 0) text += fmt::format(", {} that the original does not have", plural(own, "error"));
  if (j.maxError > 0 && std::isfinite(j.maxError))
    text += fmt::format(", largest difference {:.3g}", j.maxError);
  return text + also;
}

json threadJson(const std::array<uint32_t, 3>& t) { return json::array({t[0], t[1], t[2]}); }

}  // namespace

bool JudgeReport::foundSomething() const {
  return std::any_of(kernels.begin(), kernels.end(), [](const JudgedKernel& k) {
    return k.problem.empty() &&
           (k.judgement.errors() > 0 || !k.judgement.equal || !k.judgement.uncompared.empty());
  });
}

bool JudgeReport::isComplete() const {
  return std::all_of(kernels.begin(), kernels.end(), [](const JudgedKernel& k) { return k.problem.empty(); });
}

std::string onlyOriginalRan(const device::Judgement& judgement) {
  return fmt::format(
      "conditions of the fast version hold at none of the {} sizes tried, so that the original ran; give "
      "sizes "
      "at which they do (--set)",
      judgement.runs.size());
}

std::string toText(const JudgeReport& report, const JudgedKernel& kernel) {
  std::string text = fmt::format("{}:{}: kernel `{}`: ", kernel.file, kernel.line, kernel.name);
  if (!kernel.problem.empty()) return text + fmt::format("not run: {}\n", kernel.problem);
  text += verdict(report, kernel.judgement) + "\n";
  for (const JudgedRun& run : kernel.judgement.runs) {
    text += "  " + runText(run);
    if (run.equal) text += *run.equal ? ": equal" : ": NOT EQUAL";
    if (run.fellBack) text += " (conditions of the fast version do not hold here: the original ran)";
    if (!run.skipped.empty()) text += ": not compared, " + run.skipped;
    text += "\n";
  }
  if (report.isVerify && kernel.judgement.equal && !kernel.judgement.ranFast())
    text += fmt::format("  note: {}\n", onlyOriginalRan(kernel.judgement));
  for (const std::string& note : kernel.judgement.notes) text += fmt::format("  {}\n", note);
  for (const JudgedFinding& finding : kernel.judgement.findings) {
    std::string shown = findingText(report, finding);
    text += "  ";
    for (char c : shown) text += c == '\n' ? "\n  " : std::string(1, c);
    text += "\n";
  }
  return text;
}

std::string toText(const JudgeReport& report) {
  std::string text;
  for (const JudgedKernel& kernel : report.kernels) text += toText(report, kernel);
  return text;
}

std::string toJson(const JudgeReport& report) {
  json out;
  bool equal = true;
  double maxError = 0;
  for (const JudgedKernel& kernel : report.kernels) {
    equal &= kernel.problem.empty() && kernel.judgement.equal && kernel.judgement.uncompared.empty();
    maxError = std::max(maxError, kernel.judgement.maxError);
  }
  out["equal"] = report.isVerify ? json(equal) : json(nullptr);
  out["max_error"] = report.isVerify && std::isfinite(maxError) ? json(maxError) : json(nullptr);
  out["runs"] = json::array();
  out["findings"] = json::array();
  out["kernels"] = json::array();
  for (const JudgedKernel& kernel : report.kernels) {
    out["kernels"].push_back(
        {{"name", kernel.name},
         {"file", kernel.file},
         {"line", kernel.line},
         {"judged", kernel.problem.empty()},
         {"reason", kernel.problem.empty() ? kernel.judgement.uncompared : kernel.problem},
         {"notes", kernel.judgement.notes}});
    for (const JudgedRun& run : kernel.judgement.runs) {
      json sizes = json::object();
      for (const auto& [name, value] : run.sizes) sizes[name] = value;
      out["runs"].push_back({{"kernel", kernel.name},
                             {"sizes", sizes},
                             {"grid", threadJson(run.grid)},
                             {"block", threadJson(run.block)},
                             {"equal", run.equal ? json(*run.equal) : json(nullptr)},
                             {"fell_back", run.fellBack},
                             {"skipped", run.skipped}});
    }
    for (const JudgedFinding& one : kernel.judgement.findings) {
      sim::Finding f = displayed(report, one.finding);
      out["findings"].push_back({{"kind", one.kind},
                                 {"class", one.cls},
                                 {"kernel", kernel.name},
                                 {"file", f.party.file},
                                 {"line", f.party.line},
                                 {"other_file", f.hasOther ? f.other.file : ""},
                                 {"other_line", f.hasOther ? f.other.line : 0},
                                 {"array", f.array},
                                 {"index", f.index},
                                 {"thread", threadJson(f.party.who.thread)},
                                 {"block", threadJson(f.party.who.block)},
                                 {"count", f.count},
                                 {"message", f.message},
                                 {"space", f.space},
                                 {"sizes", one.sizes},
                                 {"in_original", one.inOriginal}});
    }
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hone::report
