#include "frontend/CompilerFlags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

namespace fs = std::filesystem;

namespace hone::frontend {

std::vector<std::string> splitCommandLine(const std::string& line, bool* endsInQuote) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < line.size() &&
               std::string_view("\\\"$`").find(line[i + 1]) != std::string_view::npos)
        word += line[++i];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inWord = true;
    } else if (c == '\\' && i + 1 < line.size()) {
      if (line[++i] != '\n') {
        word += line[i];
        inWord = true;
      }
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (inWord) words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord) words.push_back(std::move(word));
  if (endsInQuote) *endsInQuote = quote != 0;
  return words;
}

namespace {

constexpr int deepestResponseFile = 8;

/// The response file that the word at `i` names, `i` moved to its last word; empty: none.
std::string responseFileAt(const std::vector<std::string>& words, std::size_t& i) {
  const std::string& word = words[i];
  if (word.size() > 1 && word[0] == '@') return word.substr(1);
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  if (name != "-optf" && name != "--options-file" && name != "-options-file") return "";
  if (equals != std::string::npos) return word.substr(equals + 1);
  return i + 1 < words.size() ? words[++i] : "";
}

void addWords(const std::vector<std::string>& words, const fs::path& base, int depth,
              const std::function<void(const std::string&)>& problem, std::vector<std::string>& out) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t first = i;
    const std::string path = responseFileAt(words, i);
    if (path.empty()) {
      out.push_back(words[first]);
      continue;
    }
    std::ifstream in(base / path, std::ios::binary);
    if (!in || depth >= deepestResponseFile) {
      problem("cannot read the options file " + path);
      continue;
    }
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    addWords(splitCommandLine(text), base, depth + 1, problem, out);
  }
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// nvcc's long names (and a few second spellings) for flags that have a short one.
const std::map<std::string_view, std::string_view>& aliases() {
  static const std::map<std::string_view, std::string_view> table = {
      {"--include-path", "-I"},
      {"--define-macro", "-D"},
      {"--undefine-macro", "-U"},
      {"--pre-include", "-include"},
      {"--system-include", "-isystem"},
      {"--std", "-std"},
      {"--gpu-architecture", "-arch"},
      {"--gpu-code", "-code"},
      {"-gpu-architecture", "-arch"},
      {"-gpu-code", "-code"},
      {"--cuda-gpu-arch", "-arch"},
      {"--offload-arch", "-arch"},
      {"-cuda-gpu-arch", "-arch"},
      {"--generate-code", "-gencode"},
      {"-generate-code", "-gencode"},
      {"--relocatable-device-code", "-rdc"},
      {"-relocatable-device-code", "-rdc"},
      {"--compiler-options", "-Xcompiler"},
      {"-compiler-options", "-Xcompiler"},
      {"--compiler-bindir", "-ccbin"},
      {"-compiler-bindir", "-ccbin"},
      {"--maxrregcount", "-maxrregcount"},
      {"--output-file", "-o"},
      {"--output-directory", "-odir"},
      {"--library-path", "-L"},
      {"--library", "-l"},
      {"--linker-options", "-Xlinker"},
      {"--ptxas-options", "-Xptxas"},
      {"-ptxas-options", "-Xptxas"},
      {"--nvlink-options", "-Xnvlink"},
      {"--archive-options", "-Xarchive"},
      {"--cudart", "-cudart"},
      {"--cudadevrt", "-cudadevrt"},
      {"--optimize", "-O"},
      {"--threads", "-t"},
      {"--x", "-x"},
      {"--language", "-x"},
      {"--machine", "-m"},
      {"--diag-suppress", "-diag-suppress"},
      {"--diag-error", "-diag-error"},
      {"--diag-warn", "-diag-warn"},
      {"--display-error-number", "-err-no"},
      {"--default-stream", "-default-stream"},
      {"--dependency-output", "-MF"},
      {"--generate-dependency-targets", "-MP"},
      {"--default-device", "-default-device"},
      {"--fmad", "-fmad"},
      {"--ftz", "-ftz"},
      {"--prec-div", "-prec-div"},
      {"--prec-sqrt", "-prec-sqrt"},
      {"--use_fast_math", "-use_fast_math"},
      {"--split-compile", "-split-compile"},
      {"--keep-dir", "-keep-dir"},
      {"--resource-usage", "-res-usage"},
      {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"},
      {"--expt-extended-lambda", "-extended-lambda"},
      {"-expt-extended-lambda", "-extended-lambda"},
      {"--extended-lambda", "-extended-lambda"},
  };
  return table;
}

/// Flags with a value that says nothing about what the code means.
bool isIgnoredWithValue(std::string_view name) {
  return isOneOf(name, {"-o",
                        "-odir",
                        "-L",
                        "-l",
                        "-Xlinker",
                        "-Xptxas",
                        "-Xnvlink",
                        "-Xarchive",
                        "-Xfatbin",
                        "-ccbin",
                        "-maxrregcount",
                        "-cudart",
                        "-cudadevrt",
                        "-t",
                        "-diag-suppress",
                        "-diag-error",
                        "-diag-warn",
                        "-default-stream",
                        "-MF",
                        "-MT",
                        "-MQ",
                        "-code",
                        "-keep-dir",
                        "-split-compile",
                        "-dopt",
                        "-Xcudafe",
                        "-Xcicc",
                        "-Xnvvm",
                        "-Werror",
                        "-allow-unsupported-compiler",
                        "-rpath",
                        "-target-dir",
                        "-target",
                        "--target",
                        "-arch-list",
                        "-fmad",
                        "-ftz",
                        "-prec-div",
                        "-prec-sqrt",
                        "-z",
                        "-u"});
}

/// Of those above, the ones whose value always follows an equals sign or is missing.
bool takesValueOnlyWithEquals(std::string_view name) {
  return isOneOf(name, {"-Werror", "-allow-unsupported-compiler", "--target", "-fmad", "-ftz", "-prec-div",
                        "-prec-sqrt"});
}

/// Flags without a value that are known and change nothing that hone looks at.
bool isIgnoredPlain(std::string_view flag) {
  static constexpr std::array<std::string_view, 45> exact = {"-c",
                                                             "-dc",
                                                             "-dw",
                                                             "-dlink",
                                                             "-dlto",
                                                             "-G",
                                                             "-lineinfo",
                                                             "-w",
                                                             "-pg",
                                                             "-keep",
                                                             "-clean",
                                                             "-run",
                                                             "-v",
                                                             "-shared",
                                                             "-static",
                                                             "-pipe",
                                                             "-pthread",
                                                             "-restrict",
                                                             "-M",
                                                             "-MM",
                                                             "-MD",
                                                             "-MMD",
                                                             "-MP",
                                                             "-E",
                                                             "-S",
                                                             "-cuda",
                                                             "-cubin",
                                                             "-ptx",
                                                             "-fatbin",
                                                             "-lib",
                                                             "-link",
                                                             "-dryrun",
                                                             "-err-no",
                                                             "-res-usage",
                                                             "-time",
                                                             "-fast-compile",
                                                             "-extra-device-vectorization",
                                                             "-src-in-ptx",
                                                             "-device-c",
                                                             "-s",
                                                             "-nodlink",
                                                             "-generate-line-info",
                                                             "-expt-relaxed-constexpr",
                                                             "-extended-lambda",
                                                             "-rdynamic"};
  if (std::find(exact.begin(), exact.end(), flag) != exact.end()) return true;
  if (flag.starts_with("--"))
    return isOneOf(flag, {"--compile",
                          "--device-c",
                          "--device-w",
                          "--device-link",
                          "--device-debug",
                          "--debug",
                          "--generate-line-info",
                          "--disable-warnings",
                          "--verbose",
                          "--keep",
                          "--shared",
                          "--link",
                          "--ptx",
                          "--cubin",
                          "--fatbin",
                          "--cuda",
                          "--profile",
                          "--dryrun",
                          "--restrict",
                          "--run",
                          "--resource-usage",
                          "--source-in-ptx",
                          "--extra-device-vectorization",
                          "--no-host-device-initializer-list",
                          "--no-host-device-move-forward",
                          "--cuda-device-only",
                          "--cuda-host-only",
                          "--save-temps",
                          "--no-cuda-version-check",
                          "--Wno-deprecated-gpu-targets",
                          "--no-compress",
                          "--time",
                          "--dlink-time-opt",
                          "--warn-on-spills",
                          "--warn-on-local-memory-usage",
                          "--preprocess"});
  return flag.starts_with("-W") || flag.starts_with("-g") || flag.starts_with("-O") ||
         flag.starts_with("-m") || flag.starts_with("-f");
}

/// Flags after which __FILE__ has other names.
bool namesFilesAnew(std::string_view flag) {
  return flag.starts_with("-fmacro-prefix-map=") || flag.starts_with("-ffile-prefix-map=");
}

/// Flags of OpenCL's clBuildProgram that do not change how the text is read.
bool isIgnoredOpenCL(std::string_view flag) { return flag.starts_with("-cl-"); }

class Reader {
 public:
  explicit Reader(fs::path where) : base(std::move(where)) {}

  void read(const std::vector<std::string>& flags) {
    const std::vector<std::string> words = withResponseFiles(
        flags, base.string(), [this](const std::string& problem) { out.notes.push_back(problem); });
    for (std::size_t i = 0; i < words.size(); ++i) readOne(words, i);
  }

  CompilerFlags take() {
    if (bestArch > 0) out.arch = "sm_" + std::to_string(bestArch) + archSuffix;
    return std::move(out);
  }

 private:
  std::string absolute(const std::string& path) const {
    fs::path given(path);
    return given.is_absolute() || path.empty() ? path : (base / given).lexically_normal().string();
  }

  void skip(const std::string& flag) { out.notes.push_back("skipped compiler flag " + flag); }

  void add(std::initializer_list<std::string> words) { out.forClang.insert(out.forClang.end(), words); }

  /// `sm_90a`, `compute_80`, `90`, `native`; the highest number given wins.
  void noteArch(std::string_view text) {
    for (std::string_view prefix : {"sm_", "compute_", "lto_"})
      if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    std::size_t digits = 0;
    int number = 0;
    while (digits < text.size() && digits < 4 && std::isdigit(static_cast<unsigned char>(text[digits])))
      number = number * 10 + (text[digits++] - '0');
    if (number <= bestArch) return;
    bestArch = number;
    archSuffix = std::string(text.substr(digits, 1));
    if (archSuffix != "a" && archSuffix != "f") archSuffix.clear();
  }

  void noteArchList(const std::string& value) {
    std::string piece;
    for (char c : value + ",") {
      if (c != ',' && c != '=' && c != '[' && c != ']' && c != '"' && c != '\'' && c != ' ') {
        piece += c;
        continue;
      }
      if (piece.starts_with("sm_") || piece.starts_with("compute_")) noteArch(piece);
      piece.clear();
    }
  }

  /// What nvcc hands to the host compiler; only what changes the text's meaning is kept.
  void readHostFlags(const std::string& value) {
    std::vector<std::string> words;
    std::string word;
    for (char c : value + ",") {
      if (c != ',' && c != ' ')
        word += c;
      else if (!word.empty())
        words.push_back(std::move(word)), word.clear();
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& flag = words[i];
      if (flag.starts_with("-I") || flag.starts_with("-D") || flag.starts_with("-U") ||
          flag.starts_with("-isystem") || flag.starts_with("-iquote") || flag.starts_with("-std=") ||
          flag == "-include")
        readOne(words, i);
      else if (flag == "-fopenmp")
        out.openmp = true;
      else if (flag == "-funsigned-char" || flag == "-fsigned-char" || flag == "-fno-exceptions" ||
               namesFilesAnew(flag))
        add({flag});
    }
  }

  void readOne(const std::vector<std::string>& flags, std::size_t& i) {
    const std::string& flag = flags[i];
    if (flag.empty()) return;
    if (flag[0] != '-' || flag == "-") {
      out.inputs.push_back(absolute(flag));
      return;
    }

    // Bring "--define-macro=X", "--define-macro X", "-DX", "-D X" and "-D=X" to a name and a value.
    std::string name = flag;
    std::optional<std::string> value;
    if (std::size_t equals = flag.find('=');
        equals != std::string::npos && !flag.starts_with("-D") && !flag.starts_with("-I")) {
      name = flag.substr(0, equals);
      value = flag.substr(equals + 1);
    }
    if (auto known = aliases().find(name); known != aliases().end()) name = std::string(known->second);
    auto next = [&]() -> std::string {
      if (value) return *value;
      return i + 1 < flags.size() ? flags[++i] : std::string();
    };
    auto joined = [&](std::string_view prefix) {
      if (name.size() > prefix.size() && !value) return name.substr(prefix.size());
      if (name.size() > prefix.size())  // -isystem=dir never comes here; -Idir=x and -Dx=y keep their text
        return flag.substr(prefix.size());
      return next();
    };

    if (name.starts_with("-isystem")) return add({"-isystem", absolute(joined("-isystem"))});
    if (name.starts_with("-iquote")) return add({"-iquote", absolute(joined("-iquote"))});
    if (name.starts_with("-idirafter")) return add({"-idirafter", absolute(joined("-idirafter"))});
    if (name == "-imacros") return add({"-imacros", absolute(next())});
    if (name == "-include") {
      std::string file = next();
      std::string full = absolute(file);
      std::error_code ignored;
      return add({"-include", fs::exists(full, ignored) ? full : file});
    }
    if (name == "-iprefix" || name == "-isysroot") return void(next());
    if (name.starts_with("-I")) {
      std::string dir = joined("-I");
      if (dir.starts_with("=")) dir.erase(0, 1);
      return dir.empty() ? void() : add({"-I" + absolute(dir)});
    }
    if (name.starts_with("-D")) {
      std::string macro = joined("-D");
      return macro.empty() ? void() : add({"-D" + macro});
    }
    if (name.starts_with("-U")) {
      std::string macro = joined("-U");
      return macro.empty() ? void() : add({"-U" + macro});
    }
    if (name == "-std") {
      out.standard = next();
      return;
    }
    if (name == "-ansi") {
      out.standard = "c++98";
      return;
    }
    if (name == "-cl-std") {
      out.openclStandard = next();
      return;
    }
    if (name == "-cl-fast-relaxed-math" || name == "-use_fast_math" || name == "-ffast-math") {
      out.fastMath = true;
      return;
    }
    if (name == "-arch" || name == "-gencode" || name == "-code") {
      std::string given = next();
      if (name != "-code" && given.find('=') == std::string::npos && given.find(',') == std::string::npos)
        noteArch(given);
      else
        noteArchList(name == "-gencode" && value ? flag.substr(flag.find('=') + 1) : given);
      return;
    }
    if (name == "-rdc") {
      std::string given = next();
      out.relocatableDeviceCode = given == "true" || given == "yes" || given == "1";
      return;
    }
    if (name == "-dc" || name == "--device-c" || name == "-dw" || name == "--device-w" ||
        name == "-fgpu-rdc") {
      out.relocatableDeviceCode = true;
      return;
    }
    if (name == "--cuda-path") {
      std::string given = next();
      out.cudaPath = given == "none" ? given : absolute(given);
      return;
    }
    if (name.starts_with("-x") && name != "-xarch") {
      std::string given = joined("-x");
      out.language = given == "cu" ? "cuda" : given;
      return;
    }
    if (name == "-Xcompiler") return readHostFlags(next());
    if (name == "-Xclang" || name == "-mllvm" || name == "-Xarch_device" || name == "-Xarch_host") {
      std::string given = next();
      return skip(name + " " + given);
    }
    if (name == "-fopenmp" || name == "-qopenmp") {
      out.openmp = true;
      return;
    }
    if (isOneOf(flag, {"-funsigned-char", "-fsigned-char", "-fno-exceptions", "-fms-extensions",
                       "-fshort-enums"}) ||
        namesFilesAnew(flag))
      return add({flag});
    if (isOneOf(name, {"-O", "-m"})) {
      next();
      return;
    }
    if (isIgnoredWithValue(name)) {
      if (!value && !takesValueOnlyWithEquals(name)) next();
      return;
    }
    if (name.starts_with("-L") || name.starts_with("-l") || name.starts_with("-Wl,"))
      if (!isOneOf(name, {"-lineinfo", "-lib", "-link"})) return;
    if (isIgnoredPlain(flag) || isIgnoredPlain(name) || isIgnoredOpenCL(name)) return;
    skip(flag);
  }

  fs::path base;
  CompilerFlags out;
  int bestArch = 0;
  std::string archSuffix;
};

}  // namespace

std::vector<std::string> withResponseFiles(const std::vector<std::string>& words,
                                           const std::string& directory,
                                           const std::function<void(const std::string&)>& problem) {
  std::vector<std::string> out;
  addWords(words, directory, 0, problem, out);
  return out;
}

CompilerFlags readFlags(const std::vector<std::string>& flags, const std::string& directory) {
  std::error_code ignored;
  fs::path base = directory.empty() ? fs::current_path(ignored) : fs::absolute(directory, ignored);
  Reader reader(base);
  reader.read(flags);
  return reader.take();
}

}  // namespace hone::frontend
