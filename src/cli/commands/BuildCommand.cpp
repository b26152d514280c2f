// hone build: a CUDA program for the embedded device, in nvcc's place in a Makefile.
#include <fmt/core.h>

#include "cli/commands/Command.h"
#include "cli/programs/BuildProgram.h"
#include "ir/Error.h"

namespace hone::cli {

int runBuild(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words;
  words.insert(words.end(), arguments.compilerFlags.begin(), arguments.compilerFlags.end());
  for (const std::string& w : words)
    if (w == "--help" || w == "-h") {
      fmt::print(
          "Builds a CUDA program that runs on hone's embedded device, without a GPU or a CUDA toolkit. Takes "
          "nvcc's place in\n"
          "a Makefile: NVCC='hone build'.\n\n"
          "usage: hone build FILE.cu... [-o PROGRAM] [NVCC FLAGS]\n\n"
          "Files: .cu, .cpp, .cc, .c, .o, .a. Flags understood: -o -c -dc -rdc -dlink -I -D -U -std -O -L -l "
          "-include "
          "-Xcompiler -v; those that only\n"
          "concern the GPU (-arch, -gencode, -Xptxas, -lineinfo, …) are skipped, others are skipped with a "
          "word.\n"
          "-rdc=true, -dc and -dlink link device code across files; without them each .cu file must hold "
          "what its "
          "kernels call.\n\n"
          "The program checks every access of every kernel as it runs; see `hone run --help` for the "
          "environment variables\n"
          "that change this.\n\n"
          "Examples:\n"
          "  hone build saxpy.cu -o saxpy && ./saxpy\n"
          "  make NVCC='hone build'\n");
      return exitDone;
    }
  std::vector<std::string> notes;
  BuildRequest request = readBuildWords(words, notes);
  for (const std::string& n : notes) fmt::print(stderr, "hone: {}\n", n);
  if (request.output.empty() && !request.compileOnly && request.bundleEnding.empty())
    request.output = request.deviceLinkOnly ? "a_dlink.o" : "a.out";
  const BuildResult built = buildProgram(request);
  for (const std::string& n : built.notes) fmt::print(stderr, "hone: {}\n", n);
  return exitDone;
}

}  // namespace hone::cli
