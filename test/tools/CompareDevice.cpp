// compare_device TABLE FOLDER [--run-opencl PROGRAM] [--gpu write|read] [--work FOLDER] [--only
// FILE[:KERNEL]] [--verbose] Runs every kernel of a folder on the embedded device as the table says, with all
// checks on, and wants the end of every thread and no finding. OpenCL kernels run on PoCL too, with the same
// bytes, and must leave the same. For CUDA kernels --gpu write leaves jobs for run_cuda in the work folder,
// and --gpu read compares the outcomes it made of them.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "CorpusFile.h"
#include "DeviceRun.h"
#include "TypedData.h"
#include "ir/Error.h"

namespace hone::test {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string table, folder, runOpenCL, gpu, work = ".", onlyFile, onlyKernel;
  bool verbose = false;
};

struct Counts {
  unsigned kernels = 0, runs = 0, compared = 0, failures = 0, exact = 0;
  double greatest = 0;
};

// A run, and the line that asked for it.
struct Ran {
  DeviceRun run;
  std::string name;
  const RunLine* line = nullptr;
};

class Comparison {
 public:
  explicit Comparison(Options given) : options(std::move(given)) {}

  int run() {
    const std::vector<RunLine> lines = readRunTable(options.table);
    for (const fs::path& file : corpusFiles(options.folder))
      if (options.onlyFile.empty() || file.filename() == options.onlyFile) runFile(file, lines);
    if (options.onlyFile.empty())
      for (const RunLine& line : lines)
        if (!used.contains(&line))
          fail(line.file + " " + line.kernel,
               "no such kernel (line " + std::to_string(line.line) + " of the table)");
    std::printf(
        "%u kernels, %u runs, %u compared with another machine, %u of them equal in every byte; floats at "
        "most %g ulps "
        "apart; %u failures\n",
        counts.kernels, counts.runs, counts.compared, counts.exact, counts.greatest, counts.failures);
    return counts.failures == 0 && counts.kernels > 0 ? 0 : 1;
  }

 private:
  void fail(const std::string& where, const std::string& what) {
    std::printf("FAIL %s: %s\n", where.c_str(), what.c_str());
    ++counts.failures;
  }

  void runFile(const fs::path& file, const std::vector<RunLine>& lines) {
    const CorpusFile read = readCorpusFile(file);
    const frontend::ImportResult imported = import(read);
    if (!imported.parsed) {
      if (read.needsToolkit) {
        std::printf("HONE-SKIP: %s: needs the headers of a CUDA toolkit\n", file.filename().c_str());
        for (const RunLine& line : lines)
          if (line.file == file.filename()) used.insert(&line);
        return;
      }
      fail(file.filename(), imported.failure);
      return;
    }
    std::vector<Ran> runs;
    for (const frontend::ImportedKernel& kernel : imported.kernels) {
      if (kernel.isUninstantiated || kernel.isInSystemHeader) continue;
      const std::string name = nameOf(kernel);
      if (!options.onlyKernel.empty() && name != options.onlyKernel) continue;
      const std::string where = file.filename().string() + " " + name;
      ++counts.kernels;
      bool isKnown = false;
      for (const RunLine& line : lines) {
        if (line.file != file.filename() || (line.kernel != name && line.kernel != kernel.qualifiedName))
          continue;
        isKnown = true;
        used.insert(&line);
        if (!kernel.kernel)
          fail(where, "left alone: " + kernel.reason);
        else
          runKernel(where, *kernel.kernel, line, runs);
      }
      if (!isKnown) fail(where, "the table has no line for it");
    }
    if (runs.empty()) return;
    if (read.isOpenCL)
      compareWithPocl(read, runs);
    else if (!options.gpu.empty())
      compareWithGpu(file, runs);
  }

  void runKernel(const std::string& where, const ir::Kernel& kernel, const RunLine& line,
                 std::vector<Ran>& runs) {
    try {
      const sim::Program program = sim::compile(kernel);
      for (size_t i = 0; i < line.runs(); ++i) {
        Ran ran{runOnDevice(kernel, program, line, i), "", &line};
        ran.name = where + ran.run.name;
        ++counts.runs;
        for (const std::string& problem : ran.run.problems) fail(ran.name, problem);
        ran.run.launch.kernel = line.kernel;
        if (line.noPocl.empty() && !ran.run.hasPointers) runs.push_back(std::move(ran));
      }
      if (!line.noPocl.empty())
        std::printf("HONE-SKIP: %s on PoCL: %s\n", where.c_str(), line.noPocl.c_str());
    } catch (const Error& error) {
      fail(where, error.what());
    }
  }

  void compareWithPocl(const CorpusFile& read, const std::vector<Ran>& runs) {
    const fs::path& file = read.path;
    if (options.runOpenCL.empty() || poclIsMissing) {
      std::printf("HONE-SKIP: %s on PoCL: PoCL is not installed\n", file.filename().c_str());
      return;
    }
    ByteWriter job;
    job.text("#pragma OPENCL FP_CONTRACT OFF\n#line 1\n" + read.source);
    job.text(read.flags + " -I" + (file.parent_path() / "include").string());
    job.number(runs.size());
    for (const Ran& ran : runs) writeLaunch(job, ran.run.launch);
    const std::string stem = (fs::path(options.work) / file.stem()).string();
    job.save(stem + ".job");
    fs::remove(stem + ".outcome");
    const int status = std::system(
        ("'" + options.runOpenCL + "' '" + stem + ".job' '" + stem + ".outcome' > '" + stem + ".log' 2>&1")
            .c_str());
    if (WIFEXITED(status) && WEXITSTATUS(status) == noPocl) {
      poclIsMissing = true;
      std::printf("HONE-SKIP: %s on PoCL: PoCL is not installed\n", file.filename().c_str());
      return;
    }
    readOutcome(stem, "PoCL", runs);
  }

  // Runs on a GPU are made elsewhere, by run_cuda: the jobs are written, and read when they come back.
  void compareWithGpu(const fs::path& file, const std::vector<Ran>& runs) {
    const std::string stem = (fs::path(options.work) / file.stem()).string();
    if (options.gpu == "read") {
      readOutcome(stem, "the GPU", runs);
      return;
    }
    ByteWriter job;
    job.number(runs.size());
    for (const Ran& ran : runs) writeLaunch(job, ran.run.launch);
    job.save(stem + ".job");
  }

  void readOutcome(const std::string& stem, const char* machine, const std::vector<Ran>& runs) {
    ByteReader outcome(stem + ".outcome");
    for (const Ran& ran : runs) {
      if (outcome.isAtEnd()) {
        fail(ran.name, std::string(machine) + " ended before it, see " + stem + ".log");
        return;
      }
      const std::string problem = outcome.text();
      std::vector<std::vector<uint8_t>> arrays(outcome.number());
      for (auto& array : arrays) array = outcome.block();
      if (problem.empty())
        compareRun(ran, machine, arrays);
      else
        fail(ran.name, std::string(machine) + ": " + problem);
    }
  }

  void compareRun(const Ran& ran, const char* machine, const std::vector<std::vector<uint8_t>>& buffers) {
    const bool isOpenCL = ran.line->file.ends_with(".cl");
    ++counts.compared;
    bool isExact = true;
    for (size_t b = 0; b < buffers.size(); ++b) {
      const Difference difference = compareBytes(ran.run.after[b], buffers[b], ran.run.elements[b], isOpenCL,
                                                 {ran.line->ulps, ran.line->ofGreatest});
      isExact &= difference.ulps == 0 && difference.text.empty();
      counts.greatest = std::max(counts.greatest, difference.ulps);
      if (!difference.text.empty())
        fail(ran.name, ran.run.names[b] + " " + difference.text + " on " + machine);
      else if (options.verbose && difference.ulps > 0)
        std::printf("%s: %s %g ulps\n", ran.name.c_str(), ran.run.names[b].c_str(), difference.ulps);
    }
    counts.exact += isExact;
  }

  Options options;
  Counts counts;
  std::set<const RunLine*> used;
  bool poclIsMissing = false;
};

Options readArguments(int argc, char** argv) {
  Options out;
  std::vector<std::string> plain;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--run-opencl")
      out.runOpenCL = next();
    else if (word == "--gpu")
      out.gpu = next();
    else if (word == "--work")
      out.work = next();
    else if (word == "--verbose")
      out.verbose = true;
    else if (word == "--only") {
      const std::string only = next();
      const size_t colon = only.find(':');
      out.onlyFile = only.substr(0, colon);
      if (colon != std::string::npos) out.onlyKernel = only.substr(colon + 1);
    } else
      plain.push_back(word);
  }
  if (plain.size() != 2)
    throw Error(
        "usage: compare_device TABLE FOLDER [--run-opencl PROGRAM] [--work FOLDER] [--only FILE[:KERNEL]]");
  out.table = plain[0];
  out.folder = plain[1];
  return out;
}

}  // namespace
}  // namespace hone::test

int main(int argc, char** argv) {
  try {
    const hone::test::Options options = hone::test::readArguments(argc, argv);
    std::filesystem::create_directories(options.work);
    return hone::test::Comparison(options).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare_device: %s\n", error.what());
    return 2;
  }
}
