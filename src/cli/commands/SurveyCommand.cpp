// hone survey: every kernel below a folder, imported or why not. Reads only.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "affine/KernelModel.h"
#include "analysis/KernelKind.h"
#include "cli/commands/Command.h"
#include "cli/inputs/BuildOptions.h"
#include "cli/inputs/Inputs.h"
#include "cli/inputs/SourceTree.h"
#include "cli/programs/ChildPool.h"
#include "cli/rewrite/OptOutput.h"
#include "cli/rewrite/RewriteProgram.h"
#include "device/Case.h"
#include "frontend/Import.h"
#include "ir/Error.h"
#include "passes/recipe/Pass.h"
#include "report/Progress.h"
#include "report/Survey.h"

namespace hone::cli {

namespace {

using Json = nlohmann::json;

const char* languageName(frontend::Language language) {
  return language == frontend::Language::OpenCL ? "opencl" : "cuda";
}

// "same" for each kernel whose re-emitted text reads back as the same kernel, else the reason why there is
// none, by place and name.
std::map<std::string, std::string> roundTrips(const std::vector<GivenFile>& files) {
  RewriteProgram program(files, {});
  program.run();
  std::map<std::string, std::string> out;
  for (const KernelOutcome& outcome : program.outcomes())
    if (!outcome.isUninstantiated)
      out[outcome.loc.str() + outcome.name] = outcome.result ? "same" : outcome.reason;
  return out;
}

// How far the accesses to global memory are understood, for the block that `hone check` would take.
Json factsOf(const ir::KernelPtr& kernel) {
  std::array<unsigned, 3> block{256, 1, 1};
  try {
    block = device::CaseMaker(kernel, {}, nullptr, nullptr).make().block;
  } catch (const Error&) {
    // A kernel whose launch cannot be guessed is looked at with the usual block.
  }
  const auto start = std::chrono::steady_clock::now();
  const affine::KernelModel model = affine::buildModel(kernel, block);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  size_t accesses = 0, resolved = 0, exact = 0;
  std::vector<std::string> reasons;
  for (const affine::Access& access : model.accesses) {
    if (access.mode == ir::AccessMode::Address || !model.isGlobal(access)) continue;
    ++accesses;
    resolved += access.isResolved();
    exact += access.isResolved() && access.exactness == affine::Exactness::Exact;
    if (!access.isResolved()) reasons.push_back(access.reason);
  }
  const analysis::KindAnswer kind = analysis::kindOf(model);
  return {{"accesses", accesses},     {"resolved", resolved}, {"exact", exact},
          {"reasons", reasons},       {"ms", took.count()},   {"kind", analysis::str(kind.kind)},
          {"kindReason", kind.reason}};
}

// In the child: one file parsed and imported, as JSON for the parent.
std::string surveyFile(frontend::SourceRequest request, bool roundTrip, bool facts) {
  frontend::ImportResult read = importAsBuilt(request);
  std::vector<GivenFile> files = {{request.path, canonicalPath(request.path), request, std::move(read)}};
  const frontend::ImportResult& import = files.front().import;
  std::map<std::string, std::string> trips;
  if (roundTrip && import.parsed) trips = roundTrips(files);
  Json out;
  out["parsed"] = import.parsed;
  out["error"] = import.parsed ? "" : import.failure;
  if (import.parsed && import.hasErrorsOutsideHostCode)
    for (const frontend::Diagnostic& it : import.diagnostics) {
      if (it.severity < frontend::Severity::Error || it.place == frontend::ErrorPlace::HostFunction) continue;
      out["error"] = fmt::format("{}:{}: {}", it.file, it.line, it.text);
      break;
    }
  out["included"] = import.included;
  out["kernels"] = Json::array();
  auto place = [](const ir::SourceLoc& loc) { return loc.valid() ? Json{*loc.file, loc.line} : Json(); };
  for (const frontend::ImportedKernel& kernel : import.kernels) {
    if (kernel.isInSystemHeader) continue;
    std::string left = whyLeftAlone(kernel);
    const ir::KernelPtr& body = kernel.kernel ? kernel.kernel : kernel.runnable;
    if (const passes::Obstacle no =
            kernel.kernel ? passes::obstacleToAllPasses(*kernel.kernel) : std::nullopt)
      left = no->reason;
    out["kernels"].push_back(
        {{"name", kernel.qualifiedName},
         {"args", kernel.templateArgs},
         {"at", place(kernel.loc)},
         {"language", languageName(import.language)},
         {"imported", body != nullptr},
         {"textStays", body ? left : ""},
         {"reason", body ? "" : left},
         {"reasonAt", place(kernel.reasonLoc.valid() ? kernel.reasonLoc : kernel.loc)},
         {"uninstantiated", kernel.isUninstantiated},
         {"roundTrip",
          left.empty() ? trips[kernel.loc.str() + withArguments(kernel.name, kernel.templateArgs)] : ""}});
    if (facts && body) out["kernels"].back()["facts"] = factsOf(body);
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Survey {
 public:
  Survey(SourceTree& sources, const ParseOptions& parseOptions, const ChildPool& children, bool withRoundTrip,
         bool withFacts)
      : tree(sources), parse(parseOptions), pool(children), roundTrip(withRoundTrip), facts(withFacts) {}

  // 1. Files that the database lists; 2. units that no other file includes; 3. other units and headers with
  // kernels that none of those includes; 4. kernels in strings.
  report::SurveyResult run() {
    const std::set<std::string> included = tree.includedUnits();
    surveyWhere([&](const TreeFile& file) { return inDatabase(file); });
    surveyWhere(
        [&](const TreeFile& file) { return file.isUnit && !included.contains(canonicalPath(file.path)); });
    surveyWhere([](const TreeFile& file) { return file.isUnit; });
    surveyWhere([&](const TreeFile& file) {
      return file.isHeader && !file.scan.inCode.empty() && !reached.contains(file.path);
    });
    for (const TreeFile& file : tree.files())
      for (const TextKernel& kernel : file.scan.inStrings)
        result.strings.push_back({file.path, kernel.name, kernel.line});
    report::finish(result);
    return std::move(result);
  }

 private:
  SourceTree& tree;
  const ParseOptions& parse;
  const ChildPool& pool;
  bool roundTrip, facts;
  report::SurveyResult result;
  std::set<std::string> reached;  // files that have a kernel in the result
  std::set<std::string> seen;     // read, or included by a file that was (canonical paths)

  // Whether the program's own build compiles it as CUDA or OpenCL.
  bool inDatabase(const TreeFile& file) const {
    const frontend::CompileCommand* command = parse.database ? parse.database->find(file.path) : nullptr;
    if (!command || file.isUnit) return command != nullptr;
    for (size_t i = 0; i + 1 < command->flags.size(); ++i)
      if (command->flags[i] == "-x" && command->flags[i + 1] == "cu") return true;
    return false;
  }

  void surveyWhere(const std::function<bool(const TreeFile&)>& isWanted) {
    std::vector<const TreeFile*> files;
    for (const TreeFile& file : tree.files())
      if (!seen.contains(canonicalPath(file.path)) && isWanted(file)) files.push_back(&file);
    for (const TreeFile* file : files) seen.insert(canonicalPath(file->path));
    surveyAll(files);
  }

  void surveyAll(const std::vector<const TreeFile*>& files) {
    std::vector<frontend::SourceRequest> requests;
    requests.reserve(files.size());
    for (const TreeFile* file : files) requests.push_back(request(file->path));
    if (files.empty()) return;
    report::Progress progress(files.size());
    pool.run(
        files.size(), [&](size_t i) { return surveyFile(requests[i], roundTrip, facts); },
        [&](size_t i, const ChildResult& child) {
          take(*files[i], child);
          progress.step(files[i]->path);
        });
  }

  frontend::SourceRequest request(const std::string& path) {
    if (parse.database && parse.database->find(path)) return requestFor(path, parse);
    ParseOptions guessed = parse;
    guessed.database = nullptr;
    frontend::SourceRequest out = requestFor(path, guessed);
    for (std::string& flag : tree.guessIncludeFlags(path)) out.flags.push_back(std::move(flag));
    return out;
  }

  // Places in the tree are named as the user named the folder.
  std::string shown(const std::string& path) const {
    const TreeFile* file = tree.find(canonicalPath(path));
    return file ? file->path : path;
  }

  void take(const TreeFile& file, const ChildResult& child) {
    Json json = child.problem.empty() ? Json::parse(child.output, nullptr, false) : Json();
    if (!json.is_object()) {
      std::string why = child.problem.empty() ? "gave no result" : child.problem;
      return takeFailure(file, "hone " + why + " while reading this file; please report", child.tookSeconds);
    }
    std::string error = json["error"];
    if (!json["parsed"].get<bool>()) return takeFailure(file, error, child.tookSeconds);
    result.files.push_back({file.path, true, error, child.tookSeconds});
    for (const Json& one : json["included"]) seen.insert(canonicalPath(one));
    for (const Json& it : json["kernels"]) {
      report::SurveyKernel kernel;
      if (!it["at"].is_array()) continue;
      const TreeFile* home = tree.find(canonicalPath(it["at"][0]));
      if (!home) continue;  // of a library outside the tree
      kernel.file = home->path;
      kernel.line = it["at"][1];
      kernel.name = it["name"];
      kernel.language = it["language"];
      kernel.templateArgs = it["args"].get<std::vector<std::string>>();
      kernel.imported = it["imported"];
      kernel.textStays = it["textStays"];
      kernel.reason = it["reason"];
      if (!(kernel.reason + kernel.textStays).empty() && it["reasonAt"].is_array())
        kernel.reasonAt = fmt::format("{}:{}", shown(it["reasonAt"][0]), it["reasonAt"][1].get<unsigned>());
      kernel.isUninstantiated = it["uninstantiated"];
      kernel.roundTrip = it["roundTrip"];
      if (it.contains("facts")) {
        const Json& f = it["facts"];
        kernel.facts = report::SurveyFacts{
            f["accesses"], f["resolved"],  f["exact"], f["ms"], f["reasons"].get<std::vector<std::string>>(),
            f["kind"],     f["kindReason"]};
      }
      reached.insert(home->path);
      report::addKernel(result, std::move(kernel));
    }
  }

  // The kernels of a file that could not be parsed are known by their text.
  void takeFailure(const TreeFile& file, std::string error, double seconds) {
    if (error.starts_with(file.path + ": ")) error.erase(0, file.path.size() + 2);
    result.files.push_back({file.path, false, error, seconds});
    reached.insert(file.path);
    for (const TextKernel& text : file.scan.inCode) {
      report::SurveyKernel kernel;
      kernel.file = file.path;
      kernel.line = text.line;
      kernel.name = text.name;
      kernel.language = text.isOpenCL ? "opencl" : "cuda";
      kernel.reason = "the file is not parsed: " + error.substr(0, error.find('\n'));
      report::addKernel(result, std::move(kernel));
    }
  }
};

}  // namespace

int runSurvey(const Arguments& arguments) {
  CLI::App app(
      "Walks a folder and says of every kernel whether hone can take it, or why not. Changes no file.",
      "hone survey");
  std::vector<std::string> folders;
  std::string json;
  ParseOptions parse;
  ChildPool pool;
  pool.jobs = std::max(1u, std::thread::hardware_concurrency());
  app.add_option("DIR", folders, "folders to walk (or single files)")->required();
  app.add_option("--json", json, "write the result to FILE (- for stdout, instead of text), see docs/json.md")
      ->type_name("FILE");
  app.add_option("-j", pool.jobs, "files at a time")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  app.add_option("--timeout", pool.seconds, "seconds for one file")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("S");
  bool roundTrip = false;
  app.add_flag("--round-trip", roundTrip, "also re-emit each kernel, read the text back and compare");
  bool facts = false;
  app.add_flag("--facts", facts, "also count the accesses to global memory whose addresses hone understands");
  addParseOptions(app, parse);
  app.footer(
      "Flags come from compile_commands.json in DIR or in the folder given with -p; without one, includes "
      "are looked up by\n"
      "name among the files below DIR. Each file is read in a process of its own, so that one that crashes "
      "or hangs costs\n"
      "itself only.\n\n"
      "Examples:\n"
      "  hone survey .\n"
      "  hone survey src kernels -j 8 --json survey.json\n"
      "  hone survey third_party/suite -- -I third_party/include -DN=1024");
  if (!parseArguments(app, arguments, true)) return exitDone;
  parse.flags = arguments.compilerFlags;
  std::error_code ignored;
  for (const std::string& folder : folders)
    if (parse.databaseFolder.empty() && std::filesystem::exists(folder + "/compile_commands.json", ignored))
      parse.databaseFolder = folder;
  loadDatabase(parse);

  SourceTree tree(folders);
  report::SurveyResult result = Survey(tree, parse, pool, roundTrip, facts).run();
  if (result.files.empty())
    fmt::print(stderr, "hone survey: no CUDA or OpenCL source below {}\n", fmt::join(folders, ", "));
  if (json != "-") {
    std::string text = report::toText(result);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  if (!json.empty()) writeJson(json, report::toJson(result));
  return exitDone;
}

}  // namespace hone::cli
