// hone opt over a compilation database: each program of it in a process of its own.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands/Command.h"
#include "cli/commands/ManyFiles.h"
#include "cli/inputs/ProjectFile.h"
#include "ir/Error.h"
#include "report/Progress.h"

namespace hone::cli {

namespace {

using RunJson = nlohmann::ordered_json;

// What became of one group, and what it printed.
struct GroupResult {
  bool isThere = false;
  int status = exitCode;
  RewriteCounts counts;
  ChildResult child;
  std::string json;
};

// In the child.
std::string optGroup(OptCommand& command, PassSetup& setup, const Arguments& arguments,
                     const FileGroup& group) {
  report::Progress::silence();
  command.paths = group.paths;
  for (const std::string& path : group.paths) command.names.give(path);
  RewriteCounts counts;
  std::string json;
  command.output.jsonText = command.json.empty() ? nullptr : &json;
  int status = exitCode;
  try {
    status = command.run(setup, arguments, &counts);
  } catch (const Error& error) {
    fmt::print(stderr, "hone opt: {}\n", error.what());
    status = error.status;
  }
  return RunJson{{"status", status},
                 {"kernels", counts.kernels},
                 {"rewritten", counts.rewritten},
                 {"launches", counts.launches},
                 {"changed", counts.changedLaunches},
                 {"json", json}}
      .dump(-1, ' ', false, RunJson::error_handler_t::replace);
}

GroupResult resultOf(ChildResult child) {
  GroupResult out;
  out.isThere = true;
  const RunJson json = RunJson::parse(child.output, nullptr, false);
  if (child.problem.empty() && json.is_object()) {
    out.status = json["status"];
    out.json = json["json"];
    out.counts = {json["kernels"], json["rewritten"], json["launches"], json["changed"]};
  }
  out.child = std::move(child);
  return out;
}

// The JSON of all groups as that of one.
RunJson merged(const std::vector<GroupResult>& results, const std::string& recipe) {
  RunJson out = {{"recipe", recipe}, {"kernels", RunJson::array()}, {"files", RunJson::array()}};
  RunJson totals = {{"kernels", 0}, {"done", 0}, {"left_alone", 0}, {"files_changed", 0}};
  for (const GroupResult& result : results) {
    const RunJson one = RunJson::parse(result.json, nullptr, false);
    if (!one.is_object()) continue;
    for (const char* list : {"kernels", "files"})
      for (const RunJson& item : one[list]) out[list].push_back(item);
    for (auto& [key, count] : totals.items()) count = count.get<size_t>() + one["totals"][key].get<size_t>();
  }
  out["totals"] = totals;
  return out;
}

void checkOptions(const OptCommand& command) {
  if (!command.page.empty()) throw Error("--report shows one program: name its files");
  if (!command.emitLanguage.empty()) throw Error("--emit makes one file: name the files to make it of");
  const bool lists = command.candidates || command.estimate;
  if (!lists && command.output.path.empty() && !command.output.inPlace && !command.output.diff)
    throw Error("the files of a database have no room on stdout; pass -o DIR, --in-place or --diff");
}

}  // namespace

int optDatabase(OptCommand& command, PassSetup& setup, const Arguments& arguments, const ChosenFiles& files) {
  checkOptions(command);
  const bool lists = command.candidates || command.estimate;
  if (!lists) {
    std::vector<std::string> two(2);  // however many there are, they need a folder
    command.output.check(two, false);
  }
  command.rewrite.mainFilesOnly = false;
  command.output.isPartOfMore = true;
  ManyFiles many = divideFiles(command, files);
  const std::string root = command.parse.project ? command.parse.project->root : canonicalPath(".");
  bool isBelowRoot = true;
  std::vector<std::string> canonical;
  for (const std::string& path : files.paths) {
    canonical.push_back(canonicalPath(path));
    isBelowRoot = isBelowRoot && canonical.back().starts_with(root + "/");
  }
  command.output.commonRoot = isBelowRoot ? root : commonFolder(canonical).string();
  command.cases.jobs = many.threads;
  std::vector<GroupResult> results(many.groups.size());
  size_t shown = 0, failed = 0;
  RewriteCounts all;
  int status = many.broken.empty() ? exitDone : exitCode;
  {
    report::Progress progress(many.groups.size());
    // Each as soon as all before it are done, so that the order does not depend on how long they take.
    const auto show = [&] {
      for (; shown < results.size() && results[shown].isThere; ++shown) {
        const GroupResult& result = results[shown];
        const std::string name = nameOf(many.groups[shown]);
        progress.clear();
        fmt::print(stderr, "{}", result.child.said);
        if (!result.child.problem.empty())
          fmt::print(stderr, "{}: left alone: hone {}{}\n", name,
                     result.child.isStarted ? "" : "did not look at it: ", result.child.problem);
        std::fwrite(result.child.printed.data(), 1, result.child.printed.size(), stdout);
        std::fflush(stdout);
        failed += result.status != exitDone;
        if (result.status != exitDone) status = exitCode;
        all.add(result.counts);
      }
    };
    many.pool.run(
        many.groups.size(), [&](size_t i) { return optGroup(command, setup, arguments, many.groups[i]); },
        [&](size_t i, ChildResult child) {
          results[i] = resultOf(std::move(child));
          progress.step(nameOf(many.groups[i]));
          show();
        });
  }
  std::string rest;
  if (many.withoutKernels > 0) rest += fmt::format("; {} without kernels", many.withoutKernels);
  if (!many.left.empty())
    rest += fmt::format("; {} left alone by {}", many.left.size(), command.parse.project->file);
  if (!many.broken.empty()) rest += fmt::format("; {} could not be read", many.broken.size());
  if (failed > 0) rest += fmt::format("; {} failed", failed);
  if (!lists && !command.output.isQuiet)
    fmt::print(stderr, "of {} file{} in the database: {}{}\n", files.paths.size(),
               files.paths.size() == 1 ? "" : "s", all.text(),
               rest + (command.output.isVerbose || all.rewritten == all.kernels
                           ? ""
                           : "; -v says more of those left as they are"));
  if (!command.json.empty()) writeJson(command.json, merged(results, command.recipe).dump(2) + "\n");
  return status;
}

}  // namespace hone::cli
