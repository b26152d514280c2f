// What hone build and hone run make of nvcc's command line.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include "cli/programs/BuildProgram.h"
#include "cli/programs/HostWords.h"
#include "cli/programs/NvccWords.h"
#include "ir/Error.h"

namespace hone::cli {

namespace {

// What nvcc would write or print, and hone has nothing like; with what to do.
const char* whyRefused(std::string_view name, std::string_view value) {
  static const std::map<std::string_view, const char*> reasons{
      {"-cuda", "there is no C++ text between the source and the object; -E gives the preprocessed source"},
      {"-optix-ir", "kernels become hone's byte code; -ptx, -cubin and -fatbin write that"},
      {"-ltoir", "kernels become hone's byte code; -ptx, -cubin and -fatbin write that"},
      {"-r", "objects are not linked into one object; give all of them to the last link, or -lib"},
      {"-aug-hls", "there are no linker scripts; leave it out"},
      {"-m32", "programs are 64-bit; leave it out"},
      {"-dryrun", "commands are not listed without being run; -v prints them as they run"},
      {"-clean", "nothing is removed; remove the outputs yourself"},
      {"-code-ls", "device code is for no architecture; `hone targets` lists the GPUs that programs can see"},
      {"-arch-ls", "device code is for no architecture; `hone targets` lists the GPUs that programs can see"},
  };
  if (name == "-hls" && value == "gen-lcs") return reasons.at("-aug-hls");
  if (name == "-m" && value == "32") return reasons.at("-m32");
  const auto known = reasons.find(name);
  return known == reasons.end() ? nullptr : known->second;
}

// Of what nvcc would do beside its output, why it is not done.
const char* whySkipped(std::string_view name) {
  static const std::map<std::string_view, const char*> reasons{
      {"-keep", "files between source and object are not kept"},
      {"-keep-dir", "files between source and object are not kept"},
      {"-save-temps", "files between source and object are not kept"},
      {"-time", "no times of phases are written"},
      {"-fdevice-time-trace", "no times of phases are written"},
      {"-fdevice-syntax-only", "device code is compiled, too"},
      {"-sanitize", "every access of a kernel is checked as it runs"},
      {"-hls", "there are no linker scripts"},
      {"-res-usage", "byte code has no registers; `hone profile` estimates them"},
      {"-opt-info", "byte code is not optimized"},
      {"-e", "all kernels are compiled"},
  };
  const auto known = reasons.find(name);
  return known == reasons.end() ? nullptr : known->second;
}

void reach(BuildRequest& request, BuildPhase phase) { request.phase = std::max(request.phase, phase); }

bool addPhase(BuildRequest& request, const NvccWord& word) {
  const std::string& name = word.name;
  if (name == "-c" || name == "-dc" || name == "-dw") {
    reach(request, BuildPhase::Object);
    if (name != "-c") request.linksDevice = name == "-dc";
  } else if (name == "-dlink") {
    reach(request, BuildPhase::DeviceLink);
  } else if (name == "-lib") {
    reach(request, BuildPhase::Archive);
  } else if (name == "-fatbin" || name == "-cubin" || name == "-ptx") {
    reach(request, BuildPhase::Bundle);
    request.bundleEnding = "." + name.substr(1);
  } else if (name == "-E") {
    reach(request, BuildPhase::Preprocess);
  } else if (name == "-rdc") {
    request.linksDevice = word.value == "true";
  } else if (name == "-shared") {
    request.isSharedLibrary = true;
  } else if (name == "-run") {
    request.isRun = true;
  } else {
    return false;
  }
  return true;
}

bool addNames(BuildRequest& request, const NvccWord& word) {
  const std::string& name = word.name;
  const std::vector<std::string> parts = partsOfList(word.value);
  if (name == "-o")
    request.output = word.value;
  else if (name == "-odir")
    request.outputFolder = word.value;
  else if (name == "-arbin")
    request.archiver = word.value;
  else if (name == "-Xarchive")
    request.archiveFlags.insert(request.archiveFlags.end(), parts.begin(), parts.end());
  else if (name == "-run-args")
    request.runArguments.insert(request.runArguments.end(), parts.begin(), parts.end());
  else if (name == "-v")
    request.verbose = true;
  else
    return addDependencyWord(request, name, word.value);
  return true;
}

// nvcc divides -DA=1,B=2; what would not be macros any more, as in -DSUM(a,b)=a+b, is left in one.
std::vector<std::string> macrosIn(const std::string& value) {
  std::vector<std::string> parts = partsOfList(value);
  const auto isMacro = [](const std::string& part) {
    const size_t end = std::min(part.find('='), part.size());
    return end > 0 && !std::isdigit(static_cast<unsigned char>(part[0])) &&
           std::all_of(part.begin(), part.begin() + std::ptrdiff_t(end),
                       [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  };
  if (std::all_of(parts.begin(), parts.end(), isMacro)) return parts;
  return {value};
}

bool addForCompiler(BuildRequest& request, const NvccWord& word) {
  const std::string& name = word.name;
  const auto add = [&](std::initializer_list<std::string> words) {
    request.flags.insert(request.flags.end(), words);
  };
  if (name == "-I")
    for (const std::string& folder : partsOfList(word.value)) add({name + folder});
  else if (name == "-D" || name == "-U")
    for (const std::string& macro : macrosIn(word.value)) add({name + macro});
  else if (name == "-include" || name == "-isystem")
    for (const std::string& file : partsOfList(word.value)) add({name, file});
  else if (name == "-x")
    add({name, word.value});
  else if (name == "-O")
    add({name + word.value});
  else if (name == "-std")
    add({"-std=" + word.value});
  else if (name == "-noeh")
    add({"-fno-exceptions"});
  else if (name == "-default-stream")  // streams themselves run alike
    word.value == "per-thread" ? add({"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}) : void();
  else if (name == "-g" || name == "-pg")
    addHostWords(request, {name});
  else if (name == "-ftemplate-depth")
    addHostWords(request, {name + "=" + word.value});
  else
    return false;
  return true;
}

bool addForLinker(BuildRequest& request, const NvccWord& word) {
  if (word.name == "-Xlinker")
    for (const std::string& one : partsOfList(word.value))
      request.linkFlags.insert(request.linkFlags.end(), {word.name, one});
  else if (word.name == "-L")
    for (const std::string& folder : partsOfList(word.value)) request.linkFlags.push_back("-L" + folder);
  else if (word.name == "-l")
    for (const std::string& library : partsOfList(word.value)) addLibrary(request, library);
  else
    return false;
  return true;
}

// Of a list for the host's compiler, which a shell would divide at blanks, too, and take out of quotes
// (PyTorch gives "'-fPIC'").
std::vector<std::string> hostWordsIn(const std::string& list) {
  std::vector<std::string> out;
  for (std::string part : partsOfList(list)) {
    if (part.size() > 1 && (part[0] == '\'' || part[0] == '"') && part.back() == part[0])
      part = part.substr(1, part.size() - 2);
    // A macro's value may have blanks; what follows these in a list of options begins with a dash.
    size_t from = 0;
    for (size_t at = 0; (at = part.find(" -", at)) != std::string::npos; from = ++at)
      if (at > from) out.push_back(part.substr(from, at - from));
    out.push_back(part.substr(from));
  }
  return out;
}

bool isObject(const std::string& name) {
  const std::string file = std::filesystem::path(name).filename().string();
  const std::string ending = std::filesystem::path(name).extension().string();
  return ending == ".o" || ending == ".obj" || ending == ".a" || ending == ".so" ||
         file.find(".so.") != std::string::npos;
}

void addInput(BuildRequest& request, const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  if (ending == ".ptx" || ending == ".cubin" || ending == ".fatbin" || ending == ".gpu")
    throw Error(fmt::format(
        "{}: hone build takes sources and objects; cuModuleLoad loads what -ptx, -cubin or -fatbin wrote",
        name));
  (isObject(name) ? request.objects : request.sources).push_back(name);
}

void checkTogether(const BuildRequest& request) {
  if (request.phase == BuildPhase::Preprocess && request.dependencies.isWrittenBeside)
    throw Error("-MD and -MMD write rules while compiling, and -E does not compile: give -M or -MM alone");
  const bool isOneOutput =
      request.phase <= BuildPhase::DeviceLink || request.phase == BuildPhase::Dependencies;
  if (!isOneOutput && !request.output.empty() && request.sources.size() > 1)
    throw Error(
        fmt::format("-o {} is one file for {} sources that have an output each: give one source, or -odir",
                    request.output, request.sources.size()));
  if (request.isRun && (request.phase != BuildPhase::Link || request.isSharedLibrary))
    throw Error("-run runs a linked program: leave out -c, -lib, -shared and the like");
}

}  // namespace

bool isWithoutEffect(const std::string& option) {
  static const std::set<std::string_view> names{
      // Machine code of GPUs. Of -ftz, -fmad and the like docs/run.md says what floating point is here.
      "-arch", "-code", "-gencode", "-maxrregcount", "-use_fast_math", "-ftz", "-prec-div", "-prec-sqrt",
      "-fmad", "-extra-device-vectorization", "-dopt", "-Ofc", "-dlto", "-lto", "-gen-opt-lto", "-G",
      "-lineinfo", "-src-in-ptx", "-restrict", "-Xptxas", "-Xnvlink", "-Xcudafe", "-Xfatbin", "-ewp",
      "-keep-device-functions", "-no-compress", "-compress-mode", "-astoolspatch", "-jtd", "-reloc-ptx",
      "-device-stack-protector", "-cudadevrt", "-ldir", "-nodlink",
      // What Clang takes anyway.
      "-expt-extended-lambda", "-extended-lambda", "-expt-relaxed-constexpr", "-nohdinitlist",
      "-nohdmoveforward", "-static-global-template-stub", "-device-entity-has-hidden-visibility", "-m64",
      "-m", "--no-align-double",
      // Warnings and how messages look.
      "-Werror", "-w", "-Wno-deprecated-gpu-targets", "-Wno-deprecated-declarations", "-Wreorder",
      "-Wext-lambda-captures-this", "-Wmissing-launch-bounds", "-Wdefault-stream-launch", "-err-no",
      "-no-err-no", "-diag-suppress", "-diag-warn", "-diag-error", "-brief-diag",
      "-ftemplate-backtrace-limit",
      // Tools that are not used, folders of the toolkit, Windows and QNX.
      "-ccbin", "-allow-unsupported-compiler", "-cudart", "-target-dir", "-noprof", "-qpp-config",
      "-use-local-env", "-force-cl-env-setup", "-forward-slash-prefix-opts", "-idp", "-ddp", "-dp",
      // How fast nvcc works, and where.
      "-t", "-split-compile", "-split-compile-extended", "-jobserver", "-objtemp", "-frandom-seed",
      // The default, and what is read before and beside the others.
      "-link", "-h", "-V", "-forward-unknown-opts", "-forward-unknown-to-host-compiler",
      "-forward-unknown-to-host-linker"};
  return names.contains(option);
}

BuildRequest readBuildWords(std::vector<std::string> words, std::vector<std::string>& notes) {
  BuildRequest request;
  const std::vector<NvccWord> read = readNvccWords(words);
  const bool forwardsToLinker = std::any_of(read.begin(), read.end(), [](const NvccWord& one) {
    return one.name == "-forward-unknown-to-host-linker";
  });
  // Those come first, as nvcc puts them, and all together: a value may be in the next list.
  std::vector<std::string> forHost;
  for (const NvccWord& word : read)
    if (word.kind == NvccWord::Kind::Option && word.name == "-Xcompiler")
      for (const std::string& one : hostWordsIn(word.value)) forHost.push_back(one);
  std::vector<std::string> unknown = addHostWords(request, forHost);
  for (const NvccWord& word : read) {
    if (word.name == "-Xcompiler") continue;
    if (word.kind == NvccWord::Kind::Input) {
      addInput(request, word.name);
    } else if (word.kind == NvccWord::Kind::Unknown) {
      for (const std::string& one : addHostWords(request, {word.name}))
        (forwardsToLinker ? request.linkFlags : unknown).push_back(one);
    } else if (const char* why = whyRefused(word.name, word.value)) {
      throw Error(fmt::format("{}: {}", word.name, why));
    } else if (const char* lack = whySkipped(word.name)) {
      notes.push_back(fmt::format("{} is skipped: {}", word.name, lack));
    } else if (!addPhase(request, word) && !addNames(request, word) && !addForCompiler(request, word) &&
               !addForLinker(request, word) && !isWithoutEffect(word.name)) {
      throw Error(fmt::format("{} has no meaning for hone build: leave it out", word.name));
    }
  }
  for (const std::string& one : unknown)
    notes.push_back(fmt::format("flag '{}' is not known here and skipped", one));
  checkTogether(request);
  return request;
}

}  // namespace hone::cli
