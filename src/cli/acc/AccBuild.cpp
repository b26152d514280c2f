#include "cli/acc/AccBuild.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/acc/AccExplain.h"
#include "cli/acc/AccLink.h"
#include "cli/acc/AccSource.h"
#include "cli/acc/AccTools.h"
#include "cli/programs/RunTool.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

fs::path runtimeFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder :
       {program.parent_path().parent_path() / "lib", program.parent_path().parent_path() / "lib" / "hone"})
    if (fs::exists(folder / "libhone_accrt.a", error)) return folder;
  throw Error("hone's runtime of OpenACC (libhone_accrt.a) is not beside this hone; build it with `make`");
}

// What a question to the compiler about itself is answered with: its own answer.
int ask(const AccRequest& request) {
  std::vector<std::string> words{hostCompiler(), "-Qunused-arguments"};
  for (const std::string& word : request.words)
    if (!word.starts_with("-fopenacc") && !word.starts_with("-foffload") && !word.starts_with("-acc"))
      words.push_back(word);
  // Of what a file sees.
  if (request.phase == AccPhase::Preprocess) words.emplace_back(accMacro);
  const bool hasLanguage = std::any_of(request.inputs.begin(), request.inputs.end(),
                                       [](const AccInput& one) { return one.language == "c"; });
  if (hasLanguage) words.insert(words.begin() + 1, {"-x", "c"});
  return runVisibly(words, false);
}

// What an output is called that -o does not name.
std::string outputOf(const AccInput& input, const AccRequest& request, const char* ending) {
  if (!request.output.empty()) return request.output;
  return fs::path(input.path).stem().string() + ending;
}

class AccBuilder {
 public:
  explicit AccBuilder(const AccRequest& r) : request(r) {}

  int run() {
    for (size_t k = 0; k < request.inputs.size(); ++k) {
      const AccInput& input = request.inputs[k];
      if (!input.isSource) continue;
      const fs::path folder = scratch.folder / fmt::format("part{}", k);
      fs::create_directory(folder);
      if (const int status = one(input, folder, k)) return status;
    }
    return request.phase == AccPhase::Link ? link() : 0;
  }

 private:
  const AccRequest& request;
  Scratch scratch;
  std::map<size_t, std::string> objects;  // by input

  std::string placeOf(const AccInput& input, const fs::path& folder, size_t number) {
    if (request.phase == AccPhase::Assembly) return outputOf(input, request, ".s");
    if (request.phase == AccPhase::Object) return outputOf(input, request, ".o");
    return objects[number] = (folder / (fs::path(input.path).stem().string() + ".o")).string();
  }

  int one(const AccInput& input, const fs::path& folder, size_t number) {
    if (request.phase == AccPhase::Preprocess) return preprocess(input);
    std::optional<AccSource> source;
    if (!input.isPlain) source = readAccSource(input, request, folder);
    if (source && source->hasErrors()) {
      printAccProblems(*source);
      return 1;
    }
    if (request.phase == AccPhase::Check) {
      if (source) printAccProblems(*source);
      return plain(input, {"-fsyntax-only"}, "");
    }
    const std::string output = placeOf(input, folder, number);
    if (!source || !source->hasConstructs())
      return plain(input, {request.phase == AccPhase::Assembly ? "-S" : "-c"}, output);
    const int status = compileAccSource(*source, request, output, folder);
    printAccProblems(*source);
    return status > 1 ? 1 : status;
  }

  // Compiled as it is.
  int plain(const AccInput& input, std::vector<std::string> more, const std::string& output) {
    std::vector<std::string> words = accCompiler(request, input.language);
    words.insert(words.end(), request.dependencyFlags.begin(), request.dependencyFlags.end());
    if (!request.dependencyFlags.empty() && request.phase == AccPhase::Link) addRules(words);
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(input.path);
    if (!output.empty()) words.insert(words.end(), {"-o", output});
    return runVisibly(words, request.isVerbose) ? 1 : 0;
  }

  // Of what is compiled and linked at once: beside the program, not beside the object that nobody sees.
  void addRules(std::vector<std::string>& words) const {
    for (const std::string& word : request.dependencyFlags)
      if (word.starts_with("-MF")) return;
    const std::string program = request.output.empty() ? "a.out" : request.output;
    words.insert(words.end(), {"-MF", fs::path(program).replace_extension(".d").string(), "-MQ", program});
  }

  int preprocess(const AccInput& input) {
    std::vector<std::string> words = accCompiler(request, input.language);
    words.insert(words.end(), request.dependencyFlags.begin(), request.dependencyFlags.end());
    const bool isRules = std::any_of(request.compileFlags.begin(), request.compileFlags.end(),
                                     [](const std::string& one) { return one == "-M" || one == "-MM"; });
    if (!isRules) words.emplace_back("-E");
    words.push_back(input.path);
    if (!request.output.empty()) words.insert(words.end(), {"-o", request.output});
    return runVisibly(words, request.isVerbose) ? 1 : 0;
  }

  int link() {
    const fs::path libraries = runtimeFolder();
    const std::string output = request.output.empty() ? "a.out" : request.output;
    std::vector<std::string> words{hostCompiler(), "-Qunused-arguments", "-fuse-ld=lld"};
    words.insert(words.end(), request.commonFlags.begin(), request.commonFlags.end());
    words.insert(words.end(), request.linkFlags.begin(), request.linkFlags.end());
    if (request.isShared) words.emplace_back("-shared");
    std::vector<std::string> inputs;
    for (size_t k = 0; k < request.inputs.size(); ++k)
      inputs.push_back(request.inputs[k].isSource ? objects.at(k) : request.inputs[k].path);
    words.insert(words.end(), inputs.begin(), inputs.end());
    if (const std::string linked = linkAcc(request, inputs, scratch.folder); !linked.empty())
      words.push_back(linked);
    // A shared library has no runtime of its own, so that it and the program have one device.
    if (!request.isShared)
      for (const char* name : {"accrt", "cudart", "sim", "target", "capture", "ir"})
        words.push_back((libraries / fmt::format("libhone_{}.a", name)).string());
    if (!request.isShared) words.insert(words.end(), {"-Wl,--as-needed", "-lfmt", "-lpthread", "-ldl"});
    words.insert(words.end(), {"-lm", "-o", output});
    return runVisibly(words, request.isVerbose) ? 1 : 0;
  }
};

}  // namespace

int buildAcc(const AccRequest& request) {
  if (request.isQuery) return ask(request);
  if (request.explains) return explainAcc(request);
  return AccBuilder(request).run();
}

}  // namespace hone::cli
