#include "cli/acc/AccSource.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "acc/LaunchText.h"
#include "cli/acc/AccPreprocess.h"
#include "cli/acc/AccRecipes.h"
#include "cli/acc/AccTools.h"
#include "cli/inputs/Inputs.h"
#include "cli/programs/DeviceLink.h"
#include "cli/programs/RunTool.h"
#include "frontend/ContentHash.h"
#include "ir/Error.h"
#include "ir/JoinModules.h"
#include "sim/bytecode/Bundle.h"
#include "sim/compile/Compile.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

void writeText(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)), 1);
}

// Whether the text may have pragmas of OpenACC: a file that does not parse and has none is the compiler's.
bool mentionsAcc(const std::string& text) {
  for (size_t at = 0; (at = text.find("pragma", at)) != std::string::npos; ++at) {
    size_t next = at + 6;
    while (next < text.size() && (text[next] == ' ' || text[next] == '\t')) ++next;
    if (text.compare(next, 3, "acc") == 0) return true;
  }
  const size_t made = text.find("_Pragma");  // _Pragma("acc …"), also put together by macros
  return made != std::string::npos && text.find("acc", made) != std::string::npos;
}

frontend::AccUnit import(const AccInput& input, const AccRequest& request,
                         const std::optional<std::string>& contents, bool isPreprocessed) {
  frontend::SourceRequest asked;
  asked.path = input.path;
  asked.flags = accParseFlags(request);
  asked.flags.insert(asked.flags.end(), {"-x", input.language});
  asked.toRun = true;
  asked.contents = contents;
  if (isPreprocessed) asked.flags = withoutIncludedFiles(asked.flags);
  asked.directory = request.directory;
  return frontend::importAcc(asked);
}

// Byte code of all kernels; a region with one that the embedded device cannot run is left to the host.
void compileKernels(AccSource& source) {
  for (acc::LoweredRegion& region : source.lowered) {
    std::vector<std::vector<uint8_t>> made;
    if (region.reason.empty()) try {
        for (const acc::LoweredKernel& one : region.kernels)
          if (ir::firstWithoutBody(one.kernel->body))
            made.emplace_back();
          else
            made.push_back(sim::write(sim::compile(*one.kernel, {.checkAssumptions = true})));
      } catch (const Error& error) {
        const std::string text = error.what();
        region.reason = text;
        region.kernels.clear();
        made.clear();
      }
    std::move(made.begin(), made.end(), std::back_inserter(source.programs));
  }
}

// Once a line: a template's instantiations, and the two kernels of a loop that one of them does, say the
// same.
void addMissingReductions(AccSource& source, const acc::LoweredRegion& made) {
  if (source.isQuiet) return;
  for (const acc::LoopMapping& loop : made.loops)
    for (const std::string& words : loop.missing) {
      const acc::HostProblem said{loop.loc, words, false, true};
      const auto isSame = [&](const acc::HostProblem& one) {
        return one.isWarning && one.loc.str() == said.loc.str() && one.text == said.text;
      };
      if (std::none_of(source.problems.begin(), source.problems.end(), isSame))
        source.problems.push_back(said);
    }
}

void lowerRegions(AccSource& source) {
  for (const frontend::AccRegion& region : source.unit.regions) {
    acc::LoweredRegion& made = source.lowered.emplace_back();
    if (region.reason.empty()) {
      made = acc::lowerRegion(region, source.unit);
    } else {
      made.reason = region.reason;
      made.reasonLoc = region.reasonLoc;
    }
    if (made.isError) source.problems.push_back({made.reasonLoc, made.reason, true});
  }
  compileKernels(source);
  for (size_t k = 0; k < source.lowered.size(); ++k) {
    const acc::LoweredRegion& made = source.lowered[k];
    const frontend::AccRegion& region = source.unit.regions[k];
    if (made.reason.empty()) addMissingReductions(source, made);
    if (made.reason.empty() || made.isError) continue;
    const ir::SourceLoc loc = made.reasonLoc.valid() ? made.reasonLoc : region.loc;
    std::string text = fmt::format("{} runs on the host: {}", acc::siteOf(region), made.reason);
    if (made.reason.ends_with(frontend::bodyElsewhere))
      text +=
          "; where another file has it, `#pragma acc routine` in front of its declaration and its "
          "definition brings it to the device";
    source.problems.push_back({loc, std::move(text), false});
  }
}

// The compiler is shown other text where the user's files stand, so that names and lines are the user's.
std::vector<std::string> overlayWords(const std::map<std::string, std::string>& texts,
                                      const fs::path& scratch) {
  nlohmann::json roots = nlohmann::json::array();
  size_t number = 0;
  for (const auto& [path, text] : texts) {
    const fs::path copy = scratch / fmt::format("text{}", number++);
    writeText(copy, text);
    std::error_code ignored;
    const fs::path whole = fs::absolute(path, ignored).lexically_normal();
    std::set<std::string> names{whole.string(), fs::weakly_canonical(whole, ignored).string()};
    for (const std::string& name : names)
      if (!name.empty())
        roots.push_back({{"type", "file"}, {"name", name}, {"external-contents", copy.string()}});
  }
  const nlohmann::json overlay{{"version", 0}, {"use-external-names", false}, {"roots", roots}};
  const fs::path file = scratch / "overlay.yaml";
  writeText(file, overlay.dump(1));
  return {"-ivfsoverlay", file.string()};
}

// Rules for make are written as if the output were made at once.
std::vector<std::string> dependencyWords(const AccRequest& request, const std::string& object) {
  std::vector<std::string> words = request.dependencyFlags;
  const std::string program = request.output.empty() ? "a.out" : request.output;
  const std::string& output = request.phase == AccPhase::Link ? program : object;
  if (words.empty()) return words;
  const auto has = [&](std::initializer_list<const char*> names) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::any_of(names.begin(), names.end(),
                         [&](const char* name) { return word.starts_with(name); });
    });
  };
  if (!has({"-MF"})) words.insert(words.end(), {"-MF", fs::path(output).replace_extension(".d").string()});
  if (!has({"-MT", "-MQ"})) words.insert(words.end(), {"-MQ", output});
  return words;
}

std::vector<std::string> withoutLinkTimeOptimization(std::vector<std::string> words) {
  std::erase_if(words, [](const std::string& word) { return word.starts_with("-flto"); });
  return words;
}

// What tells the symbols of this object from those of others, of the same file too.
std::string tagOf(const AccSource& source, const AccRequest& request, const std::string& output) {
  std::error_code ignored;
  // Of what is linked at once the object has no name that it has in the next build.
  const std::string made = request.phase == AccPhase::Link ? "in " + request.output : output;
  std::string key =
      fs::absolute(source.input.path, ignored).string() + "\n" + fs::absolute(made, ignored).string();
  for (const std::string& flag : request.compileFlags) key += "\n" + flag;
  return frontend::contentHash(key + "\n" + source.text).substr(0, 12);
}

// How the source is read again when it is linked with others; nothing where it neither has what others may
// call nor calls such.
void addLinkWords(sim::Bundle& bundle, const AccSource& source, const AccRequest& request) {
  const auto& functions = source.unit.module.functions;
  const bool isLinked = std::any_of(functions.begin(), functions.end(), [](const ir::FunctionPtr& one) {
    return !one->body || !one->linkageName.empty();
  });
  if (!isLinked) return;
  std::error_code ignored;
  bundle.source = fs::absolute(source.input.path, ignored).string();
  bundle.link.directory = fs::current_path(ignored).string();
  bundle.link.flags = {unitOfAcc, "-x", source.input.language};
  for (const std::string& flag : accParseFlags(request)) bundle.link.flags.push_back(flag);
  bundle.link.files = {{bundle.source, frontend::contentHash(readFile(source.input.path))},
                       {"launches", accLaunches(source)}};
  std::string key = bundle.source + "\n" + bundle.link.directory;
  for (const std::string& flag : bundle.link.flags) key += "\n" + flag;
  for (const auto& file : bundle.link.files) key += "\n" + file.hash;
  bundle.link.id = frontend::contentHash(key);
}

// Clang's warnings of its -Wopenacc… alone: all others come when the host's side is compiled.
std::string warningsAboutAcc(const std::string& rendered) {
  std::string out;
  bool isTaken = false;
  for (size_t at = 0; at < rendered.size();) {
    const size_t end = std::min(rendered.find('\n', at), rendered.size() - 1);
    const std::string line = rendered.substr(at, end + 1 - at);
    if (line.find(": warning: ") != std::string::npos || line.find(": error: ") != std::string::npos)
      isTaken = line.find("[-Wopenacc") != std::string::npos;
    if (isTaken) out += line;
    at = end + 1;
  }
  return out;
}

bool isForHostCode(const std::string& word) {
  return word.starts_with("-fPIC") || word.starts_with("-fpic") || word.starts_with("-fPIE") ||
         word.starts_with("-fpie") || word.starts_with("-fno-p") || word == "-g" || word.starts_with("-m");
}

}  // namespace

bool AccSource::hasConstructs() const {
  // Functions that regions of other files call stand in no construct of this one.
  const bool hasRoutines =
      std::any_of(unit.module.functions.begin(), unit.module.functions.end(),
                  [](const ir::FunctionPtr& one) { return one->body && !one->linkageName.empty(); });
  return hasRoutines || !unit.regions.empty() || !unit.directives.empty() || !unit.globals.empty();
}

bool AccSource::hasErrors() const {
  return std::any_of(problems.begin(), problems.end(),
                     [](const acc::HostProblem& one) { return one.isError; });
}

std::optional<AccSource> importAccSource(const AccInput& input, const AccRequest& request,
                                         const fs::path& scratch) {
  checkInput(input.path);
  AccSource source;
  source.input = input;
  const std::string written = readFile(input.path);
  source.text = withoutLoopHints(written);
  const bool mentions = mentionsAcc(source.text), isChanged = source.text != written;
  source.unit = import(input, request, isChanged ? std::optional(source.text) : std::nullopt, false);
  if (source.unit.needsPreprocessing) {
    source.text = withoutLoopHints(preprocessedForAcc(input, request, scratch));
    source.isPreprocessed = true;
    source.unit = import(input, request, source.text, true);
  }
  if (!source.unit.parsed || source.unit.hasErrors) {
    if (!mentions) return std::nullopt;
    throw Error(source.unit.failure.empty() ? source.unit.renderedDiagnostics : source.unit.failure, 1);
  }
  source.isQuiet = std::count(request.compileFlags.begin(), request.compileFlags.end(), "-w") > 0;
  source.warnings = warningsAboutAcc(source.unit.renderedDiagnostics);
  for (const frontend::AccMessage& one : source.unit.messages)
    if (one.isError) source.problems.push_back({one.loc, one.text, true});
  for (const frontend::AccMessage& one : acc::lowerRoutines(source.unit))
    source.problems.push_back({one.loc, one.text, one.isError});
  return source;
}

void lowerAccSource(AccSource& source) { lowerRegions(source); }

std::optional<AccSource> readAccSource(const AccInput& input, const AccRequest& request,
                                       const fs::path& scratch) {
  std::optional<AccSource> source = importAccSource(input, request, scratch);
  if (source) lowerAccSource(*source);
  return source;
}

std::string accLaunches(const AccSource& source) {
  return frontend::contentHash(acc::launchText(source.unit, source.lowered, {}));
}

sim::Bundle accBundle(const AccSource& source) {
  sim::Bundle bundle;
  bundle.source = source.input.path;
  // A variable of the program has one copy on the device, whichever files name it there.
  for (const frontend::AccGlobal& global : source.unit.globals)
    if (global.var && !global.isStatic) bundle.sharedByName.push_back(global.var->linkageName);
  size_t next = 0;
  for (const acc::LoweredRegion& region : source.lowered)
    for (const acc::LoweredKernel& one : region.kernels) {
      sim::BundledKernel entry;
      entry.linkageName = entry.name = one.kernel->name;
      entry.program = source.programs.at(next++);
      if (const ir::Function* missing = ir::firstWithoutBody(one.kernel->body);
          missing && entry.program.empty()) {
        entry.reason = fmt::format(
            "it calls '{}', which no file of the program defines for the device: hone acc has to compile its "
            "definition, behind a routine directive, and to link the program",
            missing->name);
        if (missing->loc.valid()) entry.file = *missing->loc.file, entry.line = missing->loc.line;
      }
      bundle.kernels.push_back(std::move(entry));
    }
  return bundle;
}

int compileAccSource(AccSource& source, const AccRequest& request, const std::string& output,
                     const fs::path& scratch) {
  const bool isAssembly = request.phase == AccPhase::Assembly;
  const std::string tag = tagOf(source, request, output);
  const acc::HostText host =
      acc::hostText(source.unit, source.lowered, source.text, tag, source.isPreprocessed);
  source.problems.insert(source.problems.end(), host.problems.begin(), host.problems.end());
  if (source.hasErrors()) return 1;
  std::string text = acc::applied(host, source.text);

  acc::LaunchTextOptions launch;
  launch.tag = tag;
  sim::Bundle bundle = accBundle(source);
  addLinkWords(bundle, source, request);
  const std::vector<uint8_t> bytes = sim::writeBundle(bundle);
  if (isAssembly)
    launch.bytes = bytes;
  else
    launch.bundleFile = (scratch / "kernels.bin").string();
  if (!isAssembly) writeText(launch.bundleFile, std::string(bytes.begin(), bytes.end()));
  const std::string launchers = acc::launchText(source.unit, source.lowered, launch);
  if (isAssembly) text += "\n#line 1 \"hone acc\"\n" + launchers;

  AccRequest plain = request;
  plain.commonFlags = withoutLinkTimeOptimization(request.commonFlags);
  const bool isCpp = source.input.language == "c++";
  std::vector<std::string> words;
  std::string from = source.input.path;
  if (source.isPreprocessed) {
    words = accCompiler(plain, isCpp ? "c++-cpp-output" : "cpp-output");
    from = (scratch / (isCpp ? "host.ii" : "host.i")).string();
    writeText(from, text);
  } else {
    words = accCompiler(plain, source.input.language);
    for (const std::string& word : overlayWords({{source.input.path, text}}, scratch)) words.push_back(word);
    for (const std::string& word : dependencyWords(request, output)) words.push_back(word);
  }
  const std::string compiled = (scratch / (isAssembly ? "host.s" : "host.o")).string();
  words.insert(words.end(), {isAssembly ? "-S" : "-c", from, "-o", compiled});
  if (const int status = runVisibly(words, request.isVerbose)) return status;
  if (source.isPreprocessed && !request.dependencyFlags.empty()) {
    std::vector<std::string> rules = accCompiler(plain, source.input.language);
    for (const std::string& word : dependencyWords(request, output)) rules.push_back(word);
    rules.insert(rules.end(), {"-E", source.input.path, "-o", "/dev/null"});
    if (const int status = runVisibly(rules, request.isVerbose)) return status;
  }
  if (isAssembly) {
    deliverFile(compiled, output);
    return 0;
  }

  std::vector<std::string> hostFlags;
  for (const std::string& flag : request.commonFlags)
    if (isForHostCode(flag)) hostFlags.push_back(flag);
  std::optional<std::string> device;
  if (!request.isNaive) device = objectByRecipes(source, tag, hostFlags, request.rewrite, scratch);
  if (!device) {
    const std::string launchFile = (scratch / "launch.c").string();
    device = (scratch / "launch.o").string();
    writeText(launchFile, launchers);
    std::vector<std::string> compile{hostCompiler(), "-x", "c", "-w", "-O1", "-fPIC"};
    compile.insert(compile.end(), hostFlags.begin(), hostFlags.end());
    compile.insert(compile.end(), {"-c", launchFile, "-o", *device});
    if (const Ran ran = runTool(compile, scratch, request.isVerbose); ran.status)
      throw Error(fmt::format("{}: internal: what launches its kernels does not compile; please report: {}",
                              source.input.path, ran.output),
                  1);
  }
  const std::string joined = (scratch / "joined.o").string();
  const Ran ran =
      runTool({hostCompiler(), "-fuse-ld=lld", "-nostdlib", "-r", compiled, *device, "-o", joined}, scratch,
              request.isVerbose);
  if (ran.status)
    throw Error(
        fmt::format("{}: internal: host and device parts do not join: {}", source.input.path, ran.output), 1);
  deliverFile(joined, output);
  return 0;
}

bool printAccProblems(const AccSource& source) {
  fmt::print(stderr, "{}", source.warnings);
  for (const acc::HostProblem& one : source.problems) {
    const std::string place = one.loc.valid() ? fmt::format("{}:{}: ", *one.loc.file, one.loc.line) : "";
    fmt::print(stderr, "{}{}: {}\n", place,
               one.isError     ? "error"
               : one.isWarning ? "warning"
                               : "note",
               one.text);
  }
  return source.hasErrors();
}

}  // namespace hone::cli
