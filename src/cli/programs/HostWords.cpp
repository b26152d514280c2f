#include "cli/programs/HostWords.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "cli/programs/MakeRules.h"

namespace hone::cli {

namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool beginsWithOneOf(std::string_view word, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view one) { return word.starts_with(one); });
}

// What the text means, to kernels too.
bool isForText(std::string_view word) {
  return beginsWithOneOf(word,
                         {"-I", "-D", "-U", "-O", "-std=", "-fmacro-prefix-map=", "-ffile-prefix-map="}) ||
         isOneOf(word,
                 {"-funsigned-char", "-fsigned-char", "-fno-exceptions", "-fms-extensions", "-fshort-enums"});
}

// How the host's code is made. What may change values of floating point is not among them.
bool isForHostCode(std::string_view word) {
  return isOneOf(word, {"-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-rtti", "-fomit-frame-pointer",
                        "-fno-omit-frame-pointer", "-ffunction-sections", "-fdata-sections", "-pthread"}) ||
         beginsWithOneOf(word,
                         {"-g", "-fvisibility", "-fdebug-prefix-map=", "-finput-charset=", "-ftemplate-depth",
                          "-march=", "-mtune=", "-mcpu=", "-msse", "-mavx", "-mfma", "-mbmi", "-mf16c"});
}

// Warnings and speed of the compiler. The host's side runs on one thread (runtime/cuda/HostOpenMP.cpp).
bool saysNothing(std::string_view word) {
  return isOneOf(word, {"-w", "-pedantic", "-pipe", "-m64", "-fopenmp", "-fno-strict-aliasing", "-fwrapv"}) ||
         (word.starts_with("-W") && !beginsWithOneOf(word, {"-Wl,", "-Wa,", "-Wp,"})) ||
         beginsWithOneOf(word, {"-fdiagnostics-", "-fmax-errors="});
}

// The vendor's own libraries are ours or missing; the linker says which of their functions the program wants.
bool isOurLibrary(std::string_view name) {
  return isOneOf(name, {"cudart", "cudart_static", "cuda", "cudadevrt", "cublas", "cublas_static", "curand",
                        "curand_static", "rt", "culibos", "gomp", "omp", "nvptxcompiler_static"});
}

}  // namespace

void addLibrary(BuildRequest& request, const std::string& name) {
  if (name.starts_with("nvrtc"))
    request.namesHone = true;
  else if (!isOurLibrary(name))
    request.linkFlags.push_back("-l" + name);
}

bool addDependencyWord(BuildRequest& request, const std::string& name, const std::string& value) {
  DependencyRequest& rules = request.dependencies;
  if (name == "-M" || name == "-MM" || name == "-MD" || name == "-MMD") {
    if (name == "-M" || name == "-MM")
      request.phase = std::max(request.phase, BuildPhase::Dependencies);
    else
      rules.isWrittenBeside = true;
    rules.hasSystemHeaders &= name == "-M" || name == "-MD";
  } else if (name == "-MP") {
    rules.hasPhonyTargets = true;
  } else if (name == "-MF") {
    rules.file = value;
  } else if (name == "-MT" || name == "-MQ") {
    rules.target += (rules.target.empty() ? "" : " ") + (name == "-MT" ? value : inMakeRule(value));
  } else {
    return false;
  }
  return true;
}

std::vector<std::string> addHostWords(BuildRequest& request, const std::vector<std::string>& words) {
  std::vector<std::string> unknown;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool hasNext = i + 1 < words.size();
    if (isOneOf(word, {"-I", "-D", "-U", "-iquote", "-isystem", "-idirafter", "-include", "-imacros"}) &&
        hasNext) {
      if (word.size() == 2)
        request.flags.push_back(word + words[i + 1]);
      else
        request.flags.insert(request.flags.end(), {word, words[i + 1]});
      ++i;
    } else if (isForText(word)) {
      request.flags.push_back(word);
    } else if (isForHostCode(word)) {
      request.hostFlags.push_back(word);
    } else if (word.starts_with("-l")) {
      addLibrary(request, word.substr(2));
    } else if (beginsWithOneOf(word, {"-Wl,", "-L"}) || word == "-rdynamic") {
      request.linkFlags.push_back(word);
    } else if (word == "-Xlinker" && hasNext) {
      request.linkFlags.insert(request.linkFlags.end(), {word, words[++i]});
    } else if (word == "-pg") {
      request.hostFlags.push_back(word);
      request.linkFlags.push_back(word);
    } else if (const bool takesValue = isOneOf(word, {"-MF", "-MT", "-MQ"});
               (!takesValue || hasNext) &&
               addDependencyWord(request, word, takesValue ? words[i + 1] : std::string())) {
      i += takesValue;
    } else if (!saysNothing(word)) {
      unknown.push_back(word);
    }
  }
  return unknown;
}

}  // namespace hone::cli
