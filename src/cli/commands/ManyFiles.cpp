#include "cli/commands/ManyFiles.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "cli/inputs/ProjectFile.h"
#include "ir/Error.h"

namespace hone::cli {

namespace {

constexpr double minutesOfFile = 10, secondsToRead = 120;
constexpr size_t mostNamed = 3, mostLinesOfErrors = 8;

std::string firstNames(const std::vector<std::string>& names, size_t most) {
  std::string out;
  for (size_t i = 0; i < std::min(most, names.size()); ++i) out += (i ? ", " : "") + names[i];
  return out + (names.size() > most ? ", …" : "");
}

std::string firstLines(const std::string& text, size_t most) {
  size_t at = 0;
  for (size_t lines = 0; lines < most && at < text.size(); ++lines) {
    const size_t end = text.find('\n', at);
    at = end == std::string::npos ? text.size() : end + 1;
  }
  std::string out = text.substr(0, at);
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out;
}

}  // namespace

std::string nameOf(const FileGroup& group) {
  return group.paths.size() == 1 ? group.paths.front()
                                 : fmt::format("{} and {} more", group.paths.front(), group.paths.size() - 1);
}

ManyFiles divideFiles(const OptCommand& command, const ChosenFiles& chosen) {
  const auto begin = std::chrono::steady_clock::now();
  const ProjectFile* project = command.parse.project.get();
  ManyFiles out;
  std::vector<std::string> paths;
  std::map<std::string, std::vector<std::string>> leftBy;
  for (const std::string& path : chosen.paths) {
    const bool mayLeave = project && command.kernels.empty();
    const std::string by = mayLeave ? project->leavesFile(canonicalPath(path)) : "";
    if (by.empty())
      paths.push_back(path);
    else
      leftBy[by].push_back(path), out.left.push_back(path);
  }
  for (const auto& [by, files] : leftBy)
    fmt::print(stderr, "left alone by {}: {} ({})\n", by,
               files.size() == 1 ? "1 file" : fmt::format("{} files", files.size()),
               firstNames(files, command.output.isVerbose ? files.size() : mostNamed));
  if (!chosen.missing.empty())
    fmt::print(stderr, "{} in the database {} not there: {}\n",
               chosen.missing.size() == 1 ? "a file" : fmt::format("{} files", chosen.missing.size()),
               chosen.missing.size() == 1 ? "is" : "are", firstNames(chosen.missing, mostNamed));
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned jobs = command.cases.jobs         ? command.cases.jobs
                        : project && project->jobs ? *project->jobs
                                                   : cores;
  out.files = paths.size();
  out.pool.jobs = std::min<unsigned>(jobs, std::max<size_t>(1, paths.size()));
  out.pool.seconds = secondsToRead;
  std::optional<double> minutes = command.minutes, fileMinutes = command.fileMinutes;
  if (project && !minutes) minutes = project->minutes;
  if (project && !fileMinutes) fileMinutes = project->fileMinutes;
  if (minutes) out.pool.secondsInAll = 60 * *minutes;
  GroupedFiles grouped = groupFiles(paths, command.parse, command.keepGoing, out.pool);
  out.groups = std::move(grouped.groups);
  out.broken = std::move(grouped.broken);
  out.withoutKernels = grouped.withoutKernels.size();
  for (const BrokenFile& file : out.broken)
    fmt::print(stderr, "{}{}: left out: {}\n", firstLines(file.said, mostLinesOfErrors), file.path,
               file.problem);
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (minutes) out.pool.secondsInAll = std::max(0.001, out.pool.secondsInAll - spent);
  out.pool.jobs = std::min<unsigned>(jobs, std::max<size_t>(1, out.groups.size()));
  out.threads = std::max(1u, jobs / out.pool.jobs);
  const double each = 60 * fileMinutes.value_or(minutesOfFile);
  out.pool.secondsOf = [each, sizes = out.groups](size_t i) {
    return each * static_cast<double>(sizes[i].paths.size());
  };
  out.pool.keepsTexts = true;
  return out;
}

}  // namespace hone::cli
