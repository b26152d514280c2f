#include "cli/programs/HostSide.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "cli/programs/ExplainBuild.h"
#include "cli/programs/MakeRules.h"
#include "frontend/CompilerFlags.h"
#include "frontend/ToolchainPaths.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// A toolkit's own folder comes behind hone's headers: those are what the program is linked with.
std::vector<std::string> toolkitsLast(const std::vector<std::string>& flags) {
  std::vector<std::string> out, last;
  for (size_t k = 0; k < flags.size(); ++k) {
    const bool isPair = flags[k] == "-isystem" && k + 1 < flags.size();
    const std::string folder = isPair ? flags[k + 1] : flags[k].starts_with("-I") ? flags[k].substr(2) : "";
    if (!folder.empty() && frontend::isCudaIncludeDirectory(folder)) {
      last.insert(last.end(), {"-idirafter", folder});
      k += isPair;
    } else {
      out.push_back(flags[k]);
    }
  }
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

// What hone_cuda.h says where it is read as C.
constexpr const char* kHeadersAreCpp = "the headers of CUDA are C++ here";

// Absolute names as flags are read, and what the user wrote for them.
using SpelledFolders = std::vector<std::pair<std::string, std::string>>;

SpelledFolders spelledFolders(const std::vector<std::string>& flags) {
  SpelledFolders out;
  const auto add = [&](const std::string& given) {
    std::error_code ignored;
    std::string name = (fs::current_path(ignored) / given).lexically_normal().string();
    if (name.size() > 1 && name.ends_with('/')) name.pop_back();
    out.emplace_back(name, fs::path(given).lexically_normal().string());
    if (out.back().second.ends_with('/')) out.back().second.pop_back();
  };
  for (size_t k = 0; k < flags.size(); ++k)
    if (flags[k].starts_with("-I") && flags[k].size() > 2)
      add(flags[k].substr(2));
    else if (k + 1 < flags.size() && (flags[k] == "-isystem" || flags[k] == "-iquote" ||
                                      flags[k] == "-idirafter" || flags[k] == "-include"))
      add(flags[++k]);
  return out;
}

std::string asGiven(const std::string& file, const SpelledFolders& names) {
  std::string best = file;
  size_t most = 0;
  for (const auto& [name, given] : names) {
    if (file == name) return given;
    if (name.size() <= most || !file.starts_with(name + "/")) continue;
    most = name.size();
    best = given == "." ? file.substr(most + 1) : given + file.substr(most);
  }
  return best;
}

// Compiles after headers that were read before, where there are such and they serve.
Ran compileQuickly(const HostCompiler& compiler, const std::vector<std::string>& more,
                   const fs::path& scratch, bool verbose) {
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), more.begin(), more.end());
    return runTool(words, scratch, verbose);
  };
  const std::string precompiled = precompiledHeaders(compiler, [&](const std::vector<std::string>& words) {
    return runTool(words, scratch, verbose).status == 0;
  });
  if (!precompiled.empty()) {
    const Ran ran = run(compiler.afterReading(precompiled));
    if (ran.status == 0) return ran;
    // The program's fault, or that of headers that changed since.
    std::error_code ignored;
    fs::remove(precompiled, ignored);
  }
  return run(compiler.including());
}

}  // namespace

HostSide::HostSide(const std::string& given, const BuildRequest& asked, const fs::path& folder)
    : source(given), request(asked), scratch(folder) {
  const std::string ours = frontend::honeIncludeDirectory();
  const frontend::CompilerFlags read = frontend::readFlags(request.flags, "");
  const std::string ending = fs::path(source).extension().string();
  cuda = read.language.empty() ? ending == ".cu" : read.language == "cuda";
  isC = read.language.empty() ? ending == ".c" : read.language == "c";
  std::string level = "-O2";
  for (const std::string& f : request.flags)
    if (f.size() == 3 && f.starts_with("-O")) level = f;
  asCpp.words = {hostCompiler()};
  if (cuda) {
    // Which launch functions Clang calls follows from the toolkit it finds: without one, from the oldest.
    asCpp.words.insert(asCpp.words.end(), {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                                           "--no-cuda-version-check", "-Xclang", "-target-sdk-version=12.8"});
    asCpp.headers = {ours + "/hone_cuda.h", ours + "/hone_cuda/host.h"};
  }
  asC = asCpp;
  if (!cuda && (isC || read.language == "c++")) asCpp.words.insert(asCpp.words.end(), {"-x", "c++"});
  const bool isForC = read.standard.find("++") == std::string::npos;
  asC.words.insert(asC.words.end(), {"-x", "c"});
  if (isForC && !read.standard.empty()) asC.words.push_back("-std=" + read.standard);
  asCpp.words.push_back("-std=" + (isForC ? "c++17" : read.standard));
  // nvcc's host compiler takes what is an error for Clang by default: `register`, narrowing in braces.
  for (HostCompiler* one : {&asCpp, &asC}) {
    one->words.insert(one->words.end(), {level, "-g1", "-Wno-everything", "-fsigned-char", "-D__NVCC__=1"});
    const std::vector<std::string> flags = toolkitsLast(read.forClang);
    one->words.insert(one->words.end(), flags.begin(), flags.end());
    one->words.insert(one->words.end(), request.hostFlags.begin(), request.hostFlags.end());
    if (request.isSharedLibrary) one->words.emplace_back("-fPIC");
    one->words.insert(one->words.end(),
                      {"-isystem", ours + "/cuda_stub", "-idirafter", ours + "/cuda_removed", "-idirafter",
                       ours, "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"});
  }
}

void HostSide::run(const std::function<Ran(const HostCompiler&)>& with, std::vector<std::string>* notes) {
  Ran ran = with(isC ? asC : asCpp);
  if (isC && ran.status && ran.output.find(kHeadersAreCpp) != std::string::npos) {
    if (notes)
      notes->push_back(source + ": uses CUDA's runtime, which hone has for C++ only; compiled as C++");
    ran = with(asCpp);
  }
  if (ran.status)
    throw Error(fmt::format("{}: the host side does not compile: {}", source, explainCompile(ran.output)), 1);
}

std::vector<std::string> HostSide::compile(const std::vector<std::string>& more, const std::string& object,
                                           std::vector<std::string>& notes) {
  const std::string rule = (scratch / "compiled.d").string();
  std::vector<std::string> words = more;
  words.insert(words.end(), {"-MD", "-MF", rule, "-c", source, "-o", object});
  run([&](const HostCompiler& compiler) { return compileQuickly(compiler, words, scratch, request.verbose); },
      &notes);
  return prerequisitesIn(rule);
}

std::string HostSide::preprocess() {
  const std::string file = (scratch / "preprocessed").string();
  run(
      [&](const HostCompiler& compiler) {
        std::vector<std::string> words = compiler.including();
        words.insert(words.end(), {"-E", source, "-o", file});
        return runTool(words, scratch, request.verbose);
      },
      nullptr);
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> HostSide::filesRead(bool withSystemHeaders) {
  const std::string rule = (scratch / "read.d").string();
  const SpelledFolders names = spelledFolders(request.flags);
  const std::string ours = frontend::honeIncludeDirectory() + "/";
  std::vector<std::string> out;
  // nvcc lists what the device's side reads; here files of either side are read.
  for (const bool forDevice : {false, true}) {
    if (forDevice && !cuda) continue;
    run(
        [&](const HostCompiler& compiler) {
          std::vector<std::string> words = compiler.including();
          if (forDevice) words.emplace_back("-D__CUDA_ARCH__=900");
          words.insert(words.end(), {withSystemHeaders ? "-M" : "-MM", "-MF", rule, source});
          return runTool(words, scratch, request.verbose);
        },
        nullptr);
    for (const std::string& file : prerequisitesIn(rule)) {
      const std::string name = asGiven(file, names);
      if (!file.starts_with(ours) && std::find(out.begin(), out.end(), name) == out.end())
        out.push_back(name);
    }
  }
  return out;
}

}  // namespace hone::cli
