#include "cli/programs/BuildProgram.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/inputs/Inputs.h"
#include "cli/programs/DeviceKernels.h"
#include "cli/programs/DeviceLink.h"
#include "cli/programs/ExplainBuild.h"
#include "cli/programs/HostHeaders.h"
#include "cli/programs/RunTool.h"
#include "frontend/CompilerFlags.h"
#include "frontend/ToolchainPaths.h"
#include "ir/Error.h"
#include "sim/bytecode/BundleText.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// Compiles after headers that were read before, where there are such and they serve.
Ran compile(const HostCompiler& compiler, const std::vector<std::string>& more, const fs::path& scratch,
            bool verbose) {
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

bool isCuda(const std::string& path) { return fs::path(path).extension() == ".cu"; }

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

// What cuModuleLoad takes in place of machine code.
BuildResult buildBundles(const BuildRequest& request) {
  BuildResult result;
  std::vector<DeviceUnit> none;
  BuildRequest alone = request;
  alone.linksDevice = false;  // such a file is loaded by itself
  for (const std::string& source : request.sources) {
    const bool isNamed = request.sources.size() == 1 && !request.output.empty();
    const std::string output =
        isNamed ? request.output : fs::path(source).stem().string() + request.bundleEnding;
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

// The files after the colon of a make rule.
std::vector<std::string> readDependencies(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  std::vector<std::string> out;
  std::string word;
  const std::string all = text.str();
  const size_t colon = all.find(": ");
  for (size_t i = colon == std::string::npos ? all.size() : colon + 2; i <= all.size(); ++i) {
    const char c = i < all.size() ? all[i] : '\n';
    if (c == '\\' && i + 1 < all.size() && all[i + 1] == '\n') continue;
    if (c == '\\' && i + 1 < all.size() && all[i + 1] == ' ') {
      word += ' ';
      ++i;
    } else if (c == ' ' || c == '\n') {
      if (!word.empty()) out.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  return out;
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

}  // namespace

BuildResult buildProgram(const BuildRequest& request) {
  if (request.sources.empty() && request.objects.empty()) throw Error("no source files given");
  for (const std::string& s : request.sources) checkInput(s);
  if (!request.bundleEnding.empty()) return buildBundles(request);
  BuildResult result;
  Scratch scratch;
  const std::string ours = frontend::honeIncludeDirectory();
  const frontend::CompilerFlags read = frontend::readFlags(request.flags, "");
  std::string level = "-O2";
  for (const std::string& f : request.flags)
    if (f.size() == 3 && f.starts_with("-O")) level = f;
  std::vector<DeviceUnit> units;  // to be linked
  std::vector<std::string> objects;
  for (size_t k = 0; k < request.sources.size(); ++k) {
    const std::string& source = request.sources[k];
    const bool cuda = isCuda(source) || read.language == "cuda";
    HostCompiler compiler{{hostCompiler()}, {}};
    std::vector<std::string> forThisFile;
    if (cuda) {
      const std::string bundle = (scratch.folder / fmt::format("kernels{}.bin", k)).string();
      const std::vector<uint8_t> bytes = sim::writeBundle(bundleOf(source, request, units, result.notes));
      writeBytes(bundle, bytes);
      // Which launch functions Clang calls follows from the toolkit it finds: without one, from the oldest.
      compiler.words.insert(compiler.words.end(),
                            {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                             "--no-cuda-version-check", "-Xclang", "-target-sdk-version=12.8"});
      compiler.headers = {ours + "/hone_cuda.h", ours + "/hone_cuda/host.h"};
      forThisFile = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", bundle};
      if (request.linksDevice) {  // Clang leaves the bundle out where no kernel or variable is registered
        const std::string header = (scratch.folder / fmt::format("bundle{}.h", k)).string();
        std::ofstream(header) << "__asm__(\".pushsection .hone_device,\\\"\\\",@progbits\\n.incbin \\\""
                              << bundle << "\\\"\\n.popsection\");\n";
        forThisFile.insert(forThisFile.end(), {"-include", header});
      }
    }
    const bool isC = !cuda && fs::path(source).extension() == ".c";
    HostCompiler plain = compiler;  // for C
    const bool isForC = read.standard.find("++") == std::string::npos;
    plain.words.insert(plain.words.end(), {"-x", "c"});
    if (isForC && !read.standard.empty()) plain.words.push_back("-std=" + read.standard);
    compiler.words.push_back("-std=" + (isForC ? "c++17" : read.standard));
    // nvcc's host compiler takes what is an error for Clang by default: `register`, narrowing in braces.
    for (HostCompiler* one : {&compiler, &plain}) {
      one->words.insert(one->words.end(), {level, "-g1", "-Wno-everything", "-fsigned-char", "-D__NVCC__=1"});
      const std::vector<std::string> given = toolkitsLast(read.forClang);
      one->words.insert(one->words.end(), given.begin(), given.end());
      one->words.insert(one->words.end(),
                        {"-isystem", ours + "/cuda_stub", "-idirafter", ours + "/cuda_removed", "-idirafter",
                         ours, "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"});
    }
    const std::string object = request.compileOnly && request.sources.size() == 1 && !request.output.empty()
                                   ? request.output
                               : request.compileOnly ? fs::path(source).stem().string() + ".o"
                                                     : (scratch.folder / fmt::format("part{}.o", k)).string();
    const fs::path depends = scratch.folder / fmt::format("part{}.d", k);
    forThisFile.insert(forThisFile.end(), {"-MD", "-MF", depends.string(), "-c", source, "-o", object});
    Ran ran = compile(isC ? plain : compiler, forThisFile, scratch.folder, request.verbose);
    if (isC && ran.status && ran.output.find(kHeadersAreCpp) != std::string::npos) {
      result.notes.push_back(source + ": uses CUDA's runtime, which hone has for C++ only; compiled as C++");
      ran = compile(compiler, forThisFile, scratch.folder, request.verbose);
    }
    if (ran.status)
      throw Error(fmt::format("{}: the host side does not compile: {}", source, explainCompile(ran.output)),
                  1);
    for (const std::string& d : readDependencies(depends)) {
      std::error_code ignored;
      if (!d.starts_with(scratch.folder.string()))
        result.dependencies.push_back(fs::absolute(d, ignored).string());
    }
    objects.push_back(object);
  }
  if (request.compileOnly) return result;
  for (DeviceUnit& unit : findDeviceUnits(request)) units.push_back(std::move(unit));
  std::string linked;
  if (!units.empty() || request.deviceLinkOnly)
    linked = linkDevice(std::move(units), scratch.folder, request.verbose, result.notes);
  if (request.deviceLinkOnly) {
    std::error_code error;
    fs::copy_file(linked, request.output, fs::copy_options::overwrite_existing, error);
    if (error) throw Error(fmt::format("cannot write {}: {}", request.output, error.message()), 1);
    return result;
  }
  if (!linked.empty()) objects.push_back(linked);
  if (request.namesHone) objects.push_back(pathOfHone(scratch.folder));
  const fs::path libraries = libraryFolder();
  std::vector<std::string> words{hostCompiler(), "-fuse-ld=lld", "-o", request.output};
  words.insert(words.end(), objects.begin(), objects.end());
  words.insert(words.end(), request.objects.begin(), request.objects.end());
  for (const char* name : {"cudart", "sim", "target", "capture", "ir"}) {
    words.push_back((libraries / fmt::format("libhone_{}.a", name)).string());
    result.dependencies.push_back(words.back());
  }
  words.insert(words.end(), request.linkFlags.begin(), request.linkFlags.end());
  words.insert(words.end(), {"-lfmt", "-lpthread", "-ldl", "-lm"});
  const Ran ran = runTool(words, scratch.folder, request.verbose);
  if (ran.status) throw Error("the program does not link: " + explainLink(ran.output), 1);
  for (const std::string& o : request.objects) {
    std::error_code ignored;
    result.dependencies.push_back(fs::absolute(o, ignored).string());
  }
  return result;
}

}  // namespace hone::cli