#include "cli/programs/RunTimeCompile.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/programs/DeviceKernels.h"
#include "cli/programs/RunTimeOptions.h"
#include "frontend/Import.h"
#include "sim/bytecode/Program.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// A folder that is on no disk, in which the program's text and its headers lie; deep, as names may begin with
// "../".
constexpr const char* virtualFolder = "/hone-program/text/of/a/running/program";

std::string virtualPath(const std::string& name) {
  return (fs::path(virtualFolder) / fs::path(name).relative_path()).lexically_normal().string();
}

size_t sourceLines(const std::string& text) { return size_t(std::count(text.begin(), text.end(), '\n')); }

// Shows files of the virtual folder by the names that the program gave them.
class GivenNames {
 public:
  void add(const std::string& name) { given.emplace(virtualPath(name), name); }
  std::string of(const std::string& path) const {
    const auto known = given.find(path);
    return known == given.end() ? path : known->second;
  }

 private:
  std::map<std::string, std::string> given;
};

frontend::SourceRequest sourceRequest(const sim::CompileRequest& asked, const RunTimeOptions& options) {
  frontend::SourceRequest request;
  request.path = virtualPath(asked.name);
  request.language = frontend::Language::Cuda;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.toRun = true;
  request.contents = asked.source;
  if (!request.contents->ends_with('\n')) *request.contents += '\n';
  request.nameExpressions = asked.nameExpressions;
  for (const auto& [name, text] : asked.headers) request.overlay[virtualPath(name)] = text;
  request.flags = {"-U__NVCC__", "-D__CUDACC_RTC__=1",
                   fmt::format("-fmacro-prefix-map={}/=", virtualFolder)};  // of __FILE__
  if (options.isDeviceCode) {
    const std::string header = virtualPath("hone_default_device.h");
    request.overlay[header] = "#pragma clang force_cuda_host_device begin\n";
    request.flags.insert(request.flags.end(), {"-include", header});
  }
  request.flags.insert(request.flags.end(), {"-I", virtualFolder});
  const std::string folder = fs::path(asked.name).parent_path().string();
  if (options.searchesSourceFolder)
    request.flags.insert(request.flags.end(), {"-iquote", folder.empty() ? "." : folder});
  request.flags.insert(request.flags.end(), options.flags.begin(), options.flags.end());
  if (options.searchesSourceFolder)
    request.flags.insert(request.flags.end(), {"-I", folder.empty() ? "." : folder});
  return request;
}

// The lines of the program's text in what Clang shows, and the caret.
std::string quotedLines(const std::string& rendering) {
  std::istringstream lines(rendering);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    if (const size_t bar = line.find(" | ");
        bar != std::string::npos && line.find_first_not_of(" 0123456789") == bar + 1)
      out += line + "\n";
  return out;
}

// What is said of a header that is not there ends with what users of hone can do.
std::string messageOf(const frontend::Diagnostic& d) {
  return d.text.starts_with("needs ") ? d.text.substr(0, d.text.find("; pass ")) : d.text;
}

// Errors and their notes in NVRTC's manner; how many errors there are.
size_t writeErrors(const frontend::ImportResult& imported, const sim::CompileRequest& asked,
                   const GivenNames& names, std::string& log) {
  const std::string main = virtualPath(asked.name);
  const size_t lines = sourceLines(asked.source) + !asked.source.ends_with('\n');
  size_t errors = 0;
  bool isShown = false;
  for (const frontend::Diagnostic& d : imported.diagnostics) {
    const bool isError = d.severity >= frontend::Severity::Error;
    if (isError || d.severity != frontend::Severity::Note) isShown = isError;
    errors += isError;
    if (!isShown) continue;
    const bool isExpression = d.file == main && d.line > lines;
    const char* kind = isError ? "error" : "note";
    if (isExpression && isError && d.line - lines <= asked.nameExpressions.size())
      log += fmt::format("{}: error: name expression {}: {}\n", asked.name,
                         asked.nameExpressions[d.line - lines - 1], messageOf(d));
    else if (isExpression || d.file.empty())
      log += isExpression ? "" : fmt::format("{}: {}\n", kind, messageOf(d));
    else
      log += fmt::format("{}({}): {}: {}\n{}", names.of(d.file), d.line, kind, messageOf(d),
                         quotedLines(d.rendering));
  }
  return errors;
}

void nameFiles(sim::BundledKernel& kernel, const GivenNames& names) {
  kernel.file = names.of(kernel.file);
  if (kernel.program.empty()) return;
  sim::Program program = sim::read(kernel.program);
  for (std::string& file : program.files) file = names.of(file);
  kernel.program = sim::write(program);
}

}  // namespace

sim::CompileAnswer compileAtRunTime(const sim::CompileRequest& request) {
  sim::CompileAnswer answer;
  const RunTimeOptions options = readRunTimeOptions(request.options);
  answer.architecture = options.architecture;
  if (!options.problem.empty()) {
    answer.status = sim::CompileStatus::WrongOption;
    answer.log = options.problem;
    return answer;
  }
  GivenNames names;
  names.add(request.name);
  for (const auto& header : request.headers) names.add(header.name);
  frontend::ImportResult imported = frontend::importFile(sourceRequest(request, options));
  size_t errors = writeErrors(imported, request, names, answer.log);
  if (!imported.parsed && errors == 0) {
    errors = 1;
    answer.log += fmt::format("{}: error: {}\n", request.name, imported.failure);
  }
  if (errors) {
    answer.log += fmt::format("{} error{} detected in the compilation of \"{}\".\n", errors,
                              errors == 1 ? "" : "s", request.name);
    answer.status = sim::CompileStatus::WrongCode;
    return answer;
  }
  sim::Bundle bundle;
  bundle.source = request.name;
  std::vector<std::string> notes;  // said again below, by the names that the program knows
  bundle.kernels = bundleKernels(imported, notes);
  for (sim::BundledKernel& k : bundle.kernels) {
    nameFiles(k, names);
    answer.kernels.push_back(k.linkageName);
    if (!k.reason.empty())
      answer.log += fmt::format("{}({}): warning: kernel {} cannot run on the embedded device: {}\n", k.file,
                                k.line, k.name, k.reason);
  }
  answer.bundle = sim::writeBundle(bundle);
  answer.nameFound = imported.namedInObjects;
  return answer;
}

}  // namespace hone::cli
