#include "cli/inputs/ProjectFile.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "cli/inputs/Glob.h"
#include "cli/inputs/Inputs.h"
#include "ir/Error.h"
#include "ir/Nearest.h"
#include "target/Target.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* projectName = "hone.toml";

// Reads the keys of one table of the file; a key that nobody asked for is an error.
class ProjectTable {
 public:
  ProjectTable(const toml::table& values, std::string tableName, const ProjectFile& projectFile)
      : table(values), name(std::move(tableName)), project(projectFile) {}

  const toml::node* get(const char* key) {
    asked.insert(key);
    return table.get(key);
  }
  void read(const char* key, bool& out) {
    if (const toml::node* node = get(key)) out = valueOf<bool>(*node, key, "true or false");
  }
  // More than `least`.
  void read(const char* key, std::optional<double>& out, double least, const char* what) {
    const toml::node* node = get(key);
    if (!node) return;
    out = valueOf<double>(*node, key, what);
    if (*out <= least || *out > 1e9 || std::isnan(*out)) fail(*node, key, what);
  }
  void read(const char* key, std::optional<unsigned>& out) {
    constexpr int64_t most = 1024;
    const char* what = "a whole number from 1 to 1024";
    const toml::node* node = get(key);
    if (!node) return;
    if (!node->is_integer()) fail(*node, key, what);
    const int64_t value = *node->value<int64_t>();
    if (value < 1 || value > most) fail(*node, key, what);
    out = static_cast<unsigned>(value);
  }
  std::vector<std::pair<std::string, unsigned>> list(const char* key, const char* what) {
    std::vector<std::pair<std::string, unsigned>> out;
    const toml::node* node = get(key);
    if (!node) return out;
    const toml::array* values = node->as_array();
    if (!values) fail(*node, key, what);
    for (const toml::node& one : *values)
      out.emplace_back(valueOf<std::string>(one, key, what), one.source().begin.line);
    return out;
  }
  std::optional<std::pair<std::string, unsigned>> text(const char* key, const char* what) {
    const toml::node* node = get(key);
    if (!node) return std::nullopt;
    std::string value = valueOf<std::string>(*node, key, what);
    if (value.empty()) fail(*node, key, what);
    return std::pair(std::move(value), node->source().begin.line);
  }
  // A table of its own; nothing where there is none.
  const toml::table* section(const char* key, const char* what) {
    const toml::node* node = get(key);
    if (node && !node->is_table()) fail(*node, key, what);
    return node ? node->as_table() : nullptr;
  }
  // Call after all reads. `elsewhere`: keys of other tables, that may have been meant.
  void finish(const std::vector<std::string>& elsewhere = {}) const {
    for (const auto& [key, value] : table) {
      const std::string text(key.str());
      if (asked.contains(text)) continue;
      std::vector<std::string> known(asked.begin(), asked.end());
      std::string hint = didYouMean(text, known);
      for (const std::string& other : elsewhere)
        if (hint.empty() && other.ends_with("." + text))
          hint = fmt::format("; it belongs under [{}]", other.substr(0, other.find('.')));
      std::string all;
      for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
      throw Error(fmt::format("{}:{}: unknown key '{}'{}\nkeys here: {} (docs/project.md)", project.file,
                              key.source().begin.line, label(text), hint, all));
    }
  }
  [[noreturn]] void fail(const toml::node& node, const char* key, const char* what) const {
    throw Error(
        fmt::format("{}:{}: '{}' must be {}", project.file, node.source().begin.line, label(key), what));
  }

 private:
  const toml::table& table;
  std::string name;
  const ProjectFile& project;
  std::set<std::string> asked;

  std::string label(const std::string& key) const { return name.empty() ? key : name + "." + key; }
  template <class T>
  T valueOf(const toml::node& node, const char* key, const char* what) const {
    const auto value = node.value<T>();
    if (!value || (std::is_same_v<T, bool> && !node.is_boolean())) fail(node, key, what);
    return *value;
  }
};

// As seen from the current folder where that is short, else absolute.
std::string seenFromHere(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  const fs::path here = fs::current_path(error);
  const fs::path relative = full.lexically_relative(here);
  return relative.empty() || relative.string().starts_with("..") ? full.string() : relative.string();
}

ProjectFile::Place placeIn(const ProjectFile& project, const std::pair<std::string, unsigned>& given) {
  return {given.first, seenFromHere(fs::path(project.root) / given.first), given.second};
}

std::vector<std::string> readGlobs(const std::vector<std::pair<std::string, unsigned>>& given,
                                   const ProjectFile& project, bool areFiles) {
  std::vector<std::string> out;
  for (const auto& [pattern, line] : given) {
    std::string problem = globProblem(pattern);
    if (problem.empty() && areFiles && (pattern.starts_with('/') || pattern.starts_with("..")))
      problem = fmt::format("files are named as seen from the folder of {}", project.file);
    if (!problem.empty())
      throw Error(fmt::format("{}:{}: '{}' is no pattern: {}", project.file, line, pattern, problem));
    out.push_back(pattern.starts_with("./") ? pattern.substr(2) : pattern);
  }
  return out;
}

void readTargets(ProjectTable& top, ProjectFile& project) {
  const auto one = top.text("target", "the name of a GPU (hone targets lists them)");
  const auto several = top.list("targets", "a list of names of GPUs (hone targets lists them)");
  if (one && !several.empty())
    throw Error(fmt::format("{}:{}: 'target' and 'targets' are both there: keep one", project.file,
                            several.front().second));
  std::vector<std::pair<std::string, unsigned>> all = several;
  if (one) all.push_back(*one);
  if (all.empty()) return;
  const std::vector<target::Target> known = target::loadTargets(target::targetsFolder());
  for (const auto& [name, line] : all) try {
      project.targets.push_back(target::findTarget(known, name).name);
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}: {}", project.file, line, error.what()));
    }
}

// The nearest folder at or above `from` with `name` in it; empty: none.
std::string folderWith(const char* name, const fs::path& from) {
  std::error_code ignored;
  for (fs::path at = from; !at.empty(); at = at.parent_path()) {
    if (fs::exists(at / name, ignored)) return at.string();
    if (at == at.parent_path()) break;
  }
  return "";
}

std::string repositoryOr(const std::string& folder) {
  const std::string found = folderWith(".git", folder);
  return found.empty() ? folder : found;
}

std::string currentFolder() {
  std::error_code error;
  return canonicalPath(fs::current_path(error).string());
}

}  // namespace

std::string ProjectFile::leavesFile(const std::string& path) const {
  const fs::path relative = fs::path(path).lexically_relative(root);
  for (const std::string& pattern : leaveFiles)
    if (globMatches(pattern, relative.generic_string()))
      return fmt::format("{} (leave.files \"{}\")", file, pattern);
  return "";
}

std::string ProjectFile::leavesKernel(const std::string& name, const std::string& qualifiedName) const {
  for (const std::string& pattern : leaveKernels)
    if (globMatches(pattern, name) || globMatches(pattern, qualifiedName))
      return fmt::format("{} (leave.kernels \"{}\")", file, pattern);
  return "";
}

ProjectFile readProjectFile(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw Error(fmt::format("--project {}: is a folder; name its {}", path, projectName));
  ProjectFile project;
  project.file = path;
  const std::string text = readFile(path);
  project.root = fs::path(canonicalPath(path)).parent_path().string();
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed)
    throw Error(fmt::format("{}:{}: {}", path, parsed.error().source().begin.line,
                            std::string(parsed.error().description())));
  ProjectTable top(parsed.table(), "", project);
  readTargets(top, project);
  if (const auto given = top.text("database", "a folder with compile_commands.json"))
    project.database = placeIn(project, *given);
  for (const auto& given : top.list("captures", "a list of files that hone capture wrote"))
    project.captures.push_back(placeIn(project, given));
  if (const toml::table* values = top.section("leave", "a table: [leave] with `files` and `kernels`")) {
    ProjectTable left(*values, "leave", project);
    project.leaveFiles = readGlobs(left.list("files", "a list of patterns of files"), project, true);
    project.leaveKernels = readGlobs(left.list("kernels", "a list of patterns of names"), project, false);
    left.finish();
  }
  if (const toml::table* values = top.section("limits", "a table")) {
    ProjectTable limits(*values, "limits", project);
    limits.read("minutes", project.minutes, 0, "a number of minutes above 0");
    limits.read("file_minutes", project.fileMinutes, 0, "a number of minutes above 0");
    limits.read("jobs", project.jobs);
    limits.finish();
  }
  if (const toml::table* values = top.section("check", "a table")) {
    ProjectTable check(*values, "check", project);
    if (const auto given = check.text("baseline", "the name of a file"))
      project.baseline = placeIn(project, *given);
    if (const auto given = check.text("sarif", "the name of a file"))
      project.sarif = placeIn(project, *given);
    bool isGuessed = true;
    check.read("guessed", isGuessed);
    project.noGuessed = !isGuessed;
    check.read("gain", project.gain, 1, "a number above 1: times as fast as now");
    check.finish();
  }
  if (const toml::table* values = top.section("opt", "a table")) {
    ProjectTable opt(*values, "opt", project);
    opt.read("reassociate", project.reassociate);
    opt.read("assume_noalias", project.assumeNoalias);
    opt.read("trust_sizes", project.trustSizes);
    opt.read("offer", project.offer);
    opt.read("keep_going", project.keepGoing);
    opt.read("strict", project.strict);
    opt.read("self_check", project.selfCheck);
    opt.finish();
  }
  top.finish({"leave.files", "leave.kernels", "limits.minutes", "limits.file_minutes", "limits.jobs",
              "check.baseline", "check.sarif", "check.gain", "check.guessed", "opt.reassociate",
              "opt.assume_noalias", "opt.trust_sizes", "opt.offer", "opt.keep_going", "opt.strict",
              "opt.self_check"});
  return project;
}

std::string findProjectFile() {
  std::error_code ignored;
  const char* home = std::getenv("HOME");
  const fs::path top = home && *home ? canonicalPath(home) : "";
  std::string shown = projectName;
  for (fs::path at = currentFolder(); !at.empty(); at = at.parent_path()) {
    if (fs::is_regular_file(at / projectName, ignored)) return shown;
    if (at == at.parent_path() || at == top || fs::exists(at / ".git", ignored)) break;
    shown.insert(0, "../");
  }
  return "";
}

void takeProject(ParseOptions& parse, std::string* target, std::vector<std::string>* captures, bool isQuiet) {
  if (parse.noProject && !parse.projectFile.empty())
    throw Error("--project and --no-project exclude each other");
  if (parse.noProject) return;
  const std::string path = parse.projectFile.empty() ? findProjectFile() : parse.projectFile;
  if (path.empty()) return;
  parse.project = std::make_shared<ProjectFile>(readProjectFile(path));
  const ProjectFile& project = *parse.project;
  std::string taken;
  const auto take = [&](const std::string& what) { taken += (taken.empty() ? "" : ", ") + what; };
  std::error_code ignored;
  if (target && target->empty() && !project.targets.empty()) {
    *target = project.targets.front();
    take("target " + *target);
  }
  if (parse.databaseFolder.empty() && project.database) {
    const ProjectFile::Place& given = *project.database;
    if (!fs::exists(
            fs::is_directory(given.path, ignored) ? given.path + "/compile_commands.json" : given.path,
            ignored))
      throw Error(
          fmt::format("{}:{}: database: there is no {}/compile_commands.json; let the build write it "
                      "(cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make), or give -p DIR, or "
                      "--no-project to do without",
                      project.file, given.line, given.path));
    parse.databaseFolder = given.path;
    take("database " + given.given);
  }
  if (captures && captures->empty() && !project.captures.empty()) {
    for (const ProjectFile::Place& given : project.captures) {
      if (!fs::is_regular_file(given.path, ignored))
        throw Error(
            fmt::format("{}:{}: captures: there is no file {}; record it (hone capture -- PROGRAM), or "
                        "take it out of the list",
                        project.file, given.line, given.path));
      captures->push_back(given.path);
    }
    take(captures->size() == 1 ? "1 capture" : fmt::format("{} captures", captures->size()));
  }
  if (!taken.empty() && !isQuiet) fmt::print(stderr, "{}: {}\n", project.file, taken);
}

std::string reportRoot(const ParseOptions& parse) {
  return repositoryOr(parse.project ? parse.project->root : currentFolder());
}

std::string projectRoot(const ParseOptions& parse) {
  return parse.project ? parse.project->root : reportRoot(parse);
}

}  // namespace hone::cli
