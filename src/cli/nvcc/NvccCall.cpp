#include "cli/nvcc/NvccCall.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "cli/programs/NvccWords.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// Phases and modes in which no CUDA source is compiled, or more happens than that.
bool leavesSources(const std::string& name) {
  static const std::set<std::string> names{"-E", "-M", "-MM",  "-dlink",  "-lib",
                                           "-V", "-h", "-run", "-dryrun", "-clean"};
  return names.contains(name);
}

bool isSourceOfHost(const std::string& ending) {
  static const std::set<std::string> endings{".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
  return endings.contains(ending);
}

// The numbers of sm_90a, compute_80, lto_75 in a list; 90 alone counts too.
void addArchitectures(NvccCall& call, const std::string& list) {
  std::string word;
  for (const char c : list + ",") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-') {
      word += c;
      continue;
    }
    const size_t digits = word.find_first_of("0123456789");
    const std::string kind = word.substr(0, digits);
    if (digits != std::string::npos &&
        (kind == "sm_" || kind == "compute_" || kind == "lto_" || kind.empty()))
      call.architectures.push_back(static_cast<int>(std::strtol(word.c_str() + digits, nullptr, 10)));
    else if (word == "native" || word.starts_with("all"))
      call.hasOpenArchitecture = true;
    word.clear();
  }
}

// -MF among what goes to the host's compiler.
void addHostDependencies(NvccCall& call, const std::string& list) {
  std::istringstream parts(list);
  for (std::string one; std::getline(parts, one, ',');) {
    if (one == "-MF" && std::getline(parts, one, ',')) call.dependencyFiles.push_back(one);
    if (one == "-MD" || one == "-MMD") call.writesDependencies = true;
  }
}

// A word for the host's compiler by which other headers may be found than by the same words of nvcc's.
std::string changesOrderOfHeaders(const std::string& value) {
  for (size_t from = 0; from <= value.size();) {
    const size_t to = std::min(value.find(',', from), value.size());
    const std::string one = value.substr(from, to - from);
    for (const char* option : {"-isystem", "-idirafter", "-iprefix", "-iwithprefix", "-isysroot", "--sysroot",
                               "-nostdinc", "-imultilib", "-B", "-I-"})
      if (one.starts_with(option)) return one;
    from = to + 1;
  }
  return "";
}

}  // namespace

NvccCall readNvccCall(std::vector<std::string> words) {
  NvccCall call;
  std::vector<NvccWord> read;
  try {
    read = readNvccWords(words);
  } catch (const Error& error) {
    call.whyNot = error.what();
    return call;
  }
  call.words = std::move(words);
  std::string language;
  for (const NvccWord& word : read) {
    if (word.kind == NvccWord::Kind::Input) continue;
    for (size_t i = word.first; i < word.first + word.count; ++i) call.flags.push_back(call.words[i]);
    const std::string& name = word.name;
    if (leavesSources(name))
      call.whyNot = name + " is given";
    else if (name == "-D" && (word.value == "HONE_OFF" || word.value.starts_with("HONE_OFF=")))
      call.whyNot = "HONE_OFF is defined";
    else if (name == "-x")
      language = word.value;
    else if (name == "-arch" || name == "-code" || name == "-gencode")
      addArchitectures(call, word.value);
    else if (name == "-MD" || name == "-MMD")
      call.writesDependencies = true;
    else if (name == "-MF")
      call.dependencyFiles.push_back(word.value);
    else if (name == "-o")
      call.output = word.value;
    else if (name == "-odir")
      call.outputFolder = word.value;
    else if (name == "-Xcompiler") {
      addHostDependencies(call, word.value);
      if (const std::string order = changesOrderOfHeaders(word.value); !order.empty())
        call.whyNot = "-Xcompiler " + order + " is given, which nvcc puts before its own";
    }
  }
  std::sort(call.architectures.begin(), call.architectures.end());
  call.architectures.erase(std::unique(call.architectures.begin(), call.architectures.end()),
                           call.architectures.end());
  if (!call.whyNot.empty()) return call;
  for (const NvccWord& word : read) {
    if (word.kind != NvccWord::Kind::Input) continue;
    const std::string ending = fs::path(word.name).extension().string();
    std::error_code ignored;
    const bool isCuda = language == "cu" || (language.empty() && ending == ".cu");
    if (isCuda && fs::is_regular_file(word.name, ignored))
      call.sources.push_back({word.first, word.name});
    else if (!language.empty() || isSourceOfHost(ending))
      call.otherTexts.push_back(word.name);
  }
  if (call.sources.empty()) call.whyNot = "no CUDA source is compiled";
  return call;
}

std::vector<std::string> NvccCall::dependencyCandidates(const Source& source) const {
  if (!writesDependencies) return {};
  if (!dependencyFiles.empty()) return dependencyFiles;
  const fs::path base = fs::path(source.path).filename();
  std::vector<std::string> out{fs::path(base).replace_extension(".d").string()};
  if (!outputFolder.empty()) out.push_back((fs::path(outputFolder) / out.front()).string());
  if (!output.empty()) {
    out.push_back(fs::path(output).replace_extension(".d").string());
    out.push_back(output + ".d");
    if (!outputFolder.empty())
      out.push_back((fs::path(outputFolder) / fs::path(output).replace_extension(".d")).string());
  }
  return out;
}

}  // namespace hone::cli
