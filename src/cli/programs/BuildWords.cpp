// What hone build and hone run make of nvcc's command line.
#include <filesystem>
#include <set>
#include <sstream>

#include "cli/programs/BuildProgram.h"
#include "cli/programs/NvccWords.h"

namespace hone::cli {

namespace {

// Options that the host's side is compiled with, too, as Clang has them.
bool isForClang(const std::string& name) {
  static const std::set<std::string> names{"-I", "-D", "-U", "-O"};
  return names.contains(name);
}

bool isPairForClang(const std::string& name) {
  static const std::set<std::string> names{"-include", "-isystem", "-x"};
  return names.contains(name);
}

// The vendor's own libraries are ours or missing; the linker says which of their functions the program wants.
bool isOurLibrary(const std::string& name) {
  static const std::set<std::string> names{"cudart",
                                           "cudart_static",
                                           "cuda",
                                           "cudadevrt",
                                           "cublas",
                                           "cublas_static",
                                           "curand",
                                           "curand_static",
                                           "rt",
                                           "culibos",
                                           "gomp",
                                           "omp",
                                           "nvptxcompiler_static"};
  return names.contains(name);
}

void addHostOptions(BuildRequest& request, const std::string& list) {
  std::istringstream parts(list);
  for (std::string one, folder; std::getline(parts, one, ',');)
    if (one.starts_with("-D") || one.starts_with("-I") || one.starts_with("-O"))
      request.flags.push_back(one);
    else if (one == "-iquote" && std::getline(parts, folder, ','))
      request.flags.insert(request.flags.end(), {one, folder});
}

void addOption(BuildRequest& request, const NvccWord& word) {
  const std::string& name = word.name;
  if (name == "-o")
    request.output = word.value;
  else if (name == "-c" || name == "-dc")
    request.compileOnly = true, request.linksDevice |= name == "-dc";
  else if (name == "-rdc")
    request.linksDevice = word.value == "true";
  else if (name == "-dlink")
    request.deviceLinkOnly = true;
  else if (name == "-fatbin" || name == "-cubin" || name == "-ptx")
    request.bundleEnding = "." + name.substr(1);
  else if (name == "-v")
    request.verbose = true;
  else if (name == "-Xcompiler")
    addHostOptions(request, word.value);
  else if (name == "-l" && word.value.starts_with("nvrtc"))
    request.namesHone = true;
  else if (name == "-L" || (name == "-l" && !isOurLibrary(word.value)))
    request.linkFlags.push_back(name + word.value);
  else if (isPairForClang(name))
    request.flags.insert(request.flags.end(), {name, word.value});
  else if (isForClang(name))
    request.flags.push_back(name + word.value);
  else if (name == "-std")
    request.flags.push_back("-std=" + word.value);
  // All else concerns the GPU, or tools that are not used.
}

}  // namespace

BuildRequest readBuildWords(std::vector<std::string> words, std::vector<std::string>& notes) {
  BuildRequest request;
  for (const NvccWord& word : readNvccWords(words)) {
    if (word.kind == NvccWord::Kind::Option) {
      addOption(request, word);
    } else if (word.kind == NvccWord::Kind::Unknown) {
      // The host's side runs on one thread (runtime/cuda/HostOpenMP.cpp).
      if (word.name != "-fopenmp") notes.push_back("flag '" + word.name + "' is not known here and skipped");
    } else {
      const std::string ending = std::filesystem::path(word.name).extension().string();
      const bool isObject = ending == ".o" || ending == ".obj" || ending == ".a" || ending == ".so";
      (isObject ? request.objects : request.sources).push_back(word.name);
    }
  }
  return request;
}

}  // namespace hone::cli
