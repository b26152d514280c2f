#include "cli/inputs/BuildOptions.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostHosts = 100;
constexpr uintmax_t kLargestHost = 1 << 20;

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// The name that begins at `at`.
std::string nameAt(const std::string& text, size_t at) {
  size_t end = at;
  while (end < text.size() && isOfName(text[end])) ++end;
  return std::isdigit(static_cast<unsigned char>(text[at])) ? "" : text.substr(at, end - at);
}

bool isNumber(const std::string& text) {
  const size_t digits = text.find_first_not_of("-+");
  return digits != std::string::npos && std::isdigit(static_cast<unsigned char>(text[digits])) &&
         text.find_first_not_of("0123456789abcdefABCDEFxXuUlL.", digits) == std::string::npos;
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Without comments, which become blanks; strings stay.
std::string withoutComments(const std::string& text) {
  std::string out = text;
  char quote = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    if (quote) {
      if (out[i] == '\\')
        ++i;
      else if (out[i] == quote || out[i] == '\n')
        quote = 0;
      continue;
    }
    if (out[i] == '"' || out[i] == '\'') quote = out[i];
    if (out[i] != '/' || i + 1 >= out.size() || (out[i + 1] != '/' && out[i + 1] != '*')) continue;
    const bool isLine = out[i + 1] == '/';
    const size_t end = isLine ? out.find('\n', i) : out.find("*/", i + 2);
    const size_t stop = end == std::string::npos ? out.size() : end + (isLine ? 0 : 2);
    for (; i < stop; ++i)
      if (out[i] != '\n') out[i] = ' ';
    --i;
  }
  return out;
}

class HostOptions {
 public:
  HostOptions(const std::vector<std::pair<std::string, std::string>>& hosts,
              const std::set<std::string>& names)
      : wanted(names) {
    for (const auto& [file, text] : hosts) plain.emplace_back(file, withoutComments(text));
    for (const auto& [file, text] : plain) readDefinitions(text);
    for (const auto& [file, text] : plain) readStrings(file, text);
    for (const std::string& name : ambiguous) found.erase(name);
  }

  std::map<std::string, HostMacro> found;

 private:
  void readDefinitions(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      size_t at = line.find_first_not_of(" \t");
      if (at == std::string::npos || line[at] != '#') continue;
      at = line.find_first_not_of(" \t", at + 1);
      if (at == std::string::npos || line.compare(at, 6, "define") != 0) continue;
      at = line.find_first_not_of(" \t", at + 6);
      if (at == std::string::npos) continue;
      const std::string name = nameAt(line, at);
      if (!name.empty() && line.compare(at + name.size(), 1, "(") != 0)
        definitions[name].insert(trimmed(line.substr(at + name.size())));
    }
  }

  // The one value that a macro of the host's stands for. Names that nothing in sight defines are those of
  // other builds.
  std::optional<std::string> numberOf(const std::string& word, int depth = 0) const {
    if (isNumber(word)) return word;
    const auto known = definitions.find(word);
    if (known == definitions.end() || depth > 8) return std::nullopt;
    std::set<std::string> numbers;
    for (const std::string& value : known->second) {
      const bool isOfOtherBuild = nameAt(value + " ", 0) == value && !definitions.contains(value);
      const auto number =
          nameAt(value + " ", 0) == value ? numberOf(value, depth + 1) : arithmeticOf(value, depth + 1);
      if (number)
        numbers.insert(*number);
      else if (!isOfOtherBuild)
        return std::nullopt;
    }
    return numbers.size() == 1 ? std::optional(*numbers.begin()) : std::nullopt;
  }

  // Numbers, operators and such macros, the macros as their numbers: "(16*8)".
  std::optional<std::string> arithmeticOf(const std::string& text, int depth) const {
    if (isNumber(text)) return text;
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      if (isSpace(text[i])) continue;
      if (isOfName(text[i])) {
        size_t end = i;
        while (end < text.size() && isOfName(text[end])) ++end;
        const auto number = numberOf(text.substr(i, end - i), depth);
        if (!number) return std::nullopt;
        out += *number;
        i = end - 1;
      } else if (std::string_view("+-*/%()").find(text[i]) != std::string_view::npos) {
        out += text[i];
      } else {
        return std::nullopt;
      }
    }
    if (out.empty() || isNumber(out)) return out.empty() ? std::nullopt : std::optional(out);
    const bool isWhole = out.front() == '(' && out.find(')') == out.size() - 1;
    if (isWhole && isNumber(out.substr(1, out.size() - 2))) return out.substr(1, out.size() - 2);
    return isWhole ? out : "(" + out + ")";
  }

  void readStrings(const std::string& file, const std::string& text) {
    for (size_t at = 0; (at = text.find('"', at)) != std::string::npos;) {
      if (at > 0 && text[at - 1] == '\'') {
        ++at;
        continue;
      }
      size_t end = at + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      if (end >= text.size()) return;
      if (text[end] == '"') readOptions(file, text, at + 1, end);
      at = end + 1;
    }
  }

  // The argument number `index` behind a format that ends before `at`.
  static std::string argumentBehind(const std::string& text, size_t at, size_t index) {
    int depth = 0;
    std::vector<std::string> parts(1);
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == ';' || (c == ')' && depth == 0)) break;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c == ',' && depth == 0)
        parts.emplace_back();
      else
        parts.back() += c;
    }
    return index + 1 < parts.size() && trimmed(parts[0]).empty() ? trimmed(parts[index + 1]) : "";
  }

  void readOptions(const std::string& file, const std::string& text, size_t begin, size_t end) {
    const std::string options = text.substr(begin, end - begin);
    size_t conversions = 0;
    for (size_t i = 0; i < options.size(); ++i) {
      if (options[i] == '%') {
        if (i + 1 < options.size() && options[i + 1] == '%')
          ++i;
        else
          ++conversions;
        continue;
      }
      if (options.compare(i, 2, "-D") != 0 || (i > 0 && !isSpace(options[i - 1]))) continue;
      size_t at = options.find_first_not_of(" \t", i + 2);
      if (at == std::string::npos) return;
      const std::string name = nameAt(options, at);
      if (name.empty()) continue;
      i = at + name.size() - 1;
      if (!wanted.contains(name)) continue;
      std::optional<std::string> value = "";
      if (i + 1 < options.size() && options[i + 1] == '=') {
        size_t stop = i + 2;
        while (stop < options.size() && !isSpace(options[stop])) ++stop;
        value = options.substr(i + 2, stop - i - 2);
        if (value->starts_with('%') && nameAt(*value + " ", 1) == value->substr(1))
          value = arithmeticOf(argumentBehind(text, end + 1, conversions), 0);
        else if (value->empty() || value->find_first_of("%\\\"$`") != std::string::npos)
          value.reset();
      }
      note(name, value, file, 1 + unsigned(std::count(text.begin(), text.begin() + long(begin), '\n')));
    }
  }

  void note(const std::string& name, const std::optional<std::string>& value, const std::string& file,
            unsigned line) {
    if (!value) {
      ambiguous.insert(name);
      return;
    }
    const auto [known, isNew] = found.emplace(name, HostMacro{*value, file, line});
    if (!isNew && known->second.value != *value) ambiguous.insert(name);
  }

  const std::set<std::string>& wanted;
  std::vector<std::pair<std::string, std::string>> plain;
  std::map<std::string, std::set<std::string>> definitions;
  std::set<std::string> ambiguous;
};

std::vector<std::pair<std::string, std::string>> hostsNear(const std::string& file) {
  static const std::set<std::string> extensions = {".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp"};
  std::vector<fs::path> paths;
  std::error_code error;
  const fs::path folder = fs::absolute(file, error).lexically_normal().parent_path();
  std::vector<fs::path> folders = {folder, folder.parent_path()};
  for (fs::directory_iterator it(folder, error), last; !error && it != last; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored)) folders.push_back(it->path());
  }
  std::sort(folders.begin() + 2, folders.end());
  for (const fs::path& one : folders) {
    std::vector<fs::path> here;
    for (fs::directory_iterator it(one, error), last; !error && it != last; it.increment(error)) {
      std::error_code ignored;
      if (extensions.contains(it->path().extension().string()) && it->is_regular_file(ignored) &&
          it->file_size(ignored) <= kLargestHost)
        here.push_back(it->path());
    }
    std::sort(here.begin(), here.end());
    paths.insert(paths.end(), here.begin(), here.end());
  }
  if (paths.size() > kMostHosts) paths.resize(kMostHosts);
  std::vector<std::pair<std::string, std::string>> hosts;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    hosts.emplace_back(path.filename().string(), text.str());
  }
  return hosts;
}

// Names that errors say nothing defines.
std::set<std::string> undefinedNames(const frontend::ImportResult& import) {
  std::set<std::string> names;
  for (const frontend::Diagnostic& one : import.diagnostics)
    for (const char* begin : {"use of undeclared identifier '", "unknown type name '"})
      if (one.severity >= frontend::Severity::Error && one.text.starts_with(begin)) {
        const std::string name = one.text.substr(std::char_traits<char>::length(begin));
        names.insert(name.substr(0, name.find('\'')));
      }
  return names;
}

}  // namespace

std::map<std::string, HostMacro> buildOptionsIn(const std::vector<std::pair<std::string, std::string>>& hosts,
                                                const std::set<std::string>& wanted) {
  return HostOptions(hosts, wanted).found;
}

namespace {

// Macros that #if, #ifdef, #ifndef and #elif of a text ask for.
std::set<std::string> testedNames(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);) {
    size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || (line.compare(at, 2, "if") != 0 && line.compare(at, 4, "elif") != 0))
      continue;
    for (size_t i = line.find_first_of(" \t(", at); i < line.size();) {
      size_t end = i;
      while (end < line.size() && isOfName(line[end])) ++end;
      if (const std::string name = end > i ? nameAt(line, i) : ""; !name.empty()) names.insert(name);
      i = std::max(end, i + 1);
    }
  }
  return names;
}

std::string flagOf(const std::string& name, const HostMacro& macro) {
  return "-D" + name + (macro.value.empty() ? "" : "=" + macro.value);
}

// One reading of a file: the options that hosts have for it, and what is still not defined.
struct Reading {
  frontend::SourceRequest request;
  frontend::ImportResult import;
  std::set<std::string> missing;
  std::vector<std::string> notes;
};

// With more options as hosts give them; nothing where they help no further.
std::optional<Reading> readWith(const Reading& known, const std::map<std::string, HostMacro>& options) {
  if (options.empty()) return std::nullopt;
  Reading made{known.request, {}, {}, known.notes};
  for (const auto& [name, macro] : options) {
    made.request.flags.push_back(flagOf(name, macro));
    made.notes.push_back(
        fmt::format("read with {}, as {}:{} builds it", flagOf(name, macro), macro.file, macro.line));
  }
  made.import = frontend::importFile(made.request);
  made.missing = undefinedNames(made.import);
  if (made.missing.size() >= known.missing.size()) return std::nullopt;
  return made;
}

// Where macros choose among definitions and hosts build the file with one or another of them: the first.
std::optional<Reading> readWithOneOf(const Reading& known, std::map<std::string, HostMacro> options) {
  std::vector<std::pair<std::string, HostMacro>> order(options.begin(), options.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.file, a.second.line) < std::tie(b.second.file, b.second.line);
  });
  std::vector<std::string> others;
  for (const auto& [name, macro] : order) others.push_back(flagOf(name, macro));
  for (size_t i = 0; i < order.size(); ++i)
    if (std::optional<Reading> made = readWith(known, {order[i]})) {
      others.erase(others.begin() + long(i));
      if (others.empty()) return made;
      made->notes.back() +=
          fmt::format("; hosts have {} too, which may be other builds", fmt::join(others, ", "));
      for (frontend::ImportedKernel& kernel : made->import.kernels) {
        if (!kernel.kernel) continue;
        kernel.runnable = std::exchange(kernel.kernel, nullptr);
        kernel.reason =
            "hosts build this file in several ways, and new text would be made for one of them: "
            "say by options after `--` which";
        kernel.reasonLoc = kernel.loc;
      }
      return made;
    }
  return std::nullopt;
}

}  // namespace

frontend::ImportResult importAsBuilt(frontend::SourceRequest& request) {
  Reading best{request, frontend::importFile(request), {}, {}};
  if (best.import.language != frontend::Language::OpenCL) return std::move(best.import);
  best.missing = undefinedNames(best.import);
  if (best.missing.empty()) return std::move(best.import);
  const std::vector<std::pair<std::string, std::string>> hosts = hostsNear(request.path);
  if (auto made = readWith(best, buildOptionsIn(hosts, best.missing))) best = std::move(*made);
  if (!best.missing.empty())
    if (auto made = readWithOneOf(best, buildOptionsIn(hosts, testedNames(request.path))))
      best = std::move(*made);
  request = std::move(best.request);
  frontend::ImportResult import = std::move(best.import);
  import.notes.insert(import.notes.end(), best.notes.begin(), best.notes.end());
  if (!best.missing.empty()) {
    const std::string& name = *best.missing.begin();
    import.notes.push_back(
        fmt::format("nothing here defines '{}'; what the host gives by the options of clBuildProgram is to "
                    "be given too, as in `-- -D{}=…`",
                    name, name));
  }
  return import;
}

}  // namespace hone::cli
