#include "cli/commands/NvccRewrite.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands/OptCommand.h"
#include "cli/inputs/Arguments.h"
#include "cli/inputs/ProjectFile.h"
#include "cli/nvcc/BuildBudget.h"
#include "cli/nvcc/LineMarks.h"
#include "cli/programs/ChildPool.h"
#include "frontend/HeaderCache.h"
#include "frontend/SourceText.h"
#include "ir/Error.h"
#include "ir/Walk.h"
#include "sim/execute/TimeLimit.h"

namespace hone::cli {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// Times its processor seconds that a source may take by the clock.
constexpr double waitForProcessors = 10;
// Of these processor seconds, when runs end at the latest: headers of some libraries take long to read again.
constexpr double partOfLimitForRuns = 0.5;
// The same of seconds that the user gave, which are those of the clock.
constexpr double partOfGivenForRuns = 0.75;

// Seconds that are advised where kernels were left for want of time.
constexpr double leastToAdvise = 120;

// By canonical path of headers that a copy beside the source's is found in place of: the names they are
// included with.
std::map<std::string, std::string> headersBeside(const GivenFile& source) {
  std::map<std::string, std::string> out;
  std::map<std::string, unsigned> includers;  // by base name: files that include such a one
  std::set<std::string> seen;
  for (const std::string& file : source.import.included)
    if (const std::string path = canonicalPath(file); !path.starts_with("/usr/") && seen.insert(path).second)
      for (const std::string& name : frontend::scanIncludes(readFile(path)))
        ++includers[fs::path(name).filename().string()];
  const fs::path folder = fs::path(source.canonical).parent_path();
  for (const std::string& name : quotedIncludes(readFile(source.canonical))) {
    const fs::path written = fs::path(name).lexically_normal();
    const std::string header = canonicalPath((folder / name).string());
    if (seen.contains(header) && !written.is_absolute() && *written.begin() != ".." &&
        !includers.contains(written.filename().string()))
      out[header] = name;
  }
  return out;
}

std::string listed(const std::vector<std::string>& parts) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return out;
}

// The line and the details for the log.
void describe(const std::vector<KernelOutcome>& outcomes, const std::string& path, SourceCopy& copy) {
  size_t kernels = 0, rewritten = 0;
  bool isGuessed = false;
  std::vector<std::string> gains;
  for (const KernelOutcome& outcome : outcomes) {
    ++kernels;
    if (outcome.edit) {
      ++rewritten;
      std::string gain;
      if (outcome.speedup) {
        gains.push_back(fmt::format("{:.2g}", *outcome.speedup));
        gain = fmt::format("; {} times as fast by estimate{}", gains.back(),
                           outcome.atSizes.empty() ? "" : ", sizes " + outcome.atSizes);
        isGuessed |= outcome.atSizes.starts_with("guessed");
      }
      copy.details += fmt::format("{}: kernel `{}`: rewritten by {}{}\n", outcome.loc.str(), outcome.name,
                                  outcome.recipe, gain);
    } else if (!outcome.reason.empty()) {
      const ir::SourceLoc& loc = outcome.reasonLoc.valid() ? outcome.reasonLoc : outcome.loc;
      copy.details +=
          fmt::format("{}: kernel `{}`: left alone: {}\n", loc.str(), outcome.name, outcome.reason);
    }
  }
  constexpr size_t mostGains = 4;
  std::string estimated;
  if (!gains.empty() && gains.size() <= mostGains)
    estimated =
        fmt::format(" ({} times as fast by estimate{})", listed(gains), isGuessed ? " at guessed sizes" : "");
  copy.news = fmt::format("{}: {} of {} kernel{} rewritten{}", path,
                          rewritten ? fmt::format("{}", rewritten) : "none", kernels, kernels == 1 ? "" : "s",
                          estimated);
}

SourceCopy copyOf(const RewriteProgram& program, const GivenFile& source, const CopyRequest& request,
                  const std::map<std::string, std::string>& headers) {
  if (!source.takenBack.empty())
    throw Error("it holds what `hone opt` or `hone tune` wrote, which is taken as it is");
  SourceCopy copy;
  describe(program.outcomes(), request.path, copy);
  std::map<std::string, std::string> changed = program.changedFiles();
  if (changed.empty()) return copy;
  changed.emplace(source.canonical, program.currentText(source.canonical));
  const fs::path folder = fs::path(request.path).parent_path();
  std::vector<std::string> mirrored;
  for (const auto& [header, name] : headers)
    if (changed.contains(header)) mirrored.push_back(name);
  for (const auto& [file, text] : changed) {
    std::map<std::string, unsigned> lines;
    for (const KernelOutcome& outcome : program.outcomes())
      if (outcome.file == file) {
        lines[withArguments(outcome.qualifiedName, outcome.templateArgs)] = outcome.loc.line;
        lines.emplace(outcome.qualifiedName, outcome.loc.line);
      }
    if (file == source.canonical) {
      std::string made = withLineMarks(text, request.path, lines);
      if (request.includesByPath)
        made = withIncludesFrom(made, fs::path(source.canonical).parent_path().string(), mirrored);
      copy.files.insert(copy.files.begin(),
                        {fs::path(request.path).filename().string(), request.path, std::move(made)});
      continue;
    }
    const std::string& name = headers.at(file);
    const std::string user = (folder / name).string();
    copy.files.push_back(
        {fs::path(name).lexically_normal().string(), user,
         withIncludesFrom(withLineMarks(text, user, lines), fs::path(file).parent_path().string(), {})});
  }
  return copy;
}

// Texts may be in any encoding, which JSON's own form may not.
std::string packed(const Json& answer) {
  std::string out;
  Json::to_cbor(answer, out);
  return out;
}

// Options that lead elsewhere than to a copy.
void refuseOtherOutputs(const OptCommand& command) {
  if (command.paths.size() != 1)
    throw Error("HONE_OPTIONS names files; which are rewritten, nvcc's command line says");
  if (command.output.inPlace || command.output.diff || !command.output.path.empty() || command.candidates ||
      command.estimate || command.check || !command.emitLanguage.empty() || !command.json.empty() ||
      !command.page.empty() || !command.parse.databaseFolder.empty())
    throw Error(
        "HONE_OPTIONS: -o, --in-place, --diff, --emit, --candidates, --estimate, --report, --json, --check "
        "and -p have no meaning in a build");
}

// Of the source and the headers that were read for it alone.
uint64_t bytesRead(const GivenFile& source) {
  std::set<std::string> files{source.canonical};
  files.insert(source.import.included.begin(), source.import.included.end());
  uint64_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (!error) bytes += size;
  }
  return bytes;
}

uint64_t statementsOf(const ir::Module& module) {
  uint64_t statements = 0;
  const auto add = [&](const ir::StmtPtr& body) {
    if (body) ir::walkStmts(body, [&](const ir::Stmt&) { ++statements; });
  };
  for (const ir::KernelPtr& kernel : module.kernels) add(kernel->body);
  for (const ir::FunctionPtr& function : module.functions) add(function->body);
  return statements;
}

std::string rewriteHere(const CopyRequest& request, const RewriteTime& time) {
  const auto begin = std::chrono::steady_clock::now();
  Json answer;
  CLI::App app("", "hone opt");
  OptCommand command;
  command.addOptions(app);
  // The source comes first: options that take several values would take it for one of theirs.
  Arguments arguments{{request.path}, request.flags};
  arguments.words.insert(arguments.words.end(), request.options.begin(), request.options.end());
  if (!request.cudaPath.empty() &&
      std::none_of(request.options.begin(), request.options.end(),
                   [](const auto& one) { return one.starts_with("--cuda-path"); }))
    arguments.words.push_back("--cuda-path=" + request.cudaPath);
  try {
    if (!parseArguments(app, arguments, true)) throw Error("help is what it asks for");
  } catch (const Error& error) {
    throw Error(fmt::format("HONE_OPTIONS: {}", error.what()));
  }
  refuseOtherOutputs(command);
  command.mayLackKernels = true;  // that --kernel names: other sources have them
  command.takeOptions();
  command.output.isQuiet = true;
  const std::string project = command.parse.noProject ? "" : findProjectFile();
  if (command.cases.target.empty() && (project.empty() || readProjectFile(project).targets.empty()))
    command.cases.target = request.target.model;
  command.passes.lowest = request.target.lowest;
  PassSetup setup = command.setUp(arguments);
  command.takeProjectOptions();
  command.rewrite.lineNotes = true;
  command.rewrite.mainFilesOnly = true;
  command.rewrite.mainFilesOnlyHint =
      "a copy of it would not be found in its place by all that include it; `hone opt --in-place` rewrites "
      "it there";
  // One core's time buys more than two cores' time.
  if ((time.isOneCore || !time.isGiven) && command.cases.jobs == 0) command.cases.jobs = 1;
  command.share = shareOfEffortInBuilds;
  std::map<std::string, std::string> headers;
  double nvccSeconds = 0;
  command.rewrite.headersToEdit = [&](const std::vector<GivenFile>& files) {
    headers = headersBeside(files.front());
    const double precompiling = frontend::secondsOfPrecompiling();
    const SourceSize size{bytesRead(files.front()), statementsOf(files.front().import.module),
                          request.architectures, sim::processorSeconds() - precompiling};
    nvccSeconds = estimatedNvccSeconds(size);
    if (time.isGiven) {
      // What is found by then is still verified by reading it back.
      const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      sim::endRunsByClockIn(std::min(partOfGivenForRuns * time.seconds, time.seconds - 2 * gone) - gone);
    } else {
      sim::endRunsAt(precompiling +
                     std::min(partOfLimitForRuns * time.seconds,
                              endOfRunsInBuild(time.nvccTimes * nvccSeconds, size.secondsToRead)));
    }
    std::set<std::string> out;
    for (const auto& [header, name] : headers) out.insert(header);
    return out;
  };
  command.output.handOver = [&](const RewriteProgram& program, const std::vector<GivenFile>& files) {
    SourceCopy copy = copyOf(program, files.front(), request, headers);
    if (command.leftForTime > 0) {
      copy.cutShortAt = time.isGiven ? time.seconds : 0;
      copy.news += fmt::format("; no time for {}, HONE_TIME_LIMIT={:.0f} gives it", command.leftForTime,
                               std::max(leastToAdvise, 2 * *copy.cutShortAt));
    }
    Json list = Json::array();
    for (const SourceCopy::File& file : copy.files)
      list.push_back({{"place", file.place}, {"user", file.user}, {"text", file.text}});
    answer = {{"files", list},           {"news", copy.news},
              {"details", copy.details}, {"cut", copy.cutShortAt ? Json(*copy.cutShortAt) : Json()},
              {"nvcc", nvccSeconds},     {"included", files.front().import.included}};
  };
  if (command.run(setup, arguments, nullptr) != exitDone || !answer.is_object())
    return packed(Json{{"problem", "hone cannot read it"}, {"unread", true}});
  return packed(answer);
}

}  // namespace

RewrittenSource rewriteForNvcc(const CopyRequest& request, const RewriteTime& time) {
  RewrittenSource out;
  ChildPool pool;
  pool.seconds = time.seconds;
  if (!time.isGiven) {
    // On a busy machine the clock says little of what was done.
    pool.processorSeconds = time.seconds;
    pool.seconds *= waitForProcessors;
  }
  pool.keepsTexts = true;
  pool.run(
      1,
      [&](size_t) {
        try {
          return rewriteHere(request, time);
        } catch (const Error& error) {
          return packed(Json{{"problem", error.what()}});
        }
      },
      [&](size_t, const ChildResult& child) {
        out.problem = child.problem.empty() ? "" : "hone " + child.problem;
        out.said = child.said;
        out.isLate = child.isLate;
        if (!out.problem.empty()) return;
        const Json answer = Json::from_cbor(child.output, true, false);
        if (!answer.is_object() || answer.contains("problem")) {
          out.problem = answer.is_object() ? answer["problem"].get<std::string>() : "hone gave no answer";
          out.isUnread = answer.is_object() && answer.contains("unread");
          return;
        }
        for (const Json& file : answer.at("files"))
          out.copy.files.push_back({file.at("place"), file.at("user"), file.at("text")});
        out.copy.news = answer.at("news");
        out.copy.details = answer.at("details");
        if (!answer.at("cut").is_null()) out.copy.cutShortAt = answer.at("cut").get<double>();
        out.nvccSeconds = answer.at("nvcc");
        out.included = answer.at("included").get<std::vector<std::string>>();
      });
  return out;
}

}  // namespace hone::cli
