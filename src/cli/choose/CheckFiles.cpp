#include "cli/choose/CheckFiles.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/inputs/Arguments.h"
#include "ir/Error.h"
#include "ir/Walk.h"
#include "report/JudgeReport.h"
#include "tune/WherePays.h"

namespace hone::cli {

namespace {

using frontend::ImportedKernel;

// Of one run, as in the choosing of a recipe.
constexpr uint64_t mostWorkOfCheck = 32'000'000;

// Lines of a file without what hone wrote into it, as lines of the file on disk.
class LinesOnDisk {
 public:
  explicit LinesOnDisk(const std::vector<GivenFile>& files) {
    for (const GivenFile& file : files)
      for (const auto& [name, before] : file.takenBack) add(name, before);
  }

  unsigned of(const std::string& file, unsigned line) const {
    const auto found = lines.find(file);
    return found == lines.end() || line == 0 || line > found->second.size() ? line : found->second[line - 1];
  }
  // Whether hone has written something for the kernel that is there now.
  bool hasBlock(const std::string& file, const std::string& kernel) const {
    return blocks.contains({file, kernel});
  }

 private:
  std::map<std::string, std::vector<unsigned>> lines;  // by file: of each line
  std::set<std::pair<std::string, std::string>> blocks;

  void add(const std::string& name, const std::string& before) {
    const std::string now = readFile(name);
    const std::vector<emit::MarkedBlock> marked = emit::findMarks(now).blocks;
    for (const emit::MarkedBlock& block : marked)
      if (!block.kernel.empty()) blocks.insert({name, block.kernel});
    if (lines.contains(name) || emit::withoutBlocks(now, marked) != before) return;
    std::vector<unsigned>& out = lines[name];
    unsigned line = 1;
    out.push_back(line);
    size_t at = 0;
    const auto keepTo = [&](size_t end) {
      for (; at < end; ++at)
        if (now[at] == '\n') out.push_back(++line);
    };
    for (const emit::MarkedBlock& block : marked) {
      keepTo(block.begin);
      // What was replaced counts as standing where its replacement begins.
      out.insert(out.end(), std::count(block.original.begin(), block.original.end(), '\n'), line);
      line += static_cast<unsigned>(std::count(now.begin() + static_cast<long>(block.begin),
                                               now.begin() + static_cast<long>(block.end), '\n'));
      at = block.end;
      // The rest of the line that the block ends on.
      if (!out.empty()) out.back() = block.original.empty() ? line : out.back();
    }
    keepTo(now.size());
  }
};

// What a run of the kernel alone lacks of the program, where that is why it has findings; empty: nothing.
std::string unknownToRun(const ir::Kernel& kernel, const device::Judgement& judgement) {
  bool hasPointers = false;
  ir::walkExprs(kernel.body, [&](const ir::Expr& e) {
    const auto* var = e.as<ir::VarRef>();
    hasPointers =
        hasPointers || (var && var->var->storage == ir::Storage::Global && ir::holdsPointer(*var->var->type));
  });
  for (const device::JudgedFinding& one : judgement.findings) {
    if (one.finding.kind == sim::FindingKind::WildPointer && one.finding.space.empty())
      return "it reads textures or surfaces, which the program makes before the launch";
    if (one.finding.kind == sim::FindingKind::NullPointer && hasPointers)
      return "it reaches memory by pointers in variables, which the program sets before the launch";
  }
  return "";
}

class FilesChecker {
 public:
  FilesChecker(const std::vector<GivenFile>& givenFiles, PassSetup& passSetup,
               const DisplayNames& displayNames, const CheckRequest& checkRequest)
      : files(givenFiles), setup(passSetup), names(displayNames), request(checkRequest), onDisk(givenFiles) {}

  CheckedFiles run() {
    for (const GivenFile& file : files)
      for (const ImportedKernel& kernel : file.import.kernels) check(file, kernel);
    lookForGains(setup, request.targets.empty() ? setup.target().name : request.targets.front());
    for (size_t i = 1; i < request.targets.size(); ++i) {
      PassOptions options = request.passes;
      options.target = request.targets[i];
      PassSetup other(options, setup.given());
      other.lookForLaunchesIn(files);
      lookForGains(other, request.targets[i]);
    }
    for (report::CodeFinding& one : out.findings) {
      one.line = onDisk.of(one.file, one.line);
      one.otherLine = onDisk.of(one.otherFile, one.otherLine);
    }
    for (auto& [key, gain] : gains) out.findings.push_back(std::move(gain));
    return std::move(out);
  }

 private:
  const std::vector<GivenFile>& files;
  PassSetup& setup;
  DisplayNames names;
  const CheckRequest& request;
  LinesOnDisk onDisk;
  CheckedFiles out;
  std::set<std::string> seen, faulty;                // by place and name
  std::map<std::string, report::CodeFinding> gains;  // the same, of all targets

  static std::string keyOf(const std::string& file, const ir::SourceLoc& loc,
                           const std::string& qualifiedName, const std::vector<std::string>& templateArgs) {
    return fmt::format("{}:{}:{}", file, loc.line, withArguments(qualifiedName, templateArgs));
  }
  static std::string homeOf(const GivenFile& file, const ImportedKernel& kernel) {
    return kernel.loc.valid() ? canonicalPath(*kernel.loc.file) : file.canonical;
  }

  void check(const GivenFile& file, const ImportedKernel& kernel) {
    if (kernel.isInSystemHeader || kernel.isUninstantiated || !isWanted(kernel, request.rewrite.kernels))
      return;
    const std::string home = homeOf(file, kernel);
    const std::string key = keyOf(home, kernel.loc, kernel.qualifiedName, kernel.templateArgs);
    if (!seen.insert(key).second) return;
    out.homes.insert(home);
    const auto place = [&] {
      return fmt::format("{}: kernel `{}`", placeOf(kernel.loc, names),
                         withArguments(kernel.name, kernel.templateArgs));
    };
    if (const std::string by = request.rewrite.leftBy ? request.rewrite.leftBy(home, kernel) : "";
        !by.empty()) {
      faulty.insert(key);
      out.left.push_back(fmt::format("{}: left alone by {}", place(), by));
      return;
    }
    if (onDisk.hasBlock(home, withArguments(kernel.qualifiedName, kernel.templateArgs))) faulty.insert(key);
    const ir::KernelPtr body = kernel.kernel ? kernel.kernel : kernel.runnable;
    if (!body) {
      out.notRun.push_back(fmt::format("{} was not run: {}", place(), kernel.reason));
      return;
    }
    report::JudgedKernel judged{
        home, withArguments(kernel.qualifiedName, kernel.templateArgs), kernel.loc.line, "", "", {}};
    device::JudgeOptions options;
    options.run = request.choose.run;
    options.run.mostWork = mostWorkOfCheck;
    options.run.print = [](const std::string&) {};
    options.compile = request.compile;
    options.givenGridIsLaunch = true;
    try {
      judged.judgement = device::check(setup.makerOf(file, kernel), body, options);
    } catch (const Error& error) {
      if (error.status == exitCommand) throw;
      out.notRun.push_back(fmt::format("{} was not run: {}", place(), error.what()));
      return;
    }
    const std::string unknown = unknownToRun(*body, judged.judgement);
    if (!unknown.empty()) {
      faulty.insert(key);
      out.notRun.push_back(fmt::format("{} was not run: {}", place(), unknown));
      return;
    }
    ++out.kernels;
    if (judged.judgement.errors() == 0) return;
    faulty.insert(key);
    const bool isMadeUp =
        dataDecide(file, kernel, body) && !setup.makerOf(file, kernel).make().knowsWhatSteers();
    for (report::CodeFinding& one : report::toFindings(judged, canonicalPath, isMadeUp))
      out.findings.push_back(std::move(one));
  }

  // Whether contents of arrays that nobody gave decide what the kernel touches.
  bool dataDecide(const GivenFile& file, const ImportedKernel& kernel, const ir::KernelPtr& body) {
    if (!setup.makerOf(file, kernel).settings().input.empty()) return false;
    const passes::PassContext context = setup.contextFor(file, kernel);
    const affine::KernelModel& model = context.facts.of(body, context.block).model();
    return tune::loopByData(model) ||
           !std::all_of(model.accesses.begin(), model.accesses.end(),
                        [](const affine::Access& access) { return access.isResolved(); });
  }

  void lookForGains(PassSetup& passSetup, const std::string& target) {
    RecipeChooser chooser(passSetup, names, request.choose);
    RewriteOptions options = request.rewrite;
    options.target = target;
    options.make = [&](const GivenFile& file, const ImportedKernel& kernel) {
      // Neither a kernel that has to be mended first, nor one that was rewritten before.
      if (!faulty.contains(
              keyOf(homeOf(file, kernel), kernel.loc, kernel.qualifiedName, kernel.templateArgs)))
        return chooser.choose(file, kernel);
      MadePlan none;
      const std::string problem = "to be mended first, or done";  // nobody is shown it
      none.result.refusal = passes::Refusal{problem, kernel.loc};
      return none;
    };
    RewriteProgram program(files, options);
    program.run();
    for (const KernelOutcome& outcome : program.outcomes())
      if (outcome.result && outcome.edit && outcome.speedup && *outcome.speedup >= request.leastGain)
        addGain(outcome, target);
  }

  void addGain(const KernelOutcome& outcome, const std::string& target) {
    const std::string key = keyOf(outcome.file, outcome.loc, outcome.qualifiedName, outcome.templateArgs);
    const std::string times = fmt::format("about {:.2g} times as fast on {}", *outcome.speedup, target);
    auto [at, isNew] = gains.try_emplace(key);
    report::CodeFinding& gain = at->second;
    if (!isNew) {
      gain.message += fmt::format("; {}", times);
      return;
    }
    gain.rule = "missed-gain";
    gain.file = outcome.file;
    gain.line = onDisk.of(outcome.file, outcome.loc.line);
    gain.kernel = withArguments(outcome.qualifiedName, outcome.templateArgs);
    std::string words;
    for (const passes::Remark& remark : outcome.remarks)
      if (remark.kind == passes::RemarkKind::Done) words += (words.empty() ? "" : "; ") + remark.text;
    gain.message =
        fmt::format("kernel {} would be {} by hone's estimate{}: {} (recipe: {})", gain.kernel, times,
                    outcome.atSizes.empty() ? "" : fmt::format(" at the sizes {}", outcome.atSizes),
                    words.empty() ? "rewritten by this recipe" : words, outcome.recipe);
  }
};

}  // namespace

CheckedFiles checkFiles(const std::vector<GivenFile>& files, PassSetup& setup, const DisplayNames& names,
                        const CheckRequest& request) {
  return FilesChecker(files, setup, names, request).run();
}

}  // namespace hone::cli
