#include "cli/acc/AccWords.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string_view>

#include "frontend/CompilerFlags.h"
#include "ir/Error.h"

namespace hone::cli {

namespace {

using Names = std::initializer_list<std::string_view>;

bool isAnyOf(std::string_view word, Names names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool startsWithAnyOf(std::string_view word, Names beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view one) { return word.starts_with(one); });
}

// OpenACC and offloading are what hone acc is there for; the rest says how other compilers go about it.
bool isOfAccelerators(std::string_view word) {
  return isAnyOf(word, {"-fopenacc", "-acc", "-noacc", "-fast", "-foffload-abi=lp64"}) ||
         startsWithAnyOf(word, {"-fopenacc-", "-acc=", "-ta=", "-ta:", "-tp=", "-gpu=", "-Minfo", "-Mneginfo",
                                "-Macc", "-foffload", "-cuda", "-stdpar"});
}

// The value is the next word.
bool takesNext(std::string_view word) {
  return isAnyOf(word, {"-o",          "-x",           "-I",
                        "-D",          "-U",           "-L",
                        "-l",          "-include",     "-imacros",
                        "-isystem",    "-iquote",      "-idirafter",
                        "-iprefix",    "-iwithprefix", "-iwithprefixbefore",
                        "-isysroot",   "-MF",          "-MT",
                        "-MQ",         "-Xlinker",     "-Xpreprocessor",
                        "-Xassembler", "-Xclang",      "-mllvm",
                        "-T",          "-u",           "-z",
                        "-e",          "--param",      "-aux-info",
                        "-A",          "-target",      "-b",
                        "-V",          "-G",           "-arch",
                        "--sysroot"});
}

bool isDependencyWord(std::string_view word) {
  return isAnyOf(word, {"-MD", "-MMD", "-MP", "-MG"}) || startsWithAnyOf(word, {"-MF", "-MT", "-MQ"});
}

// For the preprocessor and what text means: of no interest to the linker.
bool isForCompilerOnly(std::string_view word) {
  return startsWithAnyOf(word, {"-I", "-D", "-U", "-i", "-W", "-std", "-pedantic", "-ansi", "-w",
                                "-trigraphs", "-Xpreprocessor", "-Xassembler", "-C", "-P", "-H", "-d"}) &&
         !startsWithAnyOf(word, {"-Wl,", "-dynamic"});
}

bool isForLinkerOnly(std::string_view word) {
  return startsWithAnyOf(word, {"-L", "-Wl,", "-Xlinker", "-fuse-ld", "-static", "--static", "-rdynamic",
                                "-nostart", "-nodefaultlibs", "-rpath", "--rpath"}) ||
         isAnyOf(word, {"-s", "-T", "-u", "-z", "-e", "-pie", "-no-pie"});
}

bool isQueryWord(std::string_view word) {
  return isAnyOf(word, {"-dumpversion", "-dumpmachine", "-dumpspecs", "-dumpfullversion", "-###", "--help",
                        "--target-help", "--version", "-qversion", "-version"}) ||
         startsWithAnyOf(word, {"-print-", "--print-", "--help=", "-dM"});
}

// The language of a file by its name, as compilers see it; empty: it is the linker's.
std::string languageOf(const std::string& path) {
  static const std::map<std::string_view, const char*> endings{{".c", "c"},
                                                               {".C", "c++"},
                                                               {".cc", "c++"},
                                                               {".cpp", "c++"},
                                                               {".cxx", "c++"},
                                                               {".cp", "c++"},
                                                               {".c++", "c++"},
                                                               {".CPP", "c++"},
                                                               {".i", "cpp-output"},
                                                               {".ii", "c++-cpp-output"},
                                                               {".s", "assembler"},
                                                               {".S", "assembler-with-cpp"},
                                                               {".sx", "assembler-with-cpp"},
                                                               {".h", "c-header"},
                                                               {".hpp", "c++-header"},
                                                               {".hh", "c++-header"}};
  const auto known = endings.find(std::filesystem::path(path).extension().string());
  return known == endings.end() ? "" : known->second;
}

bool isFortran(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return isAnyOf(ending,
                 {".f", ".F", ".for", ".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"});
}

class AccWordReader {
 public:
  explicit AccWordReader(const std::vector<std::string>& given) {
    words = frontend::withResponseFiles(given, "",
                                        [&](const std::string& problem) { problems.push_back(problem); });
    out.words = words;
  }

  AccRequest read() {
    if (!problems.empty()) throw Error(problems.front());
    for (size_t k = 0; k < words.size(); ++k) {
      const std::string& word = words[k];
      const bool isPair = takesNext(word);
      if (isPair && k + 1 == words.size()) throw Error(fmt::format("{} needs a word behind it", word));
      if (word.size() < 2 || word[0] != '-')
        input(word);
      else
        flag(word, isPair ? words[++k] : "", isPair);
    }
    finish();
    return std::move(out);
  }

 private:
  std::vector<std::string> words, problems;
  AccRequest out;
  std::string given;  // by -x; empty: names decide
  bool isSyntaxOnly = false, isPreprocessing = false, isAssembly = false, isObject = false;

  void input(const std::string& path) {
    if (given.empty() && isFortran(path))
      throw Error(fmt::format("{}: hone acc reads C and C++; Fortran is not built", path));
    AccInput one{path, given.empty() ? languageOf(path) : given, false, false};
    one.isSource = !one.language.empty();
    one.isPlain = (one.language != "c" && one.language != "c++") || path == "-";
    if (path == "-" && !one.isSource) throw Error("-: a source on stdin needs its language: -x c or -x c++");
    out.inputs.push_back(one);
  }

  static void add(std::vector<std::string>& to, const std::string& word, const std::string& value,
                  bool isPair) {
    to.push_back(word);
    if (isPair) to.push_back(value);
  }

  void flag(const std::string& word, const std::string& value, bool isPair) {
    if (isOfAccelerators(word)) return;
    if (word == "-c")
      isObject = true;
    else if (word == "-S")
      isAssembly = true;
    else if (isAnyOf(word, {"-E", "-M", "-MM"}))
      isPreprocessing = true, add(out.compileFlags, word, "", false);
    else if (word == "-fsyntax-only")
      isSyntaxOnly = true;
    else if (word == "-o")
      out.output = value;
    else if (word.starts_with("-o") && word.size() > 2 && word != "-openmp")
      out.output = word.substr(2);
    else if (word == "-x")
      given = value == "none" ? "" : value;
    else if (word.starts_with("-x") && word.size() > 2)
      given = word.substr(2) == "none" ? "" : word.substr(2);
    else if (word == "--explain")
      out.explains = true;
    else if (word == "--json")
      out.isJson = true;
    else if (word == "-v" || word == "--verbose")
      out.isVerbose = true;
    else if (isAnyOf(word, {"-fopenmp", "-mp", "-qopenmp", "-fopenmp-simd"}) ||
             startsWithAnyOf(word, {"-fopenmp=", "-mp="}))
      out.usesOpenMp = true;
    else if (isDependencyWord(word))
      add(out.dependencyFlags, word, value, isPair);
    else if (word == "-shared" || word == "--shared")
      out.isShared = true;
    else if (word == "-l" || word.starts_with("-l"))
      addLibrary(word == "-l" ? value : word.substr(2));
    else if (isAnyOf(word, {"-save-temps", "-gsplit-dwarf"}) || word.starts_with("-save-temps="))
      return;
    else if (word == "-pipe")
      return;
    else if (isQueryWord(word))
      out.isQuery = true;
    else if (isForCompilerOnly(word))
      add(out.compileFlags, word, value, isPair);
    else if (isForLinkerOnly(word))
      add(out.linkFlags, word, value, isPair);
    else if (word.starts_with("-O")) {
      out.isNaive = word == "-O0";
      out.commonFlags.push_back(word);
    } else {
      add(out.commonFlags, word, value, isPair);
    }
  }

  // Those of other compilers' OpenACC and of the vendor's runtime have ours in their place.
  void addLibrary(const std::string& name) {
    if (isAnyOf(name, {"cudart", "cuda", "cudadevrt", "cudart_static", "gomp", "acchost", "accdevice", "accn",
                       "accg", "openacc", "rt_acc"}))
      return;
    AccInput one;
    one.path = "-l" + name;
    out.inputs.push_back(one);
  }

  void refuseStatic() const {
    for (const std::string& word : out.linkFlags)
      if (isAnyOf(word, {"-static", "--static", "-static-pie"}))
        throw Error(fmt::format(
            "{}: hone's runtime, which the program needs, is linked with shared libraries; leave it out",
            word));
  }

  void finish() {
    const auto isInput = [](const AccInput& one) { return one.isSource; };
    const size_t sources = size_t(std::count_if(out.inputs.begin(), out.inputs.end(), isInput));
    out.phase = isPreprocessing ? AccPhase::Preprocess
                : isSyntaxOnly  ? AccPhase::Check
                : isAssembly    ? AccPhase::Assembly
                : isObject      ? AccPhase::Object
                                : AccPhase::Link;
    if (out.isQuery) return;
    if (out.isJson && !out.explains) throw Error("--json is a form of --explain, which is not given");
    if (out.inputs.empty() && out.isVerbose) {
      out.isQuery = true;  // as -v alone asks for
      return;
    }
    if (std::none_of(out.inputs.begin(), out.inputs.end(),
                     [](const AccInput& one) { return one.isSource || !one.path.starts_with("-l"); }))
      throw Error("no input files; `hone acc --help` says what it takes");
    if (out.phase == AccPhase::Link && !out.isShared && !out.explains) refuseStatic();
    if (out.phase != AccPhase::Link && !out.output.empty() && sources > 1)
      throw Error(
          fmt::format("-o {} is one file for {} sources that have an output each", out.output, sources));
  }
};

}  // namespace

AccRequest readAccWords(const std::vector<std::string>& words) { return AccWordReader(words).read(); }

}  // namespace hone::cli
