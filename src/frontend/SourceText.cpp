#include "frontend/SourceText.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace hone::frontend {

std::string readSource(const std::string& path, std::string& contents) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return path + ": no such file";
  if (error) return path + ": " + error.message();
  if (fs::is_directory(status)) return path + ": is a directory, not a source file";
  if (!fs::is_regular_file(status)) return path + ": is a pipe or a device; hone reads files";
  std::ifstream in(path, std::ios::binary);
  if (!in) return path + ": cannot be read: " + std::strerror(errno);
  contents.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (in.bad()) return path + ": cannot be read";
  return checkSource(path, contents);
}

std::string checkSource(const std::string& path, std::string_view contents) {
  if (contents.empty()) return path + ": is empty";
  auto startsWith = [&](std::string_view mark) { return contents.substr(0, mark.size()) == mark; };
  if (startsWith("\xff\xfe") || startsWith("\xfe\xff")) return path + ": is UTF-16 text; hone reads UTF-8";
  if (std::size_t zero = contents.find('\0'); zero != std::string_view::npos)
    return path + ": is not a text file (it has a zero byte at offset " + std::to_string(zero) + ")";
  return "";
}

namespace {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool hasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    bool startsHere = at == 0 || !isWordChar(text[at - 1]);
    std::size_t end = at + word.size();
    if (startsHere && (end == text.size() || !isWordChar(text[end]))) return true;
  }
  return false;
}

std::string lowerExtension(std::string_view path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

Language detectLanguage(std::string_view path, std::string_view contents) {
  std::string extension = lowerExtension(path);
  if (extension == ".cu" || extension == ".cuh") return Language::Cuda;
  if (extension == ".cl" || extension == ".ocl" || extension == ".clh") return Language::OpenCL;
  bool isOpenCL =
      hasWord(contents, "__kernel") ||
      (hasWord(contents, "kernel") && (hasWord(contents, "__global") || hasWord(contents, "get_global_id")));
  if (isOpenCL && !hasWord(contents, "__global__")) return Language::OpenCL;
  return Language::Cuda;
}

std::vector<std::string> scanIncludes(std::string_view contents) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at < contents.size()) {
    std::size_t end = std::min(contents.find('\n', at), contents.size());
    std::string_view line = contents.substr(at, end - at);
    at = end + 1;
    auto skipBlanks = [&] {
      while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
    };
    skipBlanks();
    if (line.empty() || line[0] != '#') continue;
    line.remove_prefix(1);
    skipBlanks();
    if (line.substr(0, 7) != "include") continue;
    line.remove_prefix(7);
    skipBlanks();
    if (line.size() < 3 || (line[0] != '<' && line[0] != '"')) continue;
    std::size_t close = line.find(line[0] == '<' ? '>' : '"', 1);
    if (close != std::string_view::npos) names.emplace_back(line.substr(1, close - 1));
  }
  return names;
}

}  // namespace hone::frontend
