#include "cli/programs/BuildProgram.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <sstream>

#include "cli/inputs/Inputs.h"
#include "cli/programs/HostHeaders.h"
#include "frontend/CompilerFlags.h"
#include "frontend/Import.h"
#include "frontend/ToolchainPaths.h"
#include "hone/Config.h"
#include "ir/Error.h"
#include "sim/bytecode/Bundle.h"
#include "sim/execute/Run.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

std::string hostCompiler() {
  const char* given = std::getenv("HONE_CLANG");
  return given && *given ? given : config::hostCompiler;
}

// A folder of our own that is gone when the build ends.
struct Scratch {
  fs::path folder;
  Scratch() {
    std::string name = (fs::temp_directory_path() / "hone-build-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error("cannot make a folder in " + fs::temp_directory_path().string());
    folder = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

struct Ran {
  int status = 0;
  std::string output;  // both streams
};

Ran runTool(const std::vector<std::string>& words, const fs::path& scratch, bool verbose) {
  if (verbose) {
    std::string line;
    for (const std::string& w : words) line += (line.empty() ? "" : " ") + w;
    fmt::print(stderr, "{}\n", line);
  }
  const std::string log =
      (scratch / fmt::format("log{}", std::hash<std::string>{}(words.back()) + size_t(getpid()))).string();
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, 1);
    dup2(out, 2);
    std::vector<char*> argv;
    for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  Ran ran;
  int status = 0;
  waitpid(child, &status, 0);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream in(log);
  std::stringstream text;
  text << in.rdbuf();
  ran.output = text.str();
  if (ran.status == 127 && ran.output.empty())
    throw Error(
        fmt::format("{} is not installed, and building CUDA programs needs it (`make setup` installs it; "
                    "HONE_CLANG names another)",
                    words[0]));
  return ran;
}

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

// What hone_cuda.h says where it is read as C.
constexpr const char* kHeadersAreCpp = "the headers of CUDA are C++ here";

bool isCuda(const std::string& path) { return fs::path(path).extension() == ".cu"; }

std::string kernelName(const frontend::ImportedKernel& k) {
  std::string name = k.qualifiedName.empty() ? k.name : k.qualifiedName;
  if (!k.templateArgs.empty()) {
    name += "<";
    for (size_t i = 0; i < k.templateArgs.size(); ++i) name += (i ? ", " : "") + k.templateArgs[i];
    name += ">";
  }
  return name;
}

// Names the library behind a header that was not found; what Clang said otherwise.
std::string explainCompile(const std::string& output) {
  static const std::pair<const char*, const char*> libraries[] = {
      {"thrust/", "thrust"},    {"cub/", "cub"},        {"cuda/", "libcu++"}, {"cublas", "cuBLAS"},
      {"cusparse", "cuSPARSE"}, {"cufft", "cuFFT"},     {"curand", "cuRAND"}, {"cusolver", "cuSOLVER"},
      {"nvrtc", "NVRTC"},       {"npp", "NPP"},         {"cudnn", "cuDNN"},   {"cutlass/", "CUTLASS"},
      {"nvgraph", "nvGRAPH"},   {"nvToolsExt", "NVTX"}, {"mpi.h", "MPI"},     {"GL/", "OpenGL"},
      {"nvml", "NVML"},         {"nccl", "NCCL"},       {"nvjpeg", "nvJPEG"}, {"cudaEGL", "EGL"}};
  const size_t end = output.find("' file not found");
  const size_t begin = end == std::string::npos ? std::string::npos : output.rfind('\'', end - 1);
  if (begin == std::string::npos) return output;
  const std::string header = output.substr(begin + 1, end - begin - 1);
  for (const auto& [prefix, library] : libraries)
    if (header.starts_with(prefix))
      return fmt::format("the program needs {} ({}), which hone does not provide on the embedded device\n{}",
                         library, header, output);
  return output;
}

// The kernels of one file as a bundle; those that cannot run carry the reason to the launch.
sim::Bundle kernelsOf(const std::string& path, const std::vector<std::string>& flags,
                      std::vector<std::string>& notes) {
  frontend::SourceRequest request;
  request.path = path;
  request.flags = flags;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.toRun = true;
  const frontend::ImportResult imported = frontend::importFile(request);
  if (!imported.parsed) throw Error(explainCompile(imported.failure), 1);
  // The compiler of the host side would wait for who writes to the pipe.
  const bool waits = imported.renderedDiagnostics.find(frontend::pipeOrDevice) != std::string::npos;
  if (waits || (imported.hasErrorsOutsideHostCode && imported.kernels.empty()))
    throw Error(explainCompile(imported.renderedDiagnostics), 1);
  sim::Bundle bundle;
  bundle.source = path;
  for (const frontend::ImportedKernel& k : imported.kernels) {
    if (k.isUninstantiated) continue;
    sim::BundledKernel entry;
    entry.linkageName = k.linkageName;
    entry.name = kernelName(k);
    if (k.kernel) {
      try {
        entry.program = sim::write(sim::compile(*k.kernel, {.checkAssumptions = true}));
      } catch (const Error& e) {
        const std::string text = e.what();
        entry.reason = text;
        if (k.loc.valid()) entry.file = *k.loc.file, entry.line = k.loc.line;
      }
    } else {
      entry.reason = k.reason;
      const ir::SourceLoc& at = k.reasonLoc.valid() ? k.reasonLoc : k.loc;
      if (at.valid()) entry.file = *at.file, entry.line = at.line;
    }
    if (!entry.reason.empty())
      notes.push_back(
          fmt::format("{}:{}: kernel {} cannot run: {}", entry.file, entry.line, entry.name, entry.reason));
    bundle.kernels.push_back(std::move(entry));
  }
  return bundle;
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

// Says what a failed link lacks in terms of the program.
std::string explainLink(const std::string& output) {
  std::set<std::string> missing;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const size_t at = line.find("undefined symbol: "); at != std::string::npos)
      missing.insert(line.substr(at + 18));
  if (missing.empty()) return output;
  std::string text;
  bool fromCuda = false;
  for (const std::string& m : missing) {
    text += "  " + m + "\n";
    fromCuda |=
        m.starts_with("cu") || m.starts_with("nvrtc") || m.starts_with("nppi") || m.starts_with("__cuda");
  }
  return (fromCuda ? "the program uses functions that hone's CUDA runtime does not have:\n"
                   : "the program uses what no file or library given defines:\n") +
         text;
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
  BuildResult result;
  Scratch scratch;
  const std::string ours = frontend::honeIncludeDirectory();
  const frontend::CompilerFlags read = frontend::readFlags(request.flags, "");
  std::string level = "-O2";
  for (const std::string& f : request.flags)
    if (f.size() == 3 && f.starts_with("-O")) level = f;
  std::vector<std::string> objects;
  for (size_t k = 0; k < request.sources.size(); ++k) {
    const std::string& source = request.sources[k];
    const bool cuda = isCuda(source) || read.language == "cuda";
    HostCompiler compiler{{hostCompiler()}, {}};
    std::vector<std::string> forThisFile;
    if (cuda) {
      const std::string bundle = (scratch.folder / fmt::format("kernels{}.bin", k)).string();
      const std::vector<uint8_t> bytes = sim::writeBundle(kernelsOf(source, request.flags, result.notes));
      std::ofstream(bundle, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
      // Which launch functions Clang calls follows from the toolkit it finds: without one, from the oldest.
      compiler.words.insert(compiler.words.end(),
                            {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                             "--no-cuda-version-check", "-Xclang", "-target-sdk-version=12.8"});
      compiler.headers = {ours + "/hone_cuda.h", ours + "/hone_cuda/host.h"};
      forThisFile = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", bundle};
    }
    const bool isC = !cuda && fs::path(source).extension() == ".c";
    HostCompiler plain = compiler;  // for C
    const bool isForC = read.standard.find("++") == std::string::npos;
    plain.words.insert(plain.words.end(), {"-x", "c"});
    if (isForC && !read.standard.empty()) plain.words.push_back("-std=" + read.standard);
    compiler.words.push_back("-std=" + (isForC ? "c++17" : read.standard));
    // nvcc's host compiler takes what is an error for Clang by default: `register`, narrowing in braces.
    for (HostCompiler* one : {&compiler, &plain}) {
      one->words.insert(one->words.end(), {level, "-g1", "-Wno-everything", "-fsigned-char"});
      one->words.insert(one->words.end(), read.forClang.begin(), read.forClang.end());
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
      result.dependencies.push_back(fs::absolute(d, ignored).string());
    }
    objects.push_back(object);
  }
  if (request.compileOnly) return result;
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

// The cache

namespace {

std::string hashText(const std::string& text) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (const char c : text) h = (h ^ uint8_t(c)) * 0x100000001b3ull;
  return fmt::format("{:016x}", h);
}

// Size and time of change of a file, in words; "gone" when there is none.
std::string stampOf(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return "gone";
  const auto size = fs::file_size(path, error);
  return fmt::format("{} {}", size, time.time_since_epoch().count());
}

}  // namespace

std::string cachedProgram(BuildRequest request) {
  std::error_code error;
  std::string key = fs::current_path(error).string() + "\n" + config::version + "\n";
  for (const auto* list : {&request.sources, &request.objects, &request.flags, &request.linkFlags})
    for (const std::string& w : *list) key += w + "\n";
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  key += self + " " + stampOf(self);
  std::string cache = frontend::cacheDirectory();
  const fs::path other = fs::temp_directory_path() / fmt::format("hone-cache-{}", geteuid());
  if (cache.empty()) cache = frontend::privateFolder(other.string());
  if (cache.empty())
    throw Error(fmt::format(
        "no folder for programs: neither hone's folder in the cache nor {} is a folder of yours that "
        "others cannot write to; mend that (chmod 700) or set XDG_CACHE_HOME",
        other.string()));
  const fs::path folder = fs::path(cache) / "programs" / hashText(key);
  const fs::path program = folder / "program", list = folder / "files", said = folder / "notes";
  // Unchanged: the same files with the same sizes and times.
  if (std::ifstream in(list); in && fs::exists(program, error)) {
    bool same = true;
    std::string name, stamp;
    while (same && std::getline(in, name) && std::getline(in, stamp)) same = stampOf(name) == stamp;
    if (same) {
      std::ifstream notes(said);
      for (std::string note; std::getline(notes, note);) fmt::print(stderr, "hone: {}\n", note);
      return program.string();
    }
  }
  fs::create_directories(folder, error);
  const fs::path fresh = folder / fmt::format("program.{}", getpid());
  request.output = fresh.string();
  const BuildResult built = buildProgram(request);
  std::ostringstream files, notes;
  for (const std::string& n : built.notes) {
    fmt::print(stderr, "hone: {}\n", n);
    notes << n << "\n";
  }
  std::ofstream(said) << notes.str();
  std::set<std::string> once(built.dependencies.begin(), built.dependencies.end());
  for (const std::string& d : once) files << d << "\n" << stampOf(d) << "\n";
  std::ofstream(list) << files.str();
  fs::rename(fresh, program, error);
  if (error) throw Error(fmt::format("cannot write {}: {}", program.string(), error.message()));
  return program.string();
}

}  // namespace hone::cli
