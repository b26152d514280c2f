#include "CorpusFile.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace hone::test {

namespace fs = std::filesystem;

namespace {

// The words after `// KEY:` in the comments at the top of a corpus file.
std::string directive(const std::string& source, const std::string& key) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");)
    if (line.starts_with("// " + key + ":")) return line.substr(key.size() + 4);
  return "";
}

}  // namespace

CorpusFile readCorpusFile(const fs::path& path) {
  CorpusFile out;
  out.path = path;
  std::ifstream file(path, std::ios::binary);
  out.source = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  out.isOpenCL = path.extension() == ".cl";
  out.flags = directive(out.source, out.isOpenCL ? "options" : "flags");
  if (out.isOpenCL) {
    std::string standard = directive(out.source, "cl-std");
    std::erase(standard, ' ');
    out.flags = "-cl-std=" + (standard.empty() ? "CL1.2" : standard) + out.flags;
  }
  out.needsToolkit = directive(out.source, "requires").find("toolkit") != std::string::npos;
  return out;
}

frontend::ImportResult import(const CorpusFile& file) {
  frontend::SourceRequest request;
  request.path = file.path.string();
  request.directory = file.path.parent_path().string();
  request.useCache = false;
  if (!file.needsToolkit) request.headers = frontend::CudaHeaders::BuiltIn;
  std::istringstream words(file.flags);
  for (std::string word; words >> word;) request.flags.push_back(word);
  request.flags.push_back("-I" + (file.path.parent_path() / "include").string());
  return frontend::importFile(request);
}

std::vector<fs::path> corpusFiles(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cl" || entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string nameOf(const frontend::ImportedKernel& kernel) {
  std::string out = kernel.name;
  for (size_t i = 0; i < kernel.templateArgs.size(); ++i)
    out += (i == 0 ? "<" : ",") + kernel.templateArgs[i];
  if (!kernel.templateArgs.empty()) out += ">";
  std::erase(out, ' ');
  return out;
}

}  // namespace hone::test
