#include "report/JudgeReport.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "emit/PlanTests.h"
#include "ir/CountOf.h"

namespace hone::report {

using device::JudgedFinding;
using device::JudgedRun;
using json = nlohmann::ordered_json;

namespace {

bool counts(const JudgedFinding& f) { return !f.inOriginal && f.finding.cls != sim::FindingClass::SameValue; }

// Where little happens at the sizes given, or the original ran in place of the fast version, the two are
// equal.
bool isUncompared(const device::Judgement& j) { return !j.uncompared.empty() && !j.mayBeMeant; }

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
      text = fmt::format("{}: error: different results in {}[{}]: {} ({} of {})", place, shown.array,
                         shown.index, shown.message, shown.count,
                         ir::countOf(uint64_t(shown.length), "element"));
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

std::string launchWord(const device::Judgement& j) {
  return j.isOfCapture ? "captured launch made smaller" : "guessed launch";
}

std::string verdict(const JudgeReport& report, const device::Judgement& j) {
  size_t errors = j.errors(), warnings = j.warnings();
  std::string also = warnings > 0 ? fmt::format(", {}", ir::countOf(warnings, "warning")) : "";
  const std::string where = errors > 0 && !j.guesses.empty() ? " at a " + launchWord(j) : "";
  if (!report.isVerify) return (errors == 0 ? "clean" : ir::countOf(errors, "error") + where) + also;
  size_t compared = static_cast<size_t>(
      std::count_if(j.runs.begin(), j.runs.end(), [](const JudgedRun& r) { return r.equal.has_value(); }));
  size_t unequal = static_cast<size_t>(
      std::count_if(j.runs.begin(), j.runs.end(), [](const JudgedRun& r) { return r.equal && !*r.equal; }));
  size_t own =
      static_cast<size_t>(std::count_if(j.findings.begin(), j.findings.end(), [](const JudgedFinding& f) {
        return counts(f) && f.kind != "mismatch";
      }));
  std::string text = unequal > 0 ? fmt::format("NOT EQUAL in {} of {}", unequal, ir::countOf(compared, "run"))
                     : isUncompared(j) ? "NOT COMPARED: " + j.uncompared
                                       : fmt::format("equal in {}", ir::countOf(compared, "run"));
  if (own > 0) text += fmt::format(", {} that the original does not have", ir::countOf(own, "error"));
  if (j.maxError > 0 && std::isfinite(j.maxError))
    text += fmt::format(", largest difference {:.3g}", j.maxError);
  return text + also;
}

json threadJson(const std::array<uint32_t, 3>& t) { return json::array({t[0], t[1], t[2]}); }

}  // namespace

bool JudgeReport::foundSomething() const {
  return std::any_of(kernels.begin(), kernels.end(), [](const JudgedKernel& k) {
    return k.problem.empty() && (k.judgement.errors() > 0 || !k.judgement.equal || isUncompared(k.judgement));
  });
}

bool JudgeReport::isComplete() const {
  return std::all_of(kernels.begin(), kernels.end(), [](const JudgedKernel& k) { return k.problem.empty(); });
}

std::string unreachedText(const std::vector<device::Unreached>& places,
                          const std::function<std::string(const std::string&)>& display) {
  constexpr size_t most = 3;
  std::string text;
  for (size_t i = 0; i < std::min(most, places.size()); ++i) {
    const device::Unreached& one = places[i];
    text += fmt::format("{}{}:{}{}", i ? ", " : "", display(one.file), one.line,
                        one.stores ? " (writes to memory)" : "");
  }
  if (places.size() > most) text += fmt::format(" and {} more", places.size() - most);
  return text;
}

std::vector<std::string> oneSidedTexts(const device::Judgement& judgement) {
  constexpr size_t most = 4;
  std::vector<std::string> always, never, unasked;
  for (const device::OneSidedTest& one : judgement.oneSided) {
    std::vector<std::string>& list = !one.asked ? unasked : one.held ? always : never;
    const std::string text = emit::testText(one.test, judgement.language);
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  }
  std::vector<std::string> out;
  const auto tell = [&](const char* what, const std::vector<std::string>& list) {
    if (list.empty()) return;
    std::string text;
    for (size_t i = 0; i < std::min(most, list.size()); ++i) text += (i ? ", " : "") + list[i];
    if (list.size() > most) text += fmt::format(" and {} more", list.size() - most);
    out.push_back(fmt::format("tests before the launch {}: {}", what, text));
  };
  tell("that held in every run", always);
  tell("that held in none", never);
  tell("that no run came to", unasked);
  return out;
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
  if (kernel.judgement.mayBeMeant) text += fmt::format("  note: {}\n", kernel.judgement.uncompared);
  if (const std::string places = unreachedText(kernel.judgement.unreached, report.display);
      !places.empty() && !kernel.judgement.mayBeMeant)
    text += fmt::format("  statements that no run came to: {}\n", places);
  if (const std::string places = unreachedText(kernel.judgement.unreachedInFirst, report.display);
      !places.empty())
    text += fmt::format("  statements of the first that no run came to, and that the second may lack: {}\n",
                        places);
  for (const std::string& line : oneSidedTexts(kernel.judgement)) text += fmt::format("  {}\n", line);
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
    equal &= kernel.problem.empty() && kernel.judgement.equal && !isUncompared(kernel.judgement);
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
    json& last = out["kernels"].back();
    if (!report.isVerify) last["guessed"] = kernel.judgement.guesses;
    if (report.isVerify) {
      last["compared"] = kernel.problem.empty() && kernel.judgement.uncompared.empty();
      last["untouched"] = kernel.judgement.untouched;
      const auto list = [&](const std::vector<device::Unreached>& places) {
        json out = json::array();
        for (const device::Unreached& one : places)
          out.push_back({{"file", report.display(one.file)}, {"line", one.line}, {"stores", one.stores}});
        return out;
      };
      last["unreached"] = list(kernel.judgement.unreached);
      last["unreached_in_first"] = list(kernel.judgement.unreachedInFirst);
      last["conditions_always_held"] = kernel.judgement.heldAlways;
      last["one_sided_tests"] = json::array();
      for (const device::OneSidedTest& one : kernel.judgement.oneSided)
        last["one_sided_tests"].push_back({{"test", emit::testText(one.test, kernel.judgement.language)},
                                           {"asked", one.asked},
                                           {"held", one.held}});
    }
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

std::vector<CodeFinding> toFindings(const JudgedKernel& kernel,
                                    const std::function<std::string(const std::string&)>& canonical,
                                    bool hasMadeUpData) {
  std::vector<CodeFinding> out;
  const std::string& guesses = kernel.judgement.guesses;
  std::string circumstances;
  if (!guesses.empty()) circumstances = fmt::format(", at a {}: {}", launchWord(kernel.judgement), guesses);
  if (hasMadeUpData) circumstances += ", with contents of its arrays that are made up";
  for (const JudgedFinding& one : kernel.judgement.findings) {
    if (!counts(one)) continue;
    const sim::Finding& f = one.finding;
    CodeFinding finding;
    finding.rule = one.kind;
    finding.level = circumstances.empty() ? FindingLevel::Error : FindingLevel::Warning;
    finding.isGuessed = !circumstances.empty();
    const bool hasPlace = !f.party.file.empty() && f.party.line > 0;
    finding.file = canonical(hasPlace ? f.party.file : kernel.file);
    finding.line = hasPlace ? f.party.line : kernel.line;
    finding.column = hasPlace ? f.party.column : 0;
    finding.kernel = kernel.name;
    finding.subject = f.array;
    finding.message = fmt::format("{} (kernel {}{})", sim::describe(f), kernel.name, circumstances);
    if (f.hasOther && !f.other.file.empty() && f.other.line > 0) {
      finding.otherFile = canonical(f.other.file);
      finding.otherLine = f.other.line;
      finding.otherMessage = "the other access";
    }
    out.push_back(std::move(finding));
  }
  return out;
}

}  // namespace hone::report
