// hone nvcc: nvcc, with the kernels of its sources rewritten on the way.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

#include "cli/commands/Command.h"
#include "cli/commands/NvccRewrite.h"
#include "cli/inputs/Inputs.h"
#include "cli/nvcc/BuildLog.h"
#include "cli/nvcc/DependencyNames.h"
#include "cli/nvcc/FindNvcc.h"
#include "cli/nvcc/NvccCall.h"
#include "cli/nvcc/NvccPace.h"
#include "cli/nvcc/RunNvcc.h"
#include "frontend/CompilerFlags.h"
#include "frontend/ContentHash.h"
#include "frontend/ToolchainPaths.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr int statusNotFound = 127;     // as shells give it
constexpr double defaultSeconds = 240;  // for what nothing else ends

const char* const nvccHelp =
    "nvcc, with the kernels of its sources made faster on the way. The sources stay as they are: nvcc is "
    "given "
    "copies of them\n"
    "from a cache. Whatever goes wrong on the way, the original is compiled. docs/build.md says more.\n\n"
    "usage: hone nvcc [PATH/TO/NVCC] NVCC'S WORDS...\n"
    "       hone-nvcc NVCC'S WORDS...                    the same without a space\n\n"
    "nvcc is the first word where that is a program, else HONE_NVCC, else nvcc in PATH, else "
    "/usr/local/cuda/bin/nvcc.\n"
    "`hone nvcc --help` is nvcc's; this text is `hone help nvcc`.\n\n"
    "environment:\n"
    "  HONE_OFF=1        nothing is rewritten (so do built programs that find it: they launch the "
    "originals)\n"
    "  HONE_NVCC         the compiler\n"
    "  HONE_OPTIONS      further options of `hone opt`, as in a shell: '--reassociate --capture x.capture'\n"
    "  HONE_TARGET       the GPU to choose for, see `hone targets`; else by -arch and -gencode: the highest\n"
    "  HONE_LOG          a file that takes what is said, with details; empty or -: nothing is said\n"
    "  HONE_TIME_LIMIT   seconds for one source, by the clock; else about twice as long as nvcc takes.\n"
    "                    Kernels that are not done by then stay as they are\n"
    "  HONE_CACHE        folder of the copies and all else that is kept; else $XDG_CACHE_HOME/hone or "
    "~/.cache/hone\n"
    "  HONE_CACHE_SIZE   most bytes of copies (1G); those that were not used for longest go\n\n"
    "Examples:\n"
    "  make NVCC=hone-nvcc\n"
    "  cmake -B build -DCMAKE_CUDA_COMPILER_LAUNCHER='hone;nvcc'\n"
    "  PYTORCH_NVCC=hone-nvcc python3 setup.py install\n";

std::string setting(const char* name) {
  const char* given = std::getenv(name);
  return given ? given : "";
}

bool isSwitchedOff() {
  const std::string off = setting("HONE_OFF");
  return !off.empty() && off != "0";
}

const char* const flagsOfEnvironment[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};

// As nvcc puts them together; nothing where that is not clear.
std::optional<std::vector<std::string>> withFlagsOfEnvironment(const std::vector<std::string>& words) {
  try {
    std::vector<std::string> all = frontend::splitCommandLine(setting(flagsOfEnvironment[0]));
    all.insert(all.end(), words.begin(), words.end());
    for (const std::string& one : frontend::splitCommandLine(setting(flagsOfEnvironment[1])))
      all.push_back(one);
    return all;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Given by the user; 0: what nvcc takes decides. Nothing: it is no number.
std::optional<double> givenTimeLimit() {
  const std::string given = setting("HONE_TIME_LIMIT");
  char* end = nullptr;
  const double seconds = std::strtod(given.c_str(), &end);
  if (*end || !(seconds >= 0 && seconds < 1e9)) return std::nullopt;
  return seconds;
}

double timeLimit() { return givenTimeLimit().value_or(0); }

// Whether others work beside this process: then it takes one core. make says so; ninja and others, of which
// nothing is known here, do as a rule.
bool isOneOfMany() {
  const std::string flags = setting("MAKEFLAGS");
  return setting("MAKELEVEL").empty() || flags.find("--jobserver") != std::string::npos ||
         flags.find("-j") != std::string::npos;
}

// Takes the sources of a command line one by one to their copies.
class CopyMaker {
 public:
  CopyMaker(const NvccCall& wanted, const std::string& nvcc, const BuildLog& news)
      : call(wanted),
        log(news),
        toolkit(toolkitOf(nvcc)),
        options(frontend::splitCommandLine(setting("HONE_OPTIONS"))) {
    const auto found = frontend::findCudaToolkit(toolkit);
    target = buildTarget(call, found ? found->version : 0);
    const bool namesTarget = std::any_of(options.begin(), options.end(), [](const std::string& one) {
      return one == "--target" || one.starts_with("--target=");
    });
    if (const std::string given = setting("HONE_TARGET"); !given.empty() && !namesTarget)
      options.push_back("--target=" + given);
    std::set<std::string> all;
    for (const NvccCall::Source& one : call.sources) all.insert(folderOf(one.path));
    for (const std::string& one : call.otherTexts) all.insert(folderOf(one));
    isOneFolder = all.size() == 1;
  }

  // As the compiler looks into it for quoted includes.
  static std::string folderOf(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
  }

  // What is said of sources that nvcc takes and hone does not.
  std::vector<std::string> unread;

  // The copy that takes the source's place; nothing: the source itself is compiled.
  std::optional<KeptCopy> copyOf(const std::string& path) {
    try {
      return findOrMake(path);
    } catch (const std::exception& error) {
      log.news(fmt::format("{}: compiled as it is: {}", path, error.what()));
      return std::nullopt;
    }
  }

  // What nvcc was estimated to take, where all sources were looked at now; 0: it is not known.
  double nvccSeconds() const { return looked == call.sources.size() ? estimated : 0; }

  bool isOneFolder = true;

 private:
  std::optional<KeptCopy> findOrMake(const std::string& path) {
    if (const std::string text = readFile(path); text.find_first_not_of(" \t\r\n") == std::string::npos) {
      log.detail(path + ": nothing stands in it");
      return std::nullopt;
    }
    const CopyCache cache;
    const size_t architectures = std::max<size_t>(1, call.architectures.size());
    const CopyRequest request{path, call.flags, options, target, toolkit, architectures, !isOneFolder};
    const std::string key = requestKey(request);
    std::optional<KeptCopy> copy = cache.find(key);
    if (!copy || (copy->cutShortAt && timeLimit() > *copy->cutShortAt)) {
      cache.checkWritable();
      const auto begin = fs::file_time_type::clock::now();
      const std::string before = frontend::contentHash(readFile(path));
      RewrittenSource made =
          rewriteForNvcc(request, {timeLimit() > 0 ? timeLimit() : defaultSeconds, timeLimit() > 0,
                                   isOneOfMany(), NvccPace(cache.place()).times()});
      looked += made.nvccSeconds > 0 ? 1 : 0;
      estimated += made.nvccSeconds;
      if (!made.problem.empty()) {
        log.detail(path + ": what hone said", made.said);
        if (made.isUnread) {
          unread.push_back(fmt::format("{}: compiled as it is: {}", path, made.problem));
          return std::nullopt;
        }
        if (!made.isLate) throw Error(made.problem);
        // Not tried again in every build.
        made.copy.news = fmt::format("{}: compiled as it is: {}", path, made.problem);
        made.copy.cutShortAt = timeLimit();
        if (made.included.empty()) made.included = {path};
      }
      if (frontend::contentHash(readFile(path)) != before) throw Error("it changed while hone read it");
      for (const std::string& file : made.included)
        if (std::error_code ignored; fs::last_write_time(file, ignored) > begin && !ignored)
          throw Error(fmt::format("{} changed while hone read it", file));
      if (const std::string why = includeObstacle(request, made.included, made.copy); !why.empty()) {
        made.copy.files.clear();
        made.copy.news = fmt::format("{}: compiled as it is: {}", path, why);
      }
      copy = cache.keep(key, copyInputs(request, made.included), made.copy);
    }
    if (!copy->bad.empty()) {
      log.detail(path + ": compiled as it is: nvcc did not take what hone made of it before");
      return std::nullopt;
    }
    log.detail(path + ": kernels", copy->details);
    if (!copy->path.empty()) return copy;  // its news are told once nvcc took it
    if (copy->cutShortAt)
      log.news(copy->news);
    else
      log.detail(copy->news);
    return std::nullopt;
  }

  const NvccCall& call;
  const BuildLog& log;
  std::string toolkit;
  std::vector<std::string> options;
  BuildTarget target;
  size_t looked = 0;     // sources that were not in the cache
  double estimated = 0;  // for these
};

// What a source without a folder calls the one that it stands in: compilers put nothing before the names of
// headers there, and put this, which nobody else writes, where the copy's includes find them.
const std::string markOfHere = ".//";

bool hasNoFolder(const NvccCall& call) { return fs::path(call.sources.front().path).parent_path().empty(); }

// For nvcc, which divides at commas, and for the shell that it calls the compiler by.
std::string asHostOption(const std::string& folder) {
  std::string out;
  for (const char c : folder) out += c == ',' ? std::string("\\,") : std::string(1, c);
  return folder.find(' ') == folder.npos ? "-iquote," + out : "-iquote,\"" + out + '"';
}

// So that quoted includes are looked for where the source stands, under the names that they have there.
std::string hostOptions(const NvccCall& call, const KeptCopy& copy) {
  if (!hasNoFolder(call)) return asHostOption(CopyMaker::folderOf(call.sources.front().path));
  // The folder of the copy is looked into anyway; as the last one it keeps GCC from joining the one before
  // with the -I of the same folder.
  return fmt::format("{},{},-fmacro-prefix-map={}=", asHostOption(markOfHere),
                     asHostOption(fs::path(copy.path).parent_path().string()), markOfHere);
}

// Messages name headers as without hone.
void unmark(std::string& text) {
  for (size_t at = 0; (at = text.find(markOfHere, at)) != std::string::npos;)
    if (at == 0 || std::string_view(" \t\n'\"").find(text[at - 1]) != std::string_view::npos)
      text.erase(at, markOfHere.size());
    else
      at += markOfHere.size();
}

// In the files that make reads, names of copies become the user's.
void renameAll(const NvccCall& call, const std::map<size_t, KeptCopy>& copies) {
  std::map<std::string, std::string> names;
  std::set<std::string> files;
  for (const NvccCall::Source& source : call.sources)
    for (const std::string& file : call.dependencyCandidates(source)) files.insert(file);
  for (const auto& [word, copy] : copies) {
    names.insert(copy.names.begin(), copy.names.end());
    // Includes that became paths.
    const fs::path folder = fs::path(call.words[word]).parent_path();
    if (!folder.is_absolute())
      names[(fs::current_path() / folder / "").lexically_normal().string()] =
          folder.empty() ? "" : (folder / "").string();
  }
  if (hasNoFolder(call)) names[markOfHere] = "";
  for (const std::string& file : files) renameInDependencies(file, names);
}

struct Copies {
  std::map<size_t, KeptCopy> byWord;  // of the command line: the copy in its place
  bool isOneFolder = true;            // that all sources stand in
  double nvccSeconds = 0;             // see CopyMaker
  std::vector<std::string> unread = {};
};

Copies makeCopies(const NvccCall& call, const std::string& nvcc, const BuildLog& log) {
  Copies copies;
  try {
    CopyMaker maker(call, nvcc, log);
    copies.isOneFolder = maker.isOneFolder;
    for (const NvccCall::Source& source : call.sources)
      if (std::optional<KeptCopy> copy = maker.copyOf(source.path)) copies.byWord[source.word] = *copy;
    copies.nvccSeconds = maker.nvccSeconds();
    copies.unread = maker.unread;
  } catch (const std::exception& error) {
    log.news(fmt::format("sources are compiled as they are: {}", error.what()));
    copies = {};
  }
  return copies;
}

// What nvcc took says what it will take for the next file. Nothing hangs on it.
void learnPace(const NvccRun& run, double nvccSeconds) {
  if (run.status != 0 || nvccSeconds <= 0) return;
  try {
    const CopyCache cache;
    NvccPace(cache.place()).learn(run.seconds, nvccSeconds);
  } catch (const std::exception&) {  // no cache
  }
}

// Copies that nvcc complains of by the name of a file they stand for; all, where it names none.
std::vector<const KeptCopy*> blamedCopies(const std::map<size_t, KeptCopy>& copies, const std::string& said) {
  std::vector<const KeptCopy*> all, named;
  for (const auto& [word, copy] : copies) {
    all.push_back(&copy);
    const bool isNamed = std::any_of(copy.names.begin(), copy.names.end(), [&](const auto& name) {
      return said.find(name.first) != std::string::npos ||
             said.find(name.second + "(") != std::string::npos ||
             said.find(name.second + ":") != std::string::npos;
    });
    if (isNamed) named.push_back(&copy);
  }
  return named.empty() ? all : named;
}

// The original's turn: what nvcc says of it is what the user sees. Copies that stood in the way of a good
// source are not tried again.
int runOriginal(const std::string& nvcc, const std::vector<std::string>& words, const NvccRun& failed,
                const NvccCall& call, const std::map<size_t, KeptCopy>& copies, const BuildLog& log) {
  const std::string name = call.sources.front().path;
  log.detail(fmt::format("{}: nvcc does not take what hone made of it (status {})", name, failed.status),
             failed.printed + failed.said);
  const NvccRun original = runNvcc(nvcc, words, NvccTexts::Kept);
  show(original);
  if (original.status != 0) return original.status;
  log.news(fmt::format("{}: compiled as it is: nvcc does not take what hone made of it{}", name,
                       setting("HONE_LOG").empty() ? "; HONE_LOG=FILE keeps what it said" : ""));
  for (const KeptCopy* copy : blamedCopies(copies, failed.printed + failed.said)) try {
      if (CopyCache::isWhole(*copy))
        CopyCache::reject(*copy, failed.said.empty() ? "nvcc did not take it\n" : failed.said);
    } catch (const std::exception& error) {
      log.detail(error.what());
    }
  return original.status;
}

// Of what nvcc does not take either its own messages are enough.
void tellUnread(const NvccRun& run, const Copies& made, const BuildLog& log) {
  const std::string more = setting("HONE_LOG").empty() ? "; HONE_LOG=FILE has why" : "";
  for (const std::string& one : made.unread) run.status == 0 ? log.news(one + more) : log.detail(one);
}

int runWithCopies(const std::string& nvcc, const std::vector<std::string>& words,
                  const std::vector<std::string>& replaced, const NvccCall& call, const Copies& made,
                  const BuildLog& log) {
  const std::map<size_t, KeptCopy>& copies = made.byWord;
  NvccRun run = runNvcc(nvcc, replaced, NvccTexts::Kept);
  if (hasNoFolder(call))
    for (std::string* text : {&run.printed, &run.said}) unmark(*text);
  if (run.isStopped) {
    show(run);
    return run.status;
  }
  if (run.status != 0) return runOriginal(nvcc, words, run, call, copies, log);
  renameAll(call, copies);
  show(run);
  for (const auto& [word, copy] : copies) log.news(copy.news);
  tellUnread(run, made, log);
  learnPace(run, made.nvccSeconds);
  return run.status;
}

// nvcc in place of this process, or beside it to learn how long it takes, and whether it takes what hone does
// not.
int runUnchanged(const std::string& nvcc, const std::vector<std::string>& words, const Copies& made,
                 const BuildLog& log) {
  if (made.nvccSeconds <= 0 && made.unread.empty()) return becomeNvcc(nvcc, words);
  try {
    const NvccRun run = runNvcc(nvcc, words, NvccTexts::Shown);
    learnPace(run, made.nvccSeconds);
    tellUnread(run, made, log);
    return run.status;
  } catch (const std::exception&) {  // no second process
    return becomeNvcc(nvcc, words);
  }
}

}  // namespace

int runNvcc(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  // Under nvcc's own name, or in its place in a makefile, it has nvcc say what is missing.
  const bool standsForNvcc = std::string_view(program_invocation_short_name).ends_with("nvcc");
  if (words.empty() && !standsForNvcc) {
    fmt::print("{}", nvccHelp);
    return exitDone;
  }
  const std::string nvcc = findNvcc(words);
  if (nvcc.empty()) {
    const std::string named = setting("HONE_NVCC");
    fmt::print(stderr, "hone nvcc: {}\n",
               named.empty()
                   ? "nvcc is not in PATH and not in /usr/local/cuda/bin; HONE_NVCC names one elsewhere"
                   : fmt::format("HONE_NVCC={}: there is no such program, or it is hone itself", named));
    return statusNotFound;
  }
  const BuildLog log;
  if (isSwitchedOff()) return becomeNvcc(nvcc, words);
  if (!givenTimeLimit())
    log.news(fmt::format("HONE_TIME_LIMIT={} is no number of seconds: as if it were not set",
                         setting("HONE_TIME_LIMIT")));
  bool endsInQuote = false;
  frontend::splitCommandLine(setting("HONE_OPTIONS"), &endsInQuote);
  if (endsInQuote) {
    log.news("sources are compiled as they are: HONE_OPTIONS: a quote in it is not closed");
    return becomeNvcc(nvcc, words);
  }
  const std::optional<std::vector<std::string>> all = withFlagsOfEnvironment(words);
  const NvccCall call = all ? readNvccCall(*all) : NvccCall();
  if (call.sources.empty()) {
    if (call.whyNot.starts_with("-Xcompiler")) log.news("sources are compiled as they are: " + call.whyNot);
    return becomeNvcc(nvcc, words);
  }
  words = *all;
  for (const char* name : flagsOfEnvironment) ::unsetenv(name);  // they are among the words now
  const Copies copies = makeCopies(call, nvcc, log);
  if (copies.byWord.empty()) return runUnchanged(nvcc, words, copies, log);

  std::vector<std::string> replaced = call.words;
  for (const auto& [word, copy] : copies.byWord) replaced[word] = copy.path;
  if (copies.isOneFolder)
    replaced.insert(replaced.begin(), {"-Xcompiler", hostOptions(call, copies.byWord.begin()->second)});
  try {
    return runWithCopies(nvcc, words, replaced, call, copies, log);
  } catch (const std::exception& error) {
    log.news(fmt::format("{}: compiled as it is: {}", call.sources.front().path, error.what()));
    return becomeNvcc(nvcc, words);
  }
}

}  // namespace hone::cli
