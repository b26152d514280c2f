#include "cli/rewrite/CallsElsewhere.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/inputs/Arguments.h"
#include "cli/inputs/Inputs.h"
#include "cli/inputs/ScanText.h"
#include "cli/inputs/SourceTree.h"
#include "cli/inputs/TakeBack.h"
#include "cli/inputs/TextStyle.h"
#include "device/HostScan.h"
#include "emit/Marks.h"
#include "ir/Error.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr size_t mostFiles = 2000;
constexpr uintmax_t largestSource = 4 << 20;

using Texts = std::map<std::string, std::string>;

// Launch functions with a body in what hone wrote.
std::set<std::string> definedIn(const std::vector<emit::MarkedBlock>& blocks) {
  std::set<std::string> out;
  for (const emit::MarkedBlock& block : blocks)
    for (const std::string& name :
         block.kernel.empty() ? std::set<std::string>{} : launchFunctions(block.text))
      for (size_t at = 0; (at = block.text.find(name, at)) != std::string::npos; ++at) {
        const size_t close = block.text.find(')', at);
        const size_t next =
            close == std::string::npos ? close : block.text.find_first_not_of(" \t\r\n", close + 1);
        if (next != std::string::npos && block.text[next] == '{') out.insert(name);
      }
  return out;
}

std::map<std::string, std::string> definitionsIn(const Texts& texts) {
  std::map<std::string, std::string> files;  // by function
  for (const auto& [file, text] : texts)
    for (const std::string& name : definedIn(emit::findMarks(text).blocks)) files.emplace(name, file);
  return files;
}

std::set<fs::path> subfoldersOf(const fs::path& folder) {
  std::set<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && out.size() < mostFiles;
       at.increment(error))
    if (at->is_directory(error) && !at->is_symlink(error)) out.insert(at->path());
  return out;
}

std::set<fs::path> foldersNear(const Texts& files) {
  std::set<fs::path> out;
  for (const auto& [file, text] : files) {
    const fs::path own = fs::path(file).parent_path();
    out.insert({own, own.parent_path()});
    out.merge(subfoldersOf(own));
    out.merge(subfoldersOf(own.parent_path()));
  }
  return out;
}

struct NearFile {
  std::string path, text;
  std::vector<emit::MarkedBlock> blocks;
};

// Those with marks, the ones to be written left out.
std::vector<NearFile> markedFilesNear(const Texts& files) {
  std::vector<NearFile> out;
  size_t looked = 0;
  for (const fs::path& folder : foldersNear(files)) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      if (!isSourceName(at->path().string()) || !at->is_regular_file(error) ||
          at->file_size(error) > largestSource)
        continue;
      const std::string path = canonicalPath(at->path().string());
      if (files.contains(path)) continue;
      if (++looked > mostFiles) return out;
      try {
        NearFile one{path, readFile(path), {}};
        one.blocks = emit::findMarks(one.text).blocks;
        if (!one.blocks.empty()) out.push_back(std::move(one));
      } catch (const Error&) {
        continue;  // nobody asked for a file that cannot be read
      }
    }
  }
  return out;
}

bool isBelow(const fs::path& file, const fs::path& folder) {
  const std::string way = file.parent_path().lexically_relative(folder).string();
  return !way.empty() && !way.starts_with("..");
}

// Where a folder of -I has it the name must do, unless there is another of that name nearer.
bool includes(const NearFile& file, const fs::path& header) {
  const fs::path own = fs::path(file.path).parent_path();
  const auto isNearer = [&](const fs::path& name) {
    const std::set<fs::path> folders = subfoldersOf(own);
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
      std::error_code error;
      return folder != header.parent_path() && fs::exists(folder / name, error);
    });
  };
  const std::string_view text = file.text;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const fs::path name = includedName(text.substr(at, end - at));
    at = end + 1;
    if (name.filename() != header.filename()) continue;
    std::error_code error;
    if (fs::exists(own / name, error) ? fs::weakly_canonical(own / name, error) == header : !isNearer(name))
      return true;
  }
  return false;
}

// The function of these that a launch which hone replaced now calls.
std::string calledIn(const emit::MarkedBlock& block, const std::map<std::string, std::string>& functions) {
  for (const auto& [name, file] : functions)
    if (block.kernel.empty() && (block.text.find(name + "(") != std::string::npos ||
                                 block.text.find(name + "<") != std::string::npos))
      return name;
  return "";
}

}  // namespace

void checkCallsElsewhere(const Texts& before, const Texts& after) {
  std::map<std::string, std::string> gone = definitionsIn(before);
  for (const auto& [name, file] : definitionsIn(after)) gone.erase(name);
  if (gone.empty()) return;
  // What is called by hand stays.
  for (const auto& [file, text] : after) {
    const std::string code = device::blanked(text);
    for (const auto& [name, home] : gone)
      for (const size_t at : device::placesOf(code, name)) {
        const size_t next = device::skipBlanks(code, at + name.size());
        if (next >= code.size() || (code[next] != '(' && code[next] != '<')) continue;
        std::error_code error;
        throw Error(fmt::format("{}: calls `{}` in a line that hone did not write, and the function would "
                                "go; change that line "
                                "first (nothing was written)",
                                fs::path(file).lexically_proximate(fs::current_path(error)).string(), name),
                    exitCode);
      }
  }
  const std::vector<NearFile> files = markedFilesNear(before);
  // Another program's functions may have the same names.
  for (const NearFile& file : files)
    for (const std::string& name : definedIn(file.blocks)) {
      const auto own = gone.find(name);
      if (own != gone.end() && isBelow(file.path, fs::path(own->second).parent_path())) gone.erase(own);
    }
  for (const NearFile& file : files) {
    const std::set<std::string> own = definedIn(file.blocks);
    for (const emit::MarkedBlock& block : file.blocks) {
      const std::string name = calledIn(block, gone);
      if (name.empty() || own.contains(name)) continue;
      const std::string& home = gone.at(name);
      if (!isBelow(file.path, fs::path(home).parent_path()) && !includes(file, home)) continue;
      std::error_code error;
      throw Error(fmt::format("{}:{}: calls `{}`, which would go from {}; give this file too",
                              fs::path(file.path).lexically_proximate(fs::current_path(error)).string(),
                              lineOf(file.text, block.begin), name, fs::path(home).filename().string()),
                  exitCode);
    }
  }
}

}  // namespace hone::cli
