// Files of the corpus, read as their comments at the top say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontend/Import.h"

namespace hone::test {

struct CorpusFile {
  std::filesystem::path path;
  std::string source, flags;  // flags: of the compiler, with OpenCL's standard
  bool isOpenCL = false, needsToolkit = false;
};

CorpusFile readCorpusFile(const std::filesystem::path& path);
frontend::ImportResult import(const CorpusFile& file);
std::vector<std::filesystem::path> corpusFiles(const std::string& folder);  // sorted

// As the tables of runs call it: sums<int,true>
std::string nameOf(const frontend::ImportedKernel& kernel);

}  // namespace hone::test
