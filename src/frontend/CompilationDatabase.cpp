#include "frontend/CompilationDatabase.h"

#include "frontend/CompilerFlags.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace fs = std::filesystem;

namespace hone::frontend {
namespace {

std::string normalized(const fs::path& path) { return path.lexically_normal().string(); }

std::string absolutePath(const std::string& path, const std::string& directory) {
  fs::path given(path);
  return normalized(given.is_absolute() ? given : fs::path(directory) / given);
}

/// The words of a command without the compiler, its launchers, the input and the output.
std::vector<std::string> flagsOf(const std::vector<std::string>& words, const std::string& file,
                                 const std::string& directory) {
  std::vector<std::string> flags;
  std::size_t i = 0;
  // "ccache nvcc", "cmake -E env X=Y nvcc": flags begin after the last leading word that is no flag.
  while (i < words.size() && (words[i].empty() || words[i][0] != '-')) ++i;
  if (i < words.size() && (words[i] == "-E" || words[i] == "--")) {
    while (i < words.size() && words[i].find("nvcc") == std::string::npos &&
           words[i].find("clang") == std::string::npos)
      ++i;
    ++i;
  }
  // nvcc takes the input before the first flag as well.
  for (; i < words.size(); ++i) {
    if (words[i] == "-o") {
      ++i;
      continue;
    }
    if (words[i].empty() || (words[i][0] != '-' && absolutePath(words[i], directory) == file)) continue;
    flags.push_back(words[i]);
  }
  return flags;
}

/// How alike two paths are: first the folders they share, then the beginning of the name.
std::pair<std::size_t, std::size_t> likeness(const fs::path& a, const fs::path& b) {
  std::size_t folders = 0;
  fs::path folderA = a.parent_path(), folderB = b.parent_path();
  for (auto x = folderA.begin(), y = folderB.begin(); x != folderA.end() && y != folderB.end() && *x == *y;
       ++x, ++y)
    ++folders;
  std::string nameA = a.stem().string(), nameB = b.stem().string();
  std::size_t letters = 0;
  while (letters < nameA.size() && letters < nameB.size() && nameA[letters] == nameB[letters]) ++letters;
  return {folders, letters};
}

/// What is wrong with an entry of the file; empty: nothing.
std::string problemOf(const nlohmann::json& item) {
  if (!item.is_object()) return "is no object";
  for (const char* key : {"file", "directory", "command"})
    if (item.contains(key) && !item[key].is_string()) return std::string("`") + key + "` is no text";
  if (!item.contains("arguments")) return "";
  if (!item["arguments"].is_array()) return "`arguments` is no list";
  for (const nlohmann::json& word : item["arguments"])
    if (!word.is_string()) return "`arguments` has something in it that is no text";
  return "";
}

}  // namespace

std::optional<CompilationDatabase> CompilationDatabase::load(const std::string& path, std::string& error) {
  std::error_code ignored;
  fs::path file(path);
  if (fs::is_directory(file, ignored)) file /= "compile_commands.json";
  std::ifstream in;
  if (fs::is_regular_file(file, ignored)) in.open(file, std::ios::binary);
  if (!in.is_open()) {
    error = file.string() + ": cannot be read";
    return std::nullopt;
  }
  nlohmann::json parsed = nlohmann::json::parse(in, nullptr, false);
  if (!parsed.is_array()) {
    error = file.string() + ": is not a compilation database (a JSON array of commands)";
    return std::nullopt;
  }
  CompilationDatabase out;
  std::string home = normalized(fs::absolute(file, ignored).parent_path());
  std::size_t number = 0;
  for (const nlohmann::json& item : parsed) {
    ++number;
    if (std::string problem = problemOf(item); !problem.empty()) {
      error = file.string() + ": entry " + std::to_string(number) + ": " + problem;
      return std::nullopt;
    }
    if (!item.contains("file")) continue;
    CompileCommand command;
    std::string given = item.contains("directory") ? item["directory"].get<std::string>() : "";
    command.directory = absolutePath(given, home);
    command.file = absolutePath(item["file"].get<std::string>(), command.directory);
    std::vector<std::string> words;
    if (item.contains("arguments")) {
      for (const nlohmann::json& word : item["arguments"]) words.push_back(word.get<std::string>());
    } else if (item.contains("command")) {
      words = splitCommandLine(item["command"].get<std::string>());
    }
    command.flags = flagsOf(words, command.file, command.directory);
    out.entries.push_back(std::move(command));
  }
  return out;
}

const CompileCommand* CompilationDatabase::find(const std::string& file) const {
  std::error_code ignored;
  std::string wanted = normalized(fs::absolute(file, ignored));
  for (const CompileCommand& command : entries)
    if (command.file == wanted) return &command;
  // The same file by another path, through a link.
  for (const CompileCommand& command : entries)
    if (fs::path(command.file).filename() == fs::path(wanted).filename() &&
        fs::equivalent(command.file, wanted, ignored))
      return &command;
  return nullptr;
}

const CompileCommand* CompilationDatabase::findNearest(const std::string& file) const {
  if (const CompileCommand* exact = find(file)) return exact;
  std::error_code ignored;
  fs::path wanted = fs::absolute(file, ignored).lexically_normal();
  auto rank = [&](const CompileCommand& command) {
    bool isCuda = fs::path(command.file).extension() == ".cu";
    auto [folders, letters] = likeness(command.file, wanted);
    return std::make_tuple(isCuda, folders, letters);
  };
  auto best =
      std::max_element(entries.begin(), entries.end(),
                       [&](const CompileCommand& a, const CompileCommand& b) { return rank(a) < rank(b); });
  return best == entries.end() ? nullptr : &*best;
}

}  // namespace hone::frontend
