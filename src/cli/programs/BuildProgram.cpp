#include "cli/programs/BuildProgram.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "cli/inputs/Inputs.h"
#include "cli/programs/DeviceKernels.h"
#include "cli/programs/DeviceLink.h"
#include "cli/programs/ExplainBuild.h"
#include "cli/programs/HostSide.h"
#include "cli/programs/MakeRules.h"
#include "cli/programs/RunTool.h"
#include "ir/Error.h"
#include "sim/bytecode/BundleText.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// The kernels of one file, or what is needed to link them with those of others.
sim::Bundle bundleOf(const std::string& source, const BuildRequest& request, std::vector<DeviceUnit>& units,
                     std::vector<std::string>& notes) {
  if (request.linksDevice) return units.emplace_back(deviceUnit(source, request)).bundle;
  sim::Bundle bundle;
  bundle.source = source;
  bundle.kernels = bundleKernels(importKernels(source, request.flags, false), notes);
  return bundle;
}

void writeBytes(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!out.flush()) throw Error("cannot write " + path, 1);
}

// Where what is made of a source alone goes.
std::string outputOf(const std::string& source, const BuildRequest& request, const std::string& ending) {
  if (!request.output.empty() && request.sources.size() == 1) return request.output;
  return (fs::path(request.outputFolder) / (fs::path(source).stem().string() + ending)).string();
}

// What cuModuleLoad takes in place of machine code.
BuildResult buildBundles(const BuildRequest& request) {
  BuildResult result;
  std::vector<DeviceUnit> none;
  BuildRequest alone = request;
  alone.linksDevice = false;  // such a file is loaded by itself
  for (const std::string& source : request.sources) {
    const std::string output = outputOf(source, request, request.bundleEnding);
    const sim::Bundle bundle = bundleOf(source, alone, none, result.notes);
    std::vector<uint8_t> bytes;
    if (request.bundleEnding == ".ptx") {
      const std::string text = sim::bundleText(bundle, "sm_90");
      bytes.assign(text.begin(), text.end());
    } else {
      bytes = sim::writeBundle(bundle);
    }
    writeBytes(output, bytes);
  }
  return result;
}

// An object with the path of this hone, as runtime/cuda/nvrtc looks for it.
std::string pathOfHone(const fs::path& folder) {
  std::error_code error;
  std::string escaped;
  for (const char c : fs::read_symlink("/proc/self/exe", error).string()) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  const std::string file = (folder / "hone.s").string();
  std::ofstream(file) << ".section .rodata\n.globl hone_executable\nhone_executable: .asciz \"" << escaped
                      << "\"\n.section .note.GNU-stack,\"\",@progbits\n";
  return file;
}

fs::path libraryFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder :
       {program.parent_path().parent_path() / "lib", program.parent_path().parent_path() / "lib" / "hone"})
    if (fs::exists(folder / "libhone_cudart.a", error)) return folder;
  throw Error("hone's CUDA runtime (libhone_cudart.a) is not beside this hone; build it with `make`");
}

// Texts for stdout, or for the file that -o names.
BuildResult deliver(const BuildRequest& request, const std::string& text) {
  BuildResult result;
  if (request.output.empty())
    result.printed = text;
  else
    writeBytes(request.output, {text.begin(), text.end()});
  return result;
}

// The rules that -M or -MD ask for, by the file that they go to; "" is that of -M without -MF.
std::map<std::string, std::string> rulesOf(const BuildRequest& request, const fs::path& scratch) {
  const DependencyRequest& asked = request.dependencies;
  const bool isAlone = request.phase == BuildPhase::Dependencies;
  std::map<std::string, std::string> out;
  if (!isAlone && !asked.isWrittenBeside) return out;
  for (const std::string& source : request.sources) {
    const std::string ending = request.phase == BuildPhase::Bundle ? request.bundleEnding : ".o";
    const bool isNamed = !isAlone && !request.output.empty();
    const std::string output =
        isNamed ? request.output
                : (fs::path(request.outputFolder) / (fs::path(source).stem().string() + ending)).string();
    const std::string target =
        asked.target.empty() ? inMakeRule(output) : (fs::path(request.outputFolder) / asked.target).string();
    std::string file = asked.file;
    if (file.empty() && !isAlone) file = fs::path(output).replace_extension(".d").string();
    out[file] += makeRule(target, HostSide(source, request, scratch).filesRead(asked.hasSystemHeaders),
                          asked.hasPhonyTargets);
  }
  return out;
}

void archive(const BuildRequest& request, const std::vector<std::string>& objects, const fs::path& scratch) {
  std::error_code ignored;
  fs::remove(request.output, ignored);  // as nvcc: nothing is added to an archive that is there
  std::vector<std::string> words{request.archiver, "cr"};
  words.insert(words.end(), request.archiveFlags.begin(), request.archiveFlags.end());
  words.push_back(request.output);
  words.insert(words.end(), objects.begin(), objects.end());
  words.insert(words.end(), request.objects.begin(), request.objects.end());
  const Ran ran = runTool(words, scratch, request.verbose);
  if (ran.status) throw Error(fmt::format("{} makes no archive: {}", request.archiver, ran.output), 1);
}

// Links what was compiled. A shared library has no runtime of its own, so that it and the program have one
// device: the program brings it.
void link(const BuildRequest& request, const std::vector<std::string>& objects, const fs::path& scratch,
          BuildResult& result) {
  const fs::path libraries = libraryFolder();
  std::vector<std::string> words{hostCompiler(), "-fuse-ld=lld", "-o", request.output};
  if (request.isSharedLibrary) words.emplace_back("-shared");
  words.insert(words.end(), objects.begin(), objects.end());
  words.insert(words.end(), request.objects.begin(), request.objects.end());
  if (!request.isSharedLibrary)
    for (const char* name : {"cudart", "sim", "target", "capture", "ir"}) {
      words.push_back((libraries / fmt::format("libhone_{}.a", name)).string());
      result.dependencies.push_back(words.back());
    }
  words.insert(words.end(), request.linkFlags.begin(), request.linkFlags.end());
  if (!request.isSharedLibrary) words.emplace_back("-lfmt");
  words.insert(words.end(), {"-lpthread", "-ldl", "-lm"});
  const Ran ran = runTool(words, scratch, request.verbose);
  if (ran.status)
    throw Error(
        (request.isSharedLibrary ? "the shared library does not link: " : "the program does not link: ") +
            explainLink(ran.output),
        1);
  result.output = request.output;
}

std::string usualOutput(const BuildRequest& request) {
  const fs::path folder = request.outputFolder;
  if (request.phase == BuildPhase::DeviceLink) return (folder / "a_dlink.o").string();
  return (folder / (request.phase == BuildPhase::Archive ? "a.a" : "a.out")).string();
}

// Compiles all sources; returns the objects.
std::vector<std::string> compileSources(const BuildRequest& request, const fs::path& scratch,
                                        std::vector<DeviceUnit>& units, BuildResult& result) {
  std::vector<std::string> objects;
  for (size_t k = 0; k < request.sources.size(); ++k) {
    const std::string& source = request.sources[k];
    HostSide host(source, request, scratch);
    std::vector<std::string> more;
    if (host.isCuda()) {
      const std::string bundle = (scratch / fmt::format("kernels{}.bin", k)).string();
      writeBytes(bundle, sim::writeBundle(bundleOf(source, request, units, result.notes)));
      more = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", bundle};
      if (request.linksDevice) {  // Clang leaves the bundle out where no kernel or variable is registered
        const std::string header = (scratch / fmt::format("bundle{}.h", k)).string();
        std::ofstream(header) << "__asm__(\".pushsection .hone_device,\\\"\\\",@progbits\\n.incbin \\\""
                              << bundle << "\\\"\\n.popsection\");\n";
        more.insert(more.end(), {"-include", header});
      }
    }
    std::string object = outputOf(source, request, ".o");
    if (request.phase != BuildPhase::Object) {
      // Members of an archive have names that people know.
      const fs::path folder = scratch / fmt::format("part{}", k);
      fs::create_directory(folder);
      object = (folder / (fs::path(source).stem().string() + ".o")).string();
    }
    for (const std::string& file : host.compile(more, object, result.notes)) {
      std::error_code ignored;
      if (!file.starts_with(scratch.string()))
        result.dependencies.push_back(fs::absolute(file, ignored).string());
    }
    objects.push_back(object);
  }
  return objects;
}

}  // namespace

BuildResult buildProgram(const BuildRequest& given) {
  BuildRequest request = given;
  if (request.sources.empty() && request.objects.empty()) throw Error("no source files given");
  for (const std::string& s : request.sources) checkInput(s);
  Scratch scratch;
  if (request.phase == BuildPhase::Preprocess) {
    std::string text;
    for (const std::string& s : request.sources) text += HostSide(s, request, scratch.folder).preprocess();
    return deliver(request, text);
  }
  std::map<std::string, std::string> rules = rulesOf(request, scratch.folder);
  const auto writeRules = [&] {
    for (const auto& [file, text] : rules) writeBytes(file, {text.begin(), text.end()});
  };
  if (request.phase == BuildPhase::Dependencies) {
    if (request.dependencies.file.empty()) return deliver(request, rules[""]);
    writeRules();
    return {};
  }
  if (request.phase == BuildPhase::Bundle) {
    BuildResult result = buildBundles(request);
    writeRules();
    return result;
  }
  BuildResult result;
  std::vector<DeviceUnit> units;  // to be linked
  std::vector<std::string> objects = compileSources(request, scratch.folder, units, result);
  writeRules();
  if (request.phase == BuildPhase::Object) return result;
  if (request.output.empty()) request.output = usualOutput(request);
  if (request.phase == BuildPhase::Archive) {
    archive(request, objects, scratch.folder);
    return result;
  }
  for (DeviceUnit& unit : findDeviceUnits(request))
    if (unit.bundle.link.flags.empty() || unit.bundle.link.flags.front() != unitOfAcc)
      units.push_back(std::move(unit));
  const bool isDeviceLink = request.phase == BuildPhase::DeviceLink;
  std::string linked;
  if (!units.empty() || isDeviceLink)
    linked = linkDevice(std::move(units), scratch.folder, request.verbose, result.notes);
  if (isDeviceLink) {
    std::error_code error;
    fs::copy_file(linked, request.output, fs::copy_options::overwrite_existing, error);
    if (error) throw Error(fmt::format("cannot write {}: {}", request.output, error.message()), 1);
    return result;
  }
  if (!linked.empty()) objects.push_back(linked);
  if (request.namesHone && !request.isSharedLibrary) objects.push_back(pathOfHone(scratch.folder));
  link(request, objects, scratch.folder, result);
  for (const std::string& o : request.objects) {
    std::error_code ignored;
    result.dependencies.push_back(fs::absolute(o, ignored).string());
  }
  return result;
}

}  // namespace hone::cli
