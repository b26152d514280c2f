#include "cli/programs/RunTimeOptions.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace hone::cli {

namespace {

enum class Takes : uint8_t { Nothing, Value };
enum class Does : uint8_t { Nothing, Flag, Architecture, Device, NoSourceFolder };

struct RunTimeOption {
  std::string_view shortName, longName;
  Takes takes;
  Does does = Does::Nothing;  // Nothing: it concerns the GPU, or what is printed
};

constexpr RunTimeOption runTimeOptions[] = {
    {"-I", "--include-path", Takes::Value, Does::Flag},
    {"-D", "--define-macro", Takes::Value, Does::Flag},
    {"-U", "--undefine-macro", Takes::Value, Does::Flag},
    {"-include", "--pre-include", Takes::Value, Does::Flag},
    {"-std", "--std", Takes::Value, Does::Flag},
    {"-use_fast_math", "--use_fast_math", Takes::Nothing, Does::Flag},
    {"-arch", "--gpu-architecture", Takes::Value, Does::Architecture},
    {"-default-device", "--device-as-default-execution-space", Takes::Nothing, Does::Device},
    {"-no-source-include", "--no-source-include", Takes::Nothing, Does::NoSourceFolder},
    // Code.
    {"-dc", "--device-c", Takes::Nothing},
    {"-dw", "--device-w", Takes::Nothing},
    {"-rdc", "--relocatable-device-code", Takes::Value},
    {"-ewp", "--extensible-whole-program", Takes::Nothing},
    {"-G", "--device-debug", Takes::Nothing},
    {"-lineinfo", "--generate-line-info", Takes::Nothing},
    {"-dopt", "--dopt", Takes::Value},
    {"-Ofc", "--Ofast-compile", Takes::Value},
    {"-Xptxas", "--ptxas-options", Takes::Value},
    {"-maxrregcount", "--maxrregcount", Takes::Value},
    {"-ftz", "--ftz", Takes::Value},
    {"-prec-sqrt", "--prec-sqrt", Takes::Value},
    {"-prec-div", "--prec-div", Takes::Value},
    {"-fmad", "--fmad", Takes::Value},
    {"-extra-device-vectorization", "--extra-device-vectorization", Takes::Nothing},
    {"-modify-stack-limit", "--modify-stack-limit", Takes::Value},
    {"-dlto", "--dlink-time-opt", Takes::Nothing},
    {"-gen-opt-lto", "--gen-opt-lto", Takes::Nothing},
    {"-optix-ir", "--optix-ir", Takes::Nothing},
    {"-jtd", "--jump-table-density", Takes::Value},
    {"-device-stack-protector", "--device-stack-protector", Takes::Value},
    {"-frandom-seed", "--frandom-seed", Takes::Value},
    // Language.
    {"-restrict", "--restrict", Takes::Nothing},
    {"-builtin-move-forward", "--builtin-move-forward", Takes::Value},
    {"-builtin-initializer-list", "--builtin-initializer-list", Takes::Value},
    {"-device-int128", "--device-int128", Takes::Nothing},
    {"-device-float128", "--device-float128", Takes::Nothing},
    // Speed of the compiler.
    {"-pch", "--pch", Takes::Nothing},
    {"-create-pch", "--create-pch", Takes::Value},
    {"-use-pch", "--use-pch", Takes::Value},
    {"-pch-dir", "--pch-dir", Takes::Value},
    {"-pch-verbose", "--pch-verbose", Takes::Value},
    {"-pch-messages", "--pch-messages", Takes::Value},
    {"-instantiate-templates-in-pch", "--instantiate-templates-in-pch", Takes::Value},
    {"-split-compile", "--split-compile", Takes::Value},
    {"-minimal", "--minimal", Takes::Nothing},
    {"-no-cache", "--no-cache", Takes::Nothing},
    // What is printed and written beside the code.
    {"-w", "--disable-warnings", Takes::Nothing},
    {"-opt-info", "--optimization-info", Takes::Value},
    {"-err-no", "--display-error-number", Takes::Nothing},
    {"-no-err-no", "--no-display-error-number", Takes::Nothing},
    {"-diag-error", "--diag-error", Takes::Value},
    {"-diag-suppress", "--diag-suppress", Takes::Value},
    {"-diag-warn", "--diag-warn", Takes::Value},
    {"-brief-diag", "--brief-diagnostics", Takes::Value},
    {"-time", "--time", Takes::Value},
    {"-fdevice-syntax-only", "--fdevice-syntax-only", Takes::Nothing},
    {"-fdevice-time-trace", "--fdevice-time-trace", Takes::Value},
    {"-version-ident", "--version-ident", Takes::Value},
};

// A name and what follows it: "-DN=4", "-D N=4", "--define-macro=N=4".
struct Word {
  const RunTimeOption* option = nullptr;
  std::string value;
  bool hasValue = false;
};

bool hasOneLetter(std::string_view name) { return name.size() == 2; }

Word readWord(const std::string& text) {
  const size_t end = std::min(text.find_first_of("= "), text.size());
  const std::string_view name = std::string_view(text).substr(0, end);
  for (const RunTimeOption& one : runTimeOptions) {
    if (name == one.shortName || name == one.longName) {
      const size_t begin = std::min(text.find_first_not_of(' ', end + (end < text.size())), text.size());
      return {&one, text.substr(begin), end < text.size() && begin < text.size()};
    }
    if (one.takes == Takes::Value && hasOneLetter(one.shortName) && text.starts_with(one.shortName))
      return {&one, text.substr(2), true};
  }
  return {};
}

bool isArchitecture(std::string_view text) {
  for (const std::string_view kind : {"compute_", "sm_", "lto_"})
    if (text.starts_with(kind)) {
      const std::string_view number = text.substr(kind.size());
      const size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
      const std::string_view rest = number.substr(digits);
      return (digits == 2 || digits == 3) && (rest.empty() || rest == "a" || rest == "f");
    }
  return false;
}

bool isStandard(std::string_view text) {
  for (const std::string_view one : {"c++03", "c++11", "c++14", "c++17", "c++20"})
    if (text == one) return true;
  return false;
}

}  // namespace

RunTimeOptions readRunTimeOptions(const std::vector<std::string>& words) {
  RunTimeOptions out;
  const auto wrong = [&](const std::string& problem) {
    out.problem = "nvrtc: error: " + problem + "\n";
    return out;
  };
  for (size_t k = 0; k < words.size(); ++k) {
    if (words[k].find_first_not_of(' ') == std::string::npos) continue;
    Word word = readWord(words[k].substr(words[k].find_first_not_of(' ')));
    if (!word.option) return wrong(fmt::format("unrecognized option {} found", words[k]));
    const RunTimeOption& option = *word.option;
    if (option.takes == Takes::Nothing && word.hasValue)
      return wrong(fmt::format("option {} takes no value", words[k]));
    if (option.takes == Takes::Value && !word.hasValue) {
      if (k + 1 == words.size()) return wrong(fmt::format("missing value for option {}", words[k]));
      word.value = words[++k];
    }
    const std::string name(option.shortName);
    const auto invalid = [&] {
      return wrong(
          fmt::format("invalid value for {} ({}): {}", option.longName, option.shortName, word.value));
    };
    switch (option.does) {
      case Does::Nothing: break;
      case Does::Device: out.isDeviceCode = true; break;
      case Does::NoSourceFolder: out.searchesSourceFolder = false; break;
      case Does::Architecture:
        if (!isArchitecture(word.value)) return invalid();
        out.architecture = word.value;
        out.flags.push_back("-arch=" + word.value);
        break;
      case Does::Flag:
        if (name == "-std" && !isStandard(word.value)) return invalid();
        if (option.takes == Takes::Nothing)
          out.flags.push_back(name);
        else if (name == "-std")
          out.flags.push_back("-std=" + word.value);
        else
          out.flags.insert(out.flags.end(), {name, word.value});
        break;
    }
  }
  return out;
}

}  // namespace hone::cli
