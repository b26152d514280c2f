// hone opt --check: what is wrong with the kernels of a project and what they would gain, for CI. Changes no
// source.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/choose/CheckFiles.h"
#include "cli/commands/Command.h"
#include "cli/commands/ManyFiles.h"
#include "cli/inputs/ImportFiles.h"
#include "cli/inputs/ProjectFile.h"
#include "cli/inputs/SeveralCaptures.h"
#include "cli/rewrite/OptOutput.h"
#include "cli/rewrite/SarifOutput.h"
#include "hone/Config.h"
#include "ir/Error.h"
#include "report/Annotations.h"
#include "report/Baseline.h"
#include "report/Progress.h"
#include "report/Sarif.h"

namespace hone::cli {

namespace {

using CheckJson = nlohmann::json;

constexpr double usualGain = 1.1;

CheckJson toJson(const CheckedFiles& checked) {
  CheckJson out = {{"status", int(exitDone)}, {"kernels", checked.kernels}, {"notRun", checked.notRun},
                   {"left", checked.left},    {"homes", checked.homes},     {"findings", CheckJson::array()}};
  for (const report::CodeFinding& f : checked.findings)
    out["findings"].push_back({f.rule, int(f.level), f.file, f.line, f.column, f.kernel, f.subject, f.message,
                               f.otherFile, f.otherLine, f.otherMessage, f.isGuessed});
  return out;
}

report::CodeFinding toFinding(const CheckJson& item) {
  report::CodeFinding f;
  f.rule = item[0];
  f.level = report::FindingLevel(item[1].get<int>());
  f.file = item[2];
  f.line = item[3];
  f.column = item[4];
  f.kernel = item[5];
  f.subject = item[6];
  f.message = item[7];
  f.otherFile = item[8];
  f.otherLine = item[9];
  f.otherMessage = item[10];
  f.isGuessed = item[11];
  return f;
}

// In the child.
std::string checkGroup(OptCommand& command, PassSetup& setup, const FileGroup& group) {
  report::Progress::silence();
  command.paths = group.paths;
  for (const std::string& path : group.paths) command.names.give(path);
  CheckJson out = {{"status", int(exitCode)}};
  try {
    std::vector<GivenFile> files;
    if (!importAll(command.paths, command.parse,
                   {command.keepGoing, command.rewrite.kernels, command.output.isQuiet}, files))
      return out.dump();
    setup.lookForLaunchesIn(files);
    tellCaptures(setup.given(), files, false, &setup.target());
    CheckRequest request;
    request.rewrite = command.rewrite;
    request.passes = command.passes;
    if (command.isTargetOfProject) request.targets = command.parse.project->targets;
    request.choose = {!command.noVerify,      command.trustSizes,       command.cases.runOptions(), 0, false,
                      command.output.isQuiet, command.output.isVerbose, !command.kernels.empty()};
    request.compile.checkAssumptions = true;
    request.compile.contract = command.cases.contract;
    request.leastGain = *command.gain;
    out = toJson(checkFiles(files, setup, command.names, request));
  } catch (const Error& error) {
    fmt::print(stderr, "hone opt: {}\n", error.what());
    out["status"] = error.status;
  }
  return out.dump(-1, ' ', false, CheckJson::error_handler_t::replace);
}

// What all groups have to say together.
struct CheckedProject {
  std::vector<report::CodeFinding> findings;
  std::set<std::string> homes;
  size_t kernels = 0, notRun = 0;
  std::vector<std::string> problems;  // what was not looked at
  int status = exitDone;
};

CheckedProject checkAllGroups(OptCommand& command, PassSetup& setup, const ManyFiles& many) {
  CheckedProject all;
  for (const BrokenFile& file : many.broken)
    all.problems.push_back(fmt::format("{}: {}", file.path, file.problem));
  report::Progress progress(many.groups.size());
  std::vector<std::pair<std::string, std::string>> said(many.groups.size());
  many.pool.run(
      many.groups.size(), [&](size_t i) { return checkGroup(command, setup, many.groups[i]); },
      [&](size_t i, const ChildResult& child) {
        const std::string name = nameOf(many.groups[i]);
        progress.step(name);
        said[i].first = child.said;
        const CheckJson json = CheckJson::parse(child.output, nullptr, false);
        if (!child.problem.empty() || !json.is_object() || json["status"] != int(exitDone)) {
          const std::string why = child.problem.empty() ? "cannot be checked" : "hone " + child.problem;
          all.problems.push_back(fmt::format("{}: {}", name, child.isStarted ? why : child.problem));
          said[i].second = all.problems.back() + "\n";
          if (json.is_object() && json["status"] == int(exitCommand)) all.status = exitCommand;
          return;
        }
        all.kernels += json["kernels"].get<size_t>();
        all.notRun += json["notRun"].size();
        for (const CheckJson& line : json["left"]) said[i].second += line.get<std::string>() + "\n";
        for (const CheckJson& line : json["notRun"])
          if (command.output.isVerbose) said[i].second += line.get<std::string>() + "\n";
        for (const CheckJson& home : json["homes"]) all.homes.insert(home.get<std::string>());
        for (const CheckJson& item : json["findings"]) all.findings.push_back(toFinding(item));
      });
  progress.clear();
  for (const auto& [own, ours] : said) fmt::print(stderr, "{}{}", own, ours);
  std::sort(all.problems.begin(), all.problems.end());
  if (!all.problems.empty() && all.status == exitDone) all.status = exitCode;
  return all;
}

// A mistyped name must not cost a file: baselines begin with their version, however damaged the rest is.
bool isAnotherFile(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return false;
  if (!std::filesystem::is_regular_file(path, ignored)) return true;
  const std::string text = readFile(path);
  return !text.empty() && text.substr(0, 200).find("\"hone_baseline\"") == std::string::npos;
}

// What is to be done with a baseline, and what it says.
class BaselineUse {
 public:
  BaselineUse(const OptCommand& command, std::string file)
      : path(std::move(file)), root(projectRoot(command.parse)), isWritten(command.writeBaseline) {
    if (path.empty() && isWritten)
      throw Error(
          "--write-baseline wants to know where: --baseline FILE, or `baseline` under [check] in hone.toml");
    if (isWritten && !command.kernels.empty())
      throw Error("--write-baseline is for all kernels of the files: leave --kernel out");
    if (isWritten && isAnotherFile(path))
      throw Error(
          fmt::format("{}: is there and is no baseline: it is not written over; name another file", path));
    std::error_code ignored;
    if (path.empty() || (isWritten && !std::filesystem::exists(path, ignored))) return;
    try {
      entries = report::readBaseline(path);
    } catch (const Error& error) {
      if (!isWritten) throw;
      fmt::print(stderr, "{}\n", error.what());
    }
  }

  const std::string path;

  // Those of the findings that are not in it.
  std::vector<report::CodeFinding> newOf(const std::vector<report::CodeFinding>& findings) const {
    std::set<std::string> known;
    for (const report::BaselineEntry& entry : entries) known.insert(entry.fingerprint);
    std::vector<report::CodeFinding> out;
    for (const report::CodeFinding& one : findings)
      if (!known.contains(one.fingerprint)) out.push_back(one);
    return out;
  }

  // Entries of files that were looked at, of which nothing is found any more.
  size_t goneOf(const CheckedProject& all) const {
    std::set<std::string> found;
    for (const report::CodeFinding& one : all.findings) found.insert(one.fingerprint);
    const std::set<std::string> looked = lookedAt(all);
    return static_cast<size_t>(std::count_if(entries.begin(), entries.end(), [&](const auto& entry) {
      return looked.contains(entry.file) && !found.contains(entry.fingerprint);
    }));
  }

  // Entries of files that were not looked at stay.
  size_t write(const CheckedProject& all) const {
    std::vector<report::BaselineEntry> out = report::toBaseline(all.findings, root);
    const std::set<std::string> looked = lookedAt(all);
    std::error_code ignored;
    for (const report::BaselineEntry& entry : entries)
      if (!looked.contains(entry.file) && std::filesystem::exists(root + "/" + entry.file, ignored))
        out.push_back(entry);
    writeJson(path, report::toText(out));
    return out.size();
  }

 private:
  std::string root;
  bool isWritten;
  std::vector<report::BaselineEntry> entries;

  // Files with findings among them: what a macro of another file expands to may be found there.
  std::set<std::string> lookedAt(const CheckedProject& all) const {
    std::set<std::string> out;
    for (const std::string& home : all.homes) out.insert(report::seenFrom(root, home));
    for (const report::CodeFinding& one : all.findings) out.insert(report::seenFrom(root, one.file));
    return out;
  }
};

std::string counted(size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// Of what was found in one kernel at a launch that was guessed, a few: one wrong guess may have many.
void printFindings(const std::vector<report::CodeFinding>& findings, const DisplayNames& names,
                   bool isVerbose) {
  constexpr size_t mostGuessed = 3;
  std::map<std::string, size_t> guessed;
  for (const report::CodeFinding& one : findings) {
    if (one.isGuessed && ++guessed[one.kernel] > mostGuessed && !isVerbose) continue;
    fmt::print("{}:{}: {}: {} [{}]\n", names.of(one.file), one.line, report::str(one.level), one.message,
               one.rule);
    if (!one.otherFile.empty() && (one.otherFile != one.file || one.otherLine != one.line))
      fmt::print("    {}:{}: {}\n", names.of(one.otherFile), one.otherLine, one.otherMessage);
  }
  for (const auto& [kernel, count] : guessed)
    if (count > mostGuessed && !isVerbose)
      fmt::print("kernel {}: {} more at the same guesses (-v shows them)\n", kernel, count - mostGuessed);
}

size_t gainsIn(const std::vector<report::CodeFinding>& findings) {
  return static_cast<size_t>(std::count_if(findings.begin(), findings.end(),
                                           [](const auto& one) { return one.rule == "missed-gain"; }));
}

void checkCheckOptions(const OptCommand& command) {
  if (command.hasRecipe() || command.candidates || command.estimate || !command.emitLanguage.empty() ||
      !command.page.empty())
    throw Error(
        "--check looks for gains by itself: leave --recipe, --candidates, --estimate, --emit and --report "
        "out");
  if (command.output.inPlace || command.output.diff || !command.output.path.empty())
    throw Error("--check changes nothing: leave --in-place, --diff and -o out");
  if (!command.json.empty()) throw Error("--check reports as text and as SARIF (--sarif): leave --json out");
}

}  // namespace

int optCheck(OptCommand& command, PassSetup& setup, const ChosenFiles& files) {
  checkCheckOptions(command);
  const ProjectFile* project = command.parse.project.get();
  std::string sarif = command.sarif, baselineFile = command.baseline;
  if (project && project->sarif && sarif.empty()) sarif = project->sarif->path;
  if (project && project->baseline && baselineFile.empty()) baselineFile = project->baseline->path;
  if (!command.gain) command.gain = project && project->gain ? *project->gain : usualGain;
  const BaselineUse baseline(command, baselineFile);
  const bool isQuiet = command.output.isQuiet;
  command.output.isQuiet = !command.output.isVerbose;
  command.rewrite.mainFilesOnly = false;
  const ManyFiles many = divideFiles(command, files);
  command.cases.jobs = many.threads;
  CheckedProject all = checkAllGroups(command, setup, many);
  if (all.status == exitCommand) return exitCommand;
  all.findings = fingerprinted(std::move(all.findings), command.parse);
  const size_t guessed = command.noGuessed || (project && project->noGuessed)
                             ? std::erase_if(all.findings, [](const auto& one) { return one.isGuessed; })
                             : 0;
  const std::vector<report::CodeFinding> fresh = baseline.newOf(all.findings);

  if (!command.writeBaseline) {
    printFindings(fresh, command.names, command.output.isVerbose);
    if (command.annotations == "github")
      fmt::print("{}", report::githubAnnotations(fresh, reportRoot(command.parse)));
    std::fflush(stdout);
  }
  if (!sarif.empty())
    writeJson(sarif, report::toSarif({config::version, reportRoot(command.parse), report::checkRules(),
                                      command.writeBaseline ? all.findings : fresh, all.problems}));
  std::string text =
      fmt::format("of {}: {} checked", counted(files.paths.size(), "file"), counted(all.kernels, "kernel"));
  if (all.notRun > 0)
    text +=
        fmt::format(", {} could not be run{}", all.notRun, command.output.isVerbose ? "" : " (-v says why)");
  if (!many.left.empty())
    text += fmt::format(", {} left alone by {}", counted(many.left.size(), "file"), project->file);
  if (!all.problems.empty()) text += fmt::format(", {} not looked at", counted(all.problems.size(), "file"));
  const size_t gains = gainsIn(command.writeBaseline ? all.findings : fresh);
  if (command.writeBaseline) {
    const size_t written = baseline.write(all);
    text += fmt::format("; {} and {} are in {} now", counted(all.findings.size() - gains, "finding"),
                        counted(gains, "missed gain"), baseline.path);
    if (written > all.findings.size())
      text += fmt::format(", with {} of files that were not looked at", written - all.findings.size());
  } else {
    text += fmt::format("; {} and {}{}", counted(fresh.size() - gains, "finding"),
                        counted(gains, "missed gain"), baseline.path.empty() ? "" : " that are new");
    if (all.findings.size() > fresh.size())
      text += fmt::format(", {} in {}", all.findings.size() - fresh.size(), baseline.path);
    if (const size_t gone = command.kernels.empty() ? baseline.goneOf(all) : 0; gone > 0)
      text += fmt::format("; {} of it {} gone (--write-baseline)",
                          gone == 1 ? "an entry" : fmt::format("{} entries", gone), gone == 1 ? "is" : "are");
  }
  if (guessed > 0)
    text += fmt::format("; {} at guessed sizes or made-up data left out", counted(guessed, "finding"));
  if (!isQuiet) fmt::print(stderr, "{}\n", text);
  if (all.status != exitDone) return all.status;
  return command.writeBaseline || fresh.empty() ? exitDone : exitCode;
}

}  // namespace hone::cli
